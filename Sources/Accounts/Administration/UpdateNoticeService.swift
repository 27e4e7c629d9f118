import Kernel
import Storage

/// The newest version of the program, found by the check for updates, if one is set up.
package struct UpdateNoticeService: Sendable {
    let database: Database
    let clock: any WallClock

    /// Whether the last check is older than ``Limits/updateCheckSeconds``.
    package func isCheckDue() async throws -> Bool {
        let now = clock.now
        return try await database.read { tx in
            guard let at = try ServerSettingStore.changedAt(.latestVersion, in: tx) else { return true }
            return now.seconds(since: at) >= Double(Limits.updateCheckSeconds)
        }
    }

    /// Stores the newest version, and that it was checked now.
    /// - Parameter version: `nil` if the document has none, which keeps the last known version.
    package func record(_ version: String?) async throws {
        let now = clock.now
        try await database.write { tx in
            let newest = try version ?? ServerSettingStore.value(of: .latestVersion, in: tx) ?? ""
            try ServerSettingStore.set(.latestVersion, to: newest, now: now, in: tx)
        }
    }
}
