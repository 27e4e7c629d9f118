package import Backups
import Kernel
import Logging
package import Objects

/// Where and when backups are written.
package struct BackupSettings: Sendable {
    /// The repository; `nil` for none.
    package let address: ObjectStoreAddress?
    /// The repository's address, for people.
    package let destination: String?
    /// Hours between two backups.
    package let hours: Int
    package let retention: BackupRetention
}

extension ServerSettings {
    static func backups(_ text: (Setting) -> String?) throws(SettingError) -> BackupSettings {
        var address: ObjectStoreAddress?
        do throws(ObjectStoreAddress.Problem) {
            if let given = text(.backups) { address = try ObjectStoreAddress(given) }
        } catch {
            throw SettingError(.backups, error.description)
        }
        guard let hours = Int(text(.backupHours) ?? Setting.backupHours.standard), (1...8_784).contains(hours) else {
            throw SettingError(.backupHours, "give a whole number of hours above 0")
        }
        guard let retention = BackupRetention(text(.backupsKept) ?? Setting.backupsKept.standard) else {
            throw SettingError(.backupsKept, "give numbers such as 7 days, 4 weeks, 12 months")
        }
        return BackupSettings(
            address: address, destination: text(.backups), hours: hours, retention: retention)
    }

    /// Opens the repository of backups.
    /// - Throws: ``SettingError`` if there is none, or it can't be reached.
    func openBackups(
        clock: any WallClock, random: any RandomSource, logger: Logger
    ) async throws -> any ObjectStore {
        guard let address = backups.address else {
            throw SettingError(.backups, "is missing: give folder:PATH or s3://BUCKET?endpoint=URL, or name a file")
        }
        do {
            let store = try ObjectStores.open(
                address, credentials: objectCredentials, clock: clock, random: random, logger: logger)
            try await store.check()
            return store
        } catch let error as ObjectStoreError {
            throw SettingError(.backups, error.description)
        } catch let error as ObjectStoreAddress.Problem {
            throw SettingError(.backups, error.description)
        }
    }
}
