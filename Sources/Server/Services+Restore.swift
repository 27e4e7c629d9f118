import Accounts
import Backups
import Kernel
import Ledger
import Storage

extension Services {
    /// Replaces the store's content with a backup's, and makes all open pages reload. The ledger's chain then ends
    /// where the backup's chain ends.
    /// - Parameter endsSessions: whether everyone must sign in again: a stolen device may have been signed out since
    ///   the backup.
    /// - Returns: the path of a copy of the previous content, if there was any.
    /// - Throws: ``StorageError/backup(_:)`` for a file that isn't one of our backups; ``SettingError`` for one
    ///   that was made with other keys.
    package func restore(from path: String, endsSessions: Bool = false) async throws -> String? {
        let now = clock.now
        return try await sealer.restoreContents {
            try await restoreContent(from: path, endsSessions: endsSessions, now: now)
        }
    }

    private func restoreContent(from path: String, endsSessions: Bool, now: Instant) async throws -> String? {
        try await database.restore(from: path, folder: settings.dataFolder) { tx in
            try checkLedgerKey(in: tx)
            try keys.confirm(now: now, in: tx)
            try BackupRunStore.removeUnfinished(in: tx)
            if endsSessions { try accounts.sessions.endAll(now: now, in: tx) }
            let changed = [
                ("account", "/account"), ("item", "/tracking/items"), ("package", "/carrepsa/packages/"),
                ("wallet", "/carrepsa/wallet"), ("notification", "/notifications"),
            ]
            for row in try tx.rows("SELECT id FROM account") {
                let person: PersonID = try row.get("id")
                for (kind, resource) in changed {
                    try tx.publish(
                        ChangeEvent(audience: person, kind: kind, resource: resource, version: 0, at: now)
                    )
                }
            }
        }
    }

    /// Rejects a ledger that was made with another key, before anything uses it.
    func checkLedgerKey(in tx: Transaction) throws {
        do {
            try ledger.checkKey(in: tx)
        } catch LedgerError.wrongKey {
            throw SettingError(
                .data,
                "the ledger in the database was made with another key than ledger.key here; put the right file there"
            )
        }
    }
}
