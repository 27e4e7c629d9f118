import Foundation
import Kernel
import Logging
package import Notifications
import Storage
import WebCore

extension Setting {
    /// Push services in addition to those of the known browsers.
    package static let pushHosts = Setting(
        "HOMEWARD_PUSH_HOSTS",
        "Additional push services, separated by commas: push.example.org, or .example.org with all its subdomains. The "
            + "services of the known browsers are always allowed."
    )
    /// For tests: an origin that replaces all push services.
    package static let pushRewrite = Setting(
        "HOMEWARD_PUSH_REWRITE",
        "For tests on one computer: http://127.0.0.1:PORT, which receives all notifications instead of the push "
            + "services."
    )

    static let push: [Setting] = [pushHosts, pushRewrite]
}

/// The push services that notifications may be sent to.
package struct PushSettings: Sendable {
    package let hosts: PushHosts
    /// For tests: the origin that replaces all of them.
    package let rewrite: String?
}

extension ServerSettings {
    static func push(_ text: (Setting) -> String?) throws(SettingError) -> PushSettings {
        let hosts: PushHosts
        do throws(PushHosts.Failure) {
            hosts = try PushHosts(adding: text(.pushHosts) ?? "")
        } catch {
            switch error {
            case .notAHost(let entry): throw SettingError(.pushHosts, "“\(entry)” is no name of a host")
            }
        }
        guard let rewrite = text(.pushRewrite) else { return PushSettings(hosts: hosts, rewrite: nil) }
        let origin = rewrite.hasSuffix("/") ? String(rewrite.dropLast()) : rewrite
        // Only loopback: any other address would send one browser's messages to a third party.
        guard let parts = URLComponents(string: origin), parts.scheme == "http", let host = parts.host,
            PublicAddress.isLoopback(host), parts.port != nil, parts.path.isEmpty, parts.query == nil,
            parts.user == nil
        else { throw SettingError(.pushRewrite, "give http://127.0.0.1:PORT; it is for tests on one computer") }
        return PushSettings(hosts: hosts, rewrite: origin)
    }
}

extension Services {
    static func notifications(
        _ settings: ServerSettings, database: Database, keys: KeyFiles, clock: any WallClock, random: any RandomSource,
        logger: Logger
    ) throws -> NotificationService {
        NotificationService(
            database: database,
            key: try PushKey(seed: keys.bytes(.push)),
            hosts: settings.push.hosts, siteURL: settings.site.url,
            transport: HTTPPushTransport(rewrite: settings.push.rewrite), clock: clock, random: random, logger: logger
        )
    }
}
