package import Accounts
import Carrepsa
package import Configuration
import Foundation
package import Kernel
package import Logging
package import Objects
package import Quotas
package import Storage
package import WebCore

/// A setting with an unusable value; reported to the server's administrator.
package struct SettingError: Error, Equatable, CustomStringConvertible {
    package let setting: Setting
    package let problem: String
    package var description: String { "\(setting.name): \(problem)" }

    init(_ setting: Setting, _ problem: String) {
        self.setting = setting
        self.problem = problem
    }
}

/// The settings, read and validated.
package struct ServerSettings: Sendable {
    /// The certificate files for the built-in HTTPS.
    package struct TLSFiles: Sendable, Equatable {
        /// The path of the certificate chain.
        package let certificate: String
        /// The path of the private key.
        package let key: String
    }

    package let host: String
    /// The port to listen on. Never 0: a free port was already chosen.
    package let port: Int
    /// The public address and what depends on it.
    package let site: Site
    package let dataFolder: String
    package private(set) var database: DatabaseURL
    /// The store of pictures and archived positions.
    package let objects: ObjectStoreAddress
    /// `nil` without credentials.
    package let objectCredentials: S3Credentials?
    /// `nil` for plain HTTP.
    package let tls: TLSFiles?
    /// `nil` for no mail.
    package let mail: MailTransportSettings?
    /// The currency of wallets.
    package let currency: Currency
    /// The initial balance of a new wallet, in the currency's minor units.
    package let welcomeAmountMinor: Int64
    /// The policy for creating accounts.
    package let registration: RegistrationPolicy
    /// Seconds for which a stopping server continues to serve requests, `0...Limits.drainSeconds`.
    package let drainSeconds: Int
    /// The factor of what one person can create in an hour or a day.
    package let limitFactor: Int
    /// How much an account can store, unless an administrator chose otherwise.
    package let storageQuota: StorageQuota
    /// The services that people can sign in with.
    package let providers: [ProviderSettings]
    package let logLevel: Logger.Level
    package let logFormat: LogFormat
    package let push: PushSettings
    package let hologram: HologramSettings
    /// The document that names the newest version; `nil` where the server doesn't look for one.
    package let updateURL: String?
    /// The geocoder; `nil` for none.
    package let geocoderURL: String?
    /// The router; `nil` for none.
    package let routerURL: String?
    package let backups: BackupSettings
    /// The settings that differ from their defaults.
    package let text: SettingsText

    /// Reads and checks all settings.
    /// - Throws: ``SettingError`` for the first that can't be used.
    package init(_ config: ConfigReader) throws(SettingError) {
        func text(_ setting: Setting) -> String? {
            let value = config.string(forKey: ConfigKey(setting.key))
            return value.flatMap { $0.isEmpty ? nil : $0 }
        }
        for setting in Setting.all {
            guard let value = text(setting) else { continue }
            guard value.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
                throw SettingError(setting, "contains a line break or another control character")
            }
        }
        func text(orStandardOf setting: Setting) -> String { text(setting) ?? setting.standard }
        func count(_ setting: Setting, maximum: Int) throws(SettingError) -> Int {
            guard let count = Int(text(orStandardOf: setting)), 1...maximum ~= count else {
                throw SettingError(setting, "give a whole number from 1 to \(maximum)")
            }
            return count
        }

        let (host, wantedPort) = try Self.address(text(orStandardOf: .listen))
        let port = try wantedPort == 0 ? Self.freePort(host) : wantedPort
        let tls = try Self.tlsFiles(certificate: text(.tlsCertificate), key: text(.tlsKey))
        let standardURL = "\(tls == nil ? "http" : "https")://localhost:\(port)"
        let url = try Self.origin(text(.url) ?? standardURL, speaksTLS: tls != nil)
        let proxies = try Self.trustedProxies(text(.trustedProxies) ?? "")
        registration = try Self.registration(text)
        drainSeconds = try Self.drainSeconds(text(orStandardOf: .drainSeconds))
        site = Site(url: url, tiles: try Self.mapTiles(text), trustedProxies: proxies)
        let data = text(orStandardOf: .data)
        guard !data.hasPrefix("~") else {
            throw SettingError(.data, "begins with ~, which only shells replace; give the whole path")
        }
        do {
            database =
                try text(.database).map { text throws(StorageError) in try DatabaseURL(text) }
                ?? .sqlite(path: "\(data)/homeward.sqlite")
        } catch {
            throw SettingError(.database, "\(error)")
        }
        guard let currency = Currency(code: text(orStandardOf: .currency)) else {
            throw SettingError(.currency, "give the three letters of a currency, such as EUR")
        }
        guard let welcome = currency.minor(from: text(orStandardOf: .welcomeAmount)),
            welcome <= Limits.packageMoneyMinor
        else { throw SettingError(.welcomeAmount, "give an amount such as 12.50") }
        self.currency = currency
        welcomeAmountMinor = welcome
        storageQuota = StorageQuota(
            pictures: try count(.picturesPerAccount, maximum: Limits.pictureQuotaMaximum),
            fixes: try count(.fixesPerAccount, maximum: .max))
        limitFactor = try count(.limitFactor, maximum: Limits.limitFactorMaximum)
        (objects, objectCredentials) = try Self.objects(config, text, dataFolder: data)
        guard let level = Logger.Level(rawValue: text(orStandardOf: .logLevel).lowercased()) else {
            throw SettingError(.logLevel, Setting.logLevel.meaning)
        }
        logLevel = level
        mail = try Self.mail(text, siteURL: url)
        guard let format = LogFormat(rawValue: text(orStandardOf: .logFormat).lowercased()) else {
            throw SettingError(.logFormat, "give text or json")
        }
        logFormat = format
        providers = try Self.providers(text)
        push = try Self.push(text)
        hologram = try Self.hologram(text)
        updateURL = try Self.updateURL(text)
        geocoderURL = try Self.mapServiceURL(.geocoderURL, text)
        routerURL = try Self.mapServiceURL(.routerURL, text)
        backups = try Self.backups(text)
        guard backups.address?.isBucket != true || objectCredentials != nil else {
            throw SettingError(.objectsAccessKey, "a bucket needs an access key and a secret key")
        }
        dataFolder = data
        self.text = SettingsText(
            Setting.all.compactMap { setting in text(setting).map { SettingsFile.line(setting.name, $0) + "\n" } }
                .joined())
        self.host = host
        self.port = port
        self.tls = tls
    }

    /// Returns a copy with another database, for a URL that is already parsed.
    package func with(database: DatabaseURL) -> ServerSettings {
        var copy = self
        copy.database = database
        return copy
    }

    /// The public origin.
    package var url: String { site.url }

    /// The origin at which this process can be reached on this computer, whatever the public origin.
    package var localURL: String {
        let reachable = ["0.0.0.0", "::", "*"].contains(host) ? "127.0.0.1" : host
        let shown = reachable.contains(":") ? "[\(reachable)]" : reachable
        return "\(tls == nil ? "http" : "https")://\(shown):\(port)"
    }

    // MARK: Checks

    private static func registration(_ text: (Setting) -> String?) throws(SettingError) -> RegistrationPolicy {
        let typedMode = text(.registration)
        let mode = typedMode.flatMap(RegistrationPolicy.Mode.init(rawValue:))
        guard (mode == nil) == (typedMode == nil) else {
            throw SettingError(.registration, "give open, invitation or closed")
        }
        let most = Limits.registrationsPerHourMaximum
        let perHour = Int(text(.registrationsPerHour) ?? Setting.registrationsPerHour.standard)
        guard let perHour, (1...most).contains(perHour) else {
            throw SettingError(.registrationsPerHour, "give a number from 1 to \(most)")
        }
        return RegistrationPolicy(fixedMode: mode, perHour: perHour)
    }

    private static func drainSeconds(_ text: String) throws(SettingError) -> Int {
        guard let seconds = Int(text), (0...Limits.drainSeconds).contains(seconds) else {
            throw SettingError(.drainSeconds, "give a number from 0 to \(Limits.drainSeconds)")
        }
        return seconds
    }

    private static func address(_ text: String) throws(SettingError) -> (host: String, port: Int) {
        let colon = text.lastIndex(of: ":")
        guard let colon, let port = Int(text[text.index(after: colon)...]), (0...65_535).contains(port) else {
            throw SettingError(.listen, "give an address and a port, such as 127.0.0.1:8080")
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host == "localhost" { host = "127.0.0.1" }
        guard !host.isEmpty else { throw SettingError(.listen, "give an address and a port, such as 127.0.0.1:8080") }
        return (host, port)
    }

    private static func origin(_ text: String, speaksTLS: Bool) throws(SettingError) -> String {
        let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard let parts = URLComponents(string: trimmed), let host = parts.host, !host.isEmpty, parts.path.isEmpty,
            parts.query == nil, parts.fragment == nil, parts.user == nil
        else { throw SettingError(.url, "give scheme, name and port alone, such as https://home.example") }
        switch parts.scheme {
        case "https": return trimmed.lowercased()
        case "http":
            guard isThisComputer(host) else {
                throw SettingError(
                    .url,
                    "must be https for anything but localhost: passwords would travel in the clear, and browsers refuse "
                        + "camera, position and Bluetooth"
                )
            }
            guard !speaksTLS else { throw SettingError(.url, "must be https, as there is a certificate") }
            return trimmed.lowercased()
        default: throw SettingError(.url, "must begin with https:// or http://localhost")
        }
    }

    static func isThisComputer(_ host: String) -> Bool {
        let name = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        return name == "localhost" || name.hasSuffix(".localhost") || name == "::1" || name.hasPrefix("127.")
    }

    private static func trustedProxies(_ text: String) throws(SettingError) -> TrustedProxies {
        do throws(TrustedProxies.UnreadableEntry) {
            return try TrustedProxies(text)
        } catch {
            throw SettingError(
                .trustedProxies,
                "“\(error.text)” is neither an address nor a network; separate several with commas, such as "
                    + "127.0.0.1,10.0.0.0/8"
            )
        }
    }

    private static func tlsFiles(certificate: String?, key: String?) throws(SettingError) -> TLSFiles? {
        switch (certificate, key) {
        case (let certificate?, let key?): return TLSFiles(certificate: certificate, key: key)
        case (nil, nil): return nil
        case (_?, nil): throw SettingError(.tlsKey, "is missing beside \(Setting.tlsCertificate.name)")
        case (nil, _?): throw SettingError(.tlsCertificate, "is missing beside \(Setting.tlsKey.name)")
        }
    }
}
