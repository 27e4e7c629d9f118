import Foundation
import Kernel
import Logging
package import Notifications
import Storage
import WebCore

extension Setting {
    /// More push services.
    package static let pushHosts = Setting(
        "HOMEWARD_PUSH_HOSTS",
        "Push services that notifications may be sent to beside those of the known browsers, with commas between: "
            + "push.example.org, or .example.org for all below it."
    )
    /// A stand-in for push services.
    package static let pushRewrite = Setting(
        "HOMEWARD_PUSH_REWRITE",
        "For tests on one computer: http://127.0.0.1:PORT, which gets all notifications in the place of every push "
            + "service."
    )

    /// What tells about sending notifications.
    static let push: [Setting] = [pushHosts, pushRewrite]
}

/// Where messages to devices may go.
package struct PushSettings: Sendable {
    /// The push services.
    package let hosts: PushHosts
    /// For tests: the origin that stands in for all of them.
    package let rewrite: String?
}

extension ServerSettings {
    static func push(_ text: (Setting) -> String?) throws(SettingFailure) -> PushSettings {
        let hosts: PushHosts
        do throws(PushHosts.Failure) {
            hosts = try PushHosts(adding: text(.pushHosts) ?? "")
        } catch {
            switch error {
            case .notAHost(let entry): throw SettingFailure(.pushHosts, "“\(entry)” is no name of a host")
            }
        }
        guard let rewrite = text(.pushRewrite) else { return PushSettings(hosts: hosts, rewrite: nil) }
        let origin = rewrite.hasSuffix("/") ? String(rewrite.dropLast()) : rewrite
        // Anywhere else it would send what is meant for one browser to somebody in between.
        guard let parts = URLComponents(string: origin), parts.scheme == "http", let host = parts.host,
            PublicAddress.isLoopback(host), parts.port != nil, parts.path.isEmpty, parts.query == nil,
            parts.user == nil
        else { throw SettingFailure(.pushRewrite, "give http://127.0.0.1:PORT; it is for tests on one computer") }
        return PushSettings(hosts: hosts, rewrite: origin)
    }
}

extension Services {
    static func notifications(
        _ settings: ServerSettings, _ database: Database, _ keys: KeyFiles, _ clock: any WallClock,
        _ random: any RandomSource, _ logger: Logger
    ) throws -> NotificationService {
        NotificationService(
            database: database,
            key: try PushKey(seed: keys.bytes(.push)),
            hosts: settings.push.hosts, siteURL: settings.site.url,
            road: HTTPPushRoad(rewrite: settings.push.rewrite), clock: clock, random: random, logger: logger
        )
    }
}
