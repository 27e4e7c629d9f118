import Accounts
import Kernel
import Storage

extension Services {
    /// Replaces the store's content by a backup's, and tells everybody's open pages to look again.
    /// - Returns: where the content from before was put.
    /// - Throws: ``StorageError/backup(_:)`` for a file that is no backup of ours.
    package func restore(from path: String) async throws -> String {
        let now = clock.now
        return try await database.restore(from: path) { tx in
            for row in try tx.rows("SELECT id FROM account") {
                let person: PersonID = try row.get("id")
                for (kind, resource) in [("account", "/account"), ("item", "/tracking/items")] {
                    try tx.publish(
                        ChangeEvent(audience: person, kind: kind, resource: resource, version: 0, at: now)
                    )
                }
            }
        }
    }
}
