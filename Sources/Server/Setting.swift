import Kernel
import Quotas

/// One setting of the server. ``all`` is the list that the help, the documentation and the tests are checked against.
package struct Setting: Sendable, Hashable {
    /// The environment variable; also the name in a settings file.
    package let name: String
    /// The default; empty for none.
    package let standard: String
    /// The description in the help, one sentence.
    package let meaning: String

    /// The flag of `homeward serve`, without its two hyphens: `trusted-proxies`.
    package var flag: String { words.joined(separator: "-") }

    /// The name as swift-configuration spells it: `homeward.trustedProxies`.
    package var key: String {
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return "homeward." + (words.first ?? "") + rest.joined()
    }

    private var words: [String] {
        name.split(separator: "_").dropFirst().map { $0.lowercased() }
    }

    init(_ name: String, standard: String = "", _ meaning: String) {
        self.name = name
        self.standard = standard
        self.meaning = meaning
    }
}

extension Setting {
    /// The address and port that the server listens on.
    package static let listen = Setting(
        "HOMEWARD_LISTEN", standard: "127.0.0.1:8080", "Address and port to listen on. Port 0 selects a free port."
    )
    /// The public origin.
    package static let url = Setting(
        "HOMEWARD_URL", standard: "http://localhost:8080",
        "The address that people open in the browser. Must be https unless it is this computer's."
    )
    package static let data = Setting(
        "HOMEWARD_DATA", standard: "./data",
        "The folder for all data: database, pictures, keys."
    )
    package static let database = Setting(
        "HOMEWARD_DATABASE", standard: "sqlite:DATA/homeward.sqlite",
        "The database: sqlite:PATH, or postgres://USER:PASSWORD@HOST/NAME."
    )
    /// The store of pictures and archived positions.
    package static let objects = Setting(
        "HOMEWARD_OBJECTS", standard: "folder:DATA/objects",
        "The storage of pictures and the archive of positions: folder:PATH, or "
            + "s3://BUCKET/PREFIX?endpoint=https://HOST&region=NAME for a bucket of S3 or of a compatible service "
            + "(style=path or style=host sets where the URL contains the bucket's name)."
    )
    package static let objectsAccessKey = Setting(
        "HOMEWARD_OBJECTS_ACCESS_KEY", "The bucket's access key. Defaults to AWS_ACCESS_KEY_ID."
    )
    package static let objectsSecretKey = Setting(
        "HOMEWARD_OBJECTS_SECRET_KEY",
        "The bucket's secret key. Defaults to AWS_SECRET_ACCESS_KEY, with AWS_SESSION_TOKEN."
    )
    /// The repository of backups.
    package static let backups = Setting(
        "HOMEWARD_BACKUPS",
        "The storage of regular backups: folder:PATH, or s3://BUCKET/PREFIX as for HOMEWARD_OBJECTS, with the same "
            + "access key. Without it, none are written."
    )
    /// Hours between two regular backups.
    package static let backupHours = Setting(
        "HOMEWARD_BACKUP_HOURS", standard: "24", "Hours between two regular backups."
    )
    /// The regular backups that are kept.
    package static let backupsKept = Setting(
        "HOMEWARD_BACKUPS_KEPT", standard: "7 days, 4 weeks, 12 months",
        "The regular backups that are kept: the newest one of each of so many days, weeks and months. Others are "
            + "deleted."
    )
    package static let tlsCertificate = Setting(
        "HOMEWARD_TLS_CERTIFICATE", "A file with the certificate chain (PEM), for https without a reverse proxy."
    )
    package static let tlsKey = Setting("HOMEWARD_TLS_KEY", "A file with the certificate's private key (PEM).")
    /// The proxies that may name the client.
    package static let trustedProxies = Setting(
        "HOMEWARD_TRUSTED_PROXIES",
        "Addresses and networks of reverse proxies whose X-Forwarded-For or Forwarded is accepted: "
            + "127.0.0.1,10.0.0.0/8."
    )
    package static let mail = Setting(
        "HOMEWARD_MAIL",
        "A command that accepts a mail as sendmail does: /usr/sbin/sendmail -t -i. Without it and HOMEWARD_SMTP_URL, "
            + "no mail is sent."
    )
    /// The currency of wallets.
    package static let currency = Setting(
        "HOMEWARD_CURRENCY", standard: "EUR",
        "The currency of Carrepsa's wallets, a code of three letters. Don't change it once wallets contain money."
    )
    /// The initial balance of a new wallet.
    package static let welcomeAmount = Setting(
        "HOMEWARD_WELCOME_AMOUNT", standard: "0",
        "The balance of a new wallet of Carrepsa, for example 12.50; 100.00 in the demo. Where mail is set up, it is "
            + "credited when the email is confirmed. Each email address gets it once, and it can't be paid out."
    )
    /// The policy for creating accounts.
    package static let registration = Setting(
        "HOMEWARD_REGISTRATION",
        "Who can create an account: open (everyone), invitation (with an invitation of a household or an administrator) "
            + "or closed (only with an invitation of an administrator). Without it, the set-up of a new server asks, and "
            + "administrators can change it."
    )
    /// The number of accounts that one network may create per hour.
    package static let registrationsPerHour = Setting(
        "HOMEWARD_REGISTRATIONS_PER_HOUR", standard: "100",
        "The accounts that one network can create in an hour: an IPv4 address, or an IPv6 network of 64 bits."
    )
    /// The factor of what one person can create.
    package static let limitFactor = Setting(
        "HOMEWARD_LIMIT_FACTOR", standard: "1",
        "Multiplies the limits on what one person can create in an hour or a day, such as offers and acceptances. "
            + "A whole number, for load tests."
    )
    /// The maximum number of pictures of an account.
    package static let picturesPerAccount = Setting(
        "HOMEWARD_PICTURES_PER_ACCOUNT", standard: "\(Limits.picturesPerAccount)",
        "The maximum number of photos of an account, unless an administrator chose another one for it."
    )
    /// The maximum number of stored positions of an account.
    package static let fixesPerAccount = Setting(
        "HOMEWARD_FIXES_PER_ACCOUNT", standard: "\(Limits.fixesPerAccount)",
        "The maximum number of positions of an account, unless an administrator chose another one for it. Beyond it, "
            + "its devices get 429."
    )
    /// Seconds for which a stopping server continues to serve requests.
    package static let drainSeconds = Setting(
        "HOMEWARD_DRAIN_SECONDS", standard: "0",
        "The seconds, 0 to 60, for which a stopping server continues to serve requests while /health/ready returns "
            + "404. A balancer needs this time to send requests to other nodes."
    )
    package static let logLevel = Setting(
        "HOMEWARD_LOG_LEVEL", standard: "info", "The log level: trace, debug, info, notice, warning, error or critical."
    )
    /// The format of the log.
    package static let logFormat = Setting(
        "HOMEWARD_LOG_FORMAT", standard: LogFormat.text.rawValue,
        "The format of the log: text (lines for people) or json (one JSON object per line)."
    )

    package static let all: [Setting] =
        [
            listen, url, data, database, objects, objectsAccessKey, objectsSecretKey, backups, backupHours, backupsKept,
            tlsCertificate, tlsKey, trustedProxies, mail, smtpURL, smtpFrom, smtpCAFile, mapFile, tilesURL,
            tilesAttribution, geocoderURL, routerURL,
            currency, welcomeAmount, registration, registrationsPerHour, limitFactor, picturesPerAccount,
            fixesPerAccount, updateURL, drainSeconds, logLevel, logFormat,
        ] + providers + push + hologram
}
