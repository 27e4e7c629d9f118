import Accounts
import Configuration
import Crypto
import Foundation
import Hologram
import Kernel
import Logging
import Objects
import Quotas
import Server
import Storage
import TestSupport
import Testing
import WebCore

@Suite("Settings")
struct ServerSettingsTests {
    @Test(
        "An unknown kind of registration, or an invalid number, is rejected",
        arguments: [
            ("HOMEWARD_REGISTRATION", "everyone"), ("HOMEWARD_REGISTRATIONS_PER_HOUR", "0"),
            ("HOMEWARD_REGISTRATIONS_PER_HOUR", "10001"), ("HOMEWARD_REGISTRATIONS_PER_HOUR", "many"),
            ("HOMEWARD_DRAIN_SECONDS", "-1"), ("HOMEWARD_DRAIN_SECONDS", "61"), ("HOMEWARD_DRAIN_SECONDS", "soon"),
        ])
    func invalidValue(name: String, value: String) throws {
        let failure = #expect(throws: SettingError.self) { try Self.settings([name: value]) }
        #expect(failure?.setting.name == name)
    }

    static func settings(_ values: [String: String]) throws(SettingError) -> ServerSettings {
        try ServerSettings(ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: values)))
    }

    @Test("Default values")
    func standards() throws {
        let settings = try Self.settings([:])
        #expect(settings.host == "127.0.0.1")
        #expect(settings.port == 8080)
        #expect(settings.url == "http://localhost:8080")
        #expect(settings.localURL == "http://127.0.0.1:8080")
        #expect(settings.dataFolder == "./data")
        #expect(settings.database == .sqlite(path: "./data/homeward.sqlite"))
        #expect(settings.objects.folder == "./data/objects")
        #expect(settings.tls == nil)
        #expect(settings.mail == nil)
        #expect(settings.registration == RegistrationPolicy(fixedMode: nil, perHour: 100))
        #expect(settings.logLevel == .info && settings.logFormat == .text)
        #expect(settings.site.tiles.url?.contains("tile.openstreetmap.org") ?? false)
        #expect(settings.site.tiles.attributionURL != nil)
    }

    @Test("Each setting is read from its variable")
    func names() throws {
        let folder = try TemporaryFolder()
        let values = [
            "HOMEWARD_LISTEN": "[::1]:9000", "HOMEWARD_URL": "https://Home.example:8443/", "HOMEWARD_DATA": "/d",
            "HOMEWARD_DATABASE": "postgres://me:secret@db/home", "HOMEWARD_OBJECTS": "folder:/o",
            "HOMEWARD_OBJECTS_ACCESS_KEY": "AK", "HOMEWARD_OBJECTS_SECRET_KEY": "SK",
            "HOMEWARD_TLS_CERTIFICATE": "c.pem", "HOMEWARD_TLS_KEY": "k.pem", "HOMEWARD_TRUSTED_PROXIES": "10.0.0.0/8",
            "HOMEWARD_SMTP_URL": "smtp://ada%40example.org:hidden-word@mail.example",
            "HOMEWARD_SMTP_FROM": "post@example.org", "HOMEWARD_SMTP_CA_FILE": folder.file("ca.pem"),
            "HOMEWARD_TILES_URL": "https://t.example/{z}/{x}/{y}.png",
            "HOMEWARD_TILES_ATTRIBUTION": "Me", "HOMEWARD_LOG_LEVEL": "Debug", "HOMEWARD_CURRENCY": "JPY",
            "HOMEWARD_LOG_FORMAT": "JSON",
            "HOMEWARD_REGISTRATION": "invitation", "HOMEWARD_REGISTRATIONS_PER_HOUR": "7",
            "HOMEWARD_LIMIT_FACTOR": "3",
            "HOMEWARD_WELCOME_AMOUNT": "100", "HOMEWARD_FIXES_PER_ACCOUNT": "5000",
            "HOMEWARD_PICTURES_PER_ACCOUNT": "70",
            "HOMEWARD_DRAIN_SECONDS": "3",
            "HOMEWARD_PUSH_HOSTS": "push.example.org", "HOMEWARD_BACKUPS": "folder:/k",
            "HOMEWARD_UPDATE_URL": "https://apt.example/Packages",
            "HOMEWARD_GEOCODER_URL": "http://127.0.0.1:9002/", "HOMEWARD_ROUTER_URL": "http://127.0.0.1:9003/",
            "HOMEWARD_BACKUP_HOURS": "12", "HOMEWARD_BACKUPS_KEPT": "3 days",
            "HOMEWARD_PUSH_REWRITE": "http://127.0.0.1:9000/", "HOMEWARD_HOLOGRAM_KEY": "the-key-at-hologram",
            "HOMEWARD_HOLOGRAM_URL": "http://127.0.0.1:9001/api/1",
            "HOMEWARD_HOLOGRAM_WEBHOOK_SECRETS": "abcdefghijklmnopqrstuv, ABCDEFGHIJKLMNOPQRSTUV",
            "HOMEWARD_HOLOGRAM_BUCKET": "folder:/b",
        ].merging(try Self.providers(keyFile: folder.file("key.p8"))) { first, _ in first }
        try Data().write(to: URL(filePath: folder.file("ca.pem")))
        // A command and a mail server exclude each other, and so do a map file and a tile service.
        #expect(
            Set(values.keys) == Set(Setting.all.map(\.name)).subtracting(["HOMEWARD_MAIL", "HOMEWARD_MAP_FILE"]))
        let settings = try Self.settings(values)
        #expect(settings.host == "::1" && settings.port == 9000)
        #expect(settings.url == "https://home.example:8443")
        #expect(settings.localURL == "https://[::1]:9000")
        #expect(settings.dataFolder == "/d")
        #expect(settings.database.description == "postgres://db/home")
        #expect(settings.objects.folder == "/o")
        #expect(settings.objectCredentials == S3Credentials(accessKey: "AK", secretKey: "SK"))
        #expect(settings.tls?.certificate == "c.pem" && settings.tls?.key == "k.pem")
        #expect(settings.site.trustedProxies.clientAddress(peer: "10.1.1.1", forwardedFor: "1.2.3.4") == "1.2.3.4")
        #expect(
            settings.mail
                == .smtp(
                    try SMTPSettings(
                        server: SMTPServer(url: "smtp://ada%40example.org:hidden-word@mail.example:587"),
                        sender: "post@example.org", authoritiesFile: folder.file("ca.pem"),
                        siteURL: "https://home.example:8443")))
        #expect(!"\(settings)".contains("hidden-word"))
        #expect(settings.backups.address?.folder == "/k" && settings.backups.hours == 12)
        #expect(settings.site.tiles.attribution == "Me")
        #expect(settings.site.tiles.attributionURL == nil)
        #expect(settings.logLevel == .debug && settings.logFormat == .json)
        #expect(settings.push.rewrite == "http://127.0.0.1:9000")
        #expect(settings.updateURL == "https://apt.example/Packages")
        #expect(settings.geocoderURL == "http://127.0.0.1:9002" && settings.routerURL == "http://127.0.0.1:9003")
        #expect(settings.hologram.key == HologramKey("the-key-at-hologram"))
        #expect(!"\(settings)".contains("the-key-at-hologram"))
        #expect(settings.hologram.url == "http://127.0.0.1:9001/api/1")
        #expect(settings.hologram.webhookSecrets.count == 2 && settings.hologram.bucket?.folder == "/b")
        #expect(settings.currency.code == "JPY")
        #expect(settings.welcomeAmountMinor == 100)
        #expect(settings.drainSeconds == 3)
        #expect(settings.storageQuota == StorageQuota(pictures: 70, fixes: 5_000))
        #expect(settings.registration == RegistrationPolicy(fixedMode: .invitation, perHour: 7))
        #expect(
            settings.providers.map(\.issuer) == ["apple", "google", "facebook", "own"].map { "https://\($0).example" })
        #expect(settings.providers.map(\.label) == ["Apple", "Google", "Facebook", "Club"])
    }

    private static func providers(keyFile: String) throws -> [String: String] {
        try P256.Signing.PrivateKey().pemRepresentation.write(toFile: keyFile, atomically: true, encoding: .utf8)
        return [
            "HOMEWARD_APPLE_CLIENT_ID": "a", "HOMEWARD_APPLE_TEAM_ID": "t", "HOMEWARD_APPLE_KEY_ID": "k",
            "HOMEWARD_APPLE_KEY_FILE": keyFile, "HOMEWARD_APPLE_CLIENT_SECRET": "s",
            "HOMEWARD_APPLE_ISSUER": "https://apple.example", "HOMEWARD_GOOGLE_CLIENT_ID": "g",
            "HOMEWARD_GOOGLE_CLIENT_SECRET": "s", "HOMEWARD_GOOGLE_ISSUER": "https://google.example",
            "HOMEWARD_FACEBOOK_CLIENT_ID": "f", "HOMEWARD_FACEBOOK_CLIENT_SECRET": "s",
            "HOMEWARD_FACEBOOK_ISSUER": "https://facebook.example", "HOMEWARD_OIDC_ISSUER": "https://own.example",
            "HOMEWARD_OIDC_CLIENT_ID": "o", "HOMEWARD_OIDC_CLIENT_SECRET": "s", "HOMEWARD_OIDC_NAME": "Club",
        ]
    }

    @Test("A flag has the name of its variable")
    func flags() {
        let flags = Setting.all.map(\.flag)
        #expect(flags.contains("trusted-proxies"))
        #expect(flags.contains("tls-certificate"))
        #expect(flags.contains("listen"))
    }

    struct Refused: CustomTestStringConvertible, Sendable {
        let setting: Setting
        let values: [String: String]
        var testDescription: String { "\(values)" }
    }

    @Test(
        "An unusable value is rejected at start-up, by the setting's name",
        arguments: [
            Refused(setting: .url, values: ["HOMEWARD_URL": "http://home.example"]),
            Refused(setting: .url, values: ["HOMEWARD_URL": "http://localhost.evil.example"]),
            Refused(setting: .url, values: ["HOMEWARD_URL": "http://192.168.1.2:8080"]),
            Refused(setting: .url, values: ["HOMEWARD_URL": "ftp://localhost"]),
            Refused(setting: .url, values: ["HOMEWARD_URL": "https://home.example/path"]),
            Refused(setting: .url, values: ["HOMEWARD_URL": "https://user@home.example"]),
            Refused(setting: .url, values: ["HOMEWARD_URL": "home.example"]),
            Refused(
                setting: .url,
                values: [
                    "HOMEWARD_URL": "http://localhost:1", "HOMEWARD_TLS_KEY": "k", "HOMEWARD_TLS_CERTIFICATE": "c",
                ]),
            Refused(setting: .listen, values: ["HOMEWARD_LISTEN": "8080"]),
            Refused(setting: .listen, values: ["HOMEWARD_LISTEN": "127.0.0.1:99999"]),
            Refused(setting: .listen, values: ["HOMEWARD_LISTEN": ":8080"]),
            Refused(setting: .database, values: ["HOMEWARD_DATABASE": "mysql://x"]),
            Refused(setting: .objectsAccessKey, values: ["HOMEWARD_OBJECTS": "s3://bucket"]),
            Refused(setting: .objects, values: ["HOMEWARD_OBJECTS": "s3://key:secret@bucket"]),
            Refused(setting: .objects, values: ["HOMEWARD_OBJECTS": "s3://bucket?endpoint=http://far.example"]),
            Refused(
                setting: .objectsSecretKey,
                values: ["HOMEWARD_OBJECTS": "s3://bucket", "HOMEWARD_OBJECTS_ACCESS_KEY": "AK"]),
            Refused(setting: .objectsAccessKey, values: ["HOMEWARD_OBJECTS_SECRET_KEY": "SK"]),
            Refused(setting: .objects, values: ["HOMEWARD_OBJECTS": "/plain/path"]),
            Refused(setting: .tlsKey, values: ["HOMEWARD_TLS_CERTIFICATE": "c"]),
            Refused(setting: .tlsCertificate, values: ["HOMEWARD_TLS_KEY": "k"]),
            Refused(setting: .trustedProxies, values: ["HOMEWARD_TRUSTED_PROXIES": "proxy.example"]),
            Refused(setting: .tilesURL, values: ["HOMEWARD_TILES_URL": "https://t.example/"]),
            Refused(setting: .mapFile, values: ["HOMEWARD_MAP_FILE": "/no/such/file"]),
            Refused(setting: .logLevel, values: ["HOMEWARD_LOG_LEVEL": "loud"]),
            Refused(setting: .smtpURL, values: ["HOMEWARD_SMTP_URL": "mail.example"]),
            Refused(setting: .smtpURL, values: ["HOMEWARD_SMTP_URL": "smtp://u:p@mail.example?tls=none"]),
            Refused(
                setting: .smtpURL, values: ["HOMEWARD_SMTP_URL": "smtps://mail.example", "HOMEWARD_MAIL": "sendmail"]),
            Refused(
                setting: .smtpFrom, values: ["HOMEWARD_SMTP_URL": "smtps://mail.example", "HOMEWARD_SMTP_FROM": "me"]),
            Refused(setting: .smtpFrom, values: ["HOMEWARD_SMTP_FROM": "me@example.org"]),
            Refused(
                setting: .smtpCAFile,
                values: ["HOMEWARD_SMTP_URL": "smtps://mail.example", "HOMEWARD_SMTP_CA_FILE": "/no/such/file"]),
            Refused(setting: .smtpCAFile, values: ["HOMEWARD_SMTP_CA_FILE": "/dev/null"]),
            Refused(setting: .logFormat, values: ["HOMEWARD_LOG_FORMAT": "xml"]),
            Refused(setting: .pushHosts, values: ["HOMEWARD_PUSH_HOSTS": "push.example.org,10.0.0.1"]),
            Refused(setting: .hologramURL, values: ["HOMEWARD_HOLOGRAM_URL": "http://hologram.example/api/1"]),
            Refused(setting: .hologramURL, values: ["HOMEWARD_HOLOGRAM_URL": "https://key@hologram.example/api/1"]),
            Refused(setting: .hologramKey, values: ["HOMEWARD_HOLOGRAM_KEY": "two words"]),
            Refused(setting: .hologramWebhookSecrets, values: ["HOMEWARD_HOLOGRAM_WEBHOOK_SECRETS": "short"]),
            Refused(
                setting: .hologramWebhookSecrets,
                values: [
                    "HOMEWARD_HOLOGRAM_WEBHOOK_SECRETS": (1...5).map { "abcdefghijklmnopqrstu\($0)" }.joined(
                        separator: ",")
                ]),
            Refused(setting: .hologramBucket, values: ["HOMEWARD_HOLOGRAM_BUCKET": "/plain/path"]),
            Refused(setting: .pushRewrite, values: ["HOMEWARD_PUSH_REWRITE": "http://192.168.1.2:9000"]),
            Refused(setting: .pushRewrite, values: ["HOMEWARD_PUSH_REWRITE": "https://127.0.0.1:9000"]),
            Refused(setting: .pushRewrite, values: ["HOMEWARD_PUSH_REWRITE": "http://127.0.0.1:9000/path"]),
        ])
    func refusals(_ refused: Refused) {
        var failure: SettingError?
        do throws(SettingError) {
            _ = try Self.settings(refused.values)
        } catch {
            failure = error
        }
        #expect(failure?.setting == refused.setting)
        #expect(failure?.description.hasPrefix(refused.setting.name) ?? false)
    }

    @Test("Mails are sent by a command or by a mail server")
    func mail() throws {
        let command = "/usr/sbin/sendmail -t"
        #expect(try Self.settings(["HOMEWARD_MAIL": command]).mail == .command(command))
        let settings = try Self.settings([
            "HOMEWARD_SMTP_URL": "smtps://mail.example", "HOMEWARD_URL": "https://home.example",
        ])
        guard case .smtp(let smtp) = settings.mail else {
            Issue.record("not SMTP")
            return
        }
        #expect(smtp.sender == "homeward@home.example" && smtp.server.port == 465)
    }

    @Test("S3 credentials may be in the AWS variables; our own settings take precedence")
    func bucketKeys() throws {
        let usual = [
            "HOMEWARD_OBJECTS": "s3://bucket/home", "AWS_ACCESS_KEY_ID": "AA", "AWS_SECRET_ACCESS_KEY": "AS",
            "AWS_SESSION_TOKEN": "AT", "AWS_REGION": "eu-north-1",
        ]
        let settings = try Self.settings(usual)
        #expect(settings.objects == (try ObjectStoreAddress("s3://bucket/home?region=eu-north-1")))
        #expect(settings.objectCredentials == S3Credentials(accessKey: "AA", secretKey: "AS", sessionToken: "AT"))
        let own = ["HOMEWARD_OBJECTS_ACCESS_KEY": "OA", "HOMEWARD_OBJECTS_SECRET_KEY": "OS"]
        let both = try Self.settings(usual.merging(own) { _, new in new })
        #expect(both.objectCredentials == S3Credentials(accessKey: "OA", secretKey: "OS"))
        #expect(!"\(settings)".contains("AS\"") && !"\(both)".contains("OS\""))
    }

    @Test(
        "Plain HTTP is allowed for localhost",
        arguments: [
            "http://localhost", "http://localhost:80", "http://127.0.0.1:8080", "http://[::1]:8080",
            "http://home.localhost",
        ])
    func localNames(_ url: String) throws {
        #expect(try Self.settings(["HOMEWARD_URL": url]).url == url)
    }

    @Test("Port 0 becomes a free port, which the URL contains")
    func freePort() throws {
        let settings = try Self.settings(["HOMEWARD_LISTEN": "127.0.0.1:0"])
        #expect(settings.port > 0)
        #expect(settings.url == "http://localhost:\(settings.port)")
        #expect(try Self.settings(["HOMEWARD_LISTEN": "[::1]:0"]).port > 0)
    }
}
