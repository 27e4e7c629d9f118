import Kernel
import Storage

/// The table `server_setting`: what administrators choose, and what the server finds, while it runs.
enum ServerSettingStore {
    enum Name: String, Sendable {
        /// One of ``RegistrationPolicy/Mode``.
        case registration
        /// The newest version of the program that the server found; empty if it found none yet.
        case latestVersion = "latest-version"
    }

    static func value(of name: Name, in tx: Transaction) throws -> String? {
        try tx.row("SELECT value FROM server_setting WHERE name = \(name.rawValue)")?.get("value")
    }

    static func changedAt(_ name: Name, in tx: Transaction) throws -> Instant? {
        try tx.row("SELECT changed_at FROM server_setting WHERE name = \(name.rawValue)")?.get("changed_at")
    }

    static func set(_ name: Name, to value: String, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO server_setting (name, value, changed_at) VALUES (\(name.rawValue), \(value), \(now))
            ON CONFLICT (name) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at
            """
        )
    }
}
