package import Kernel
package import Storage

extension Notice {
    /// Deletes a person's notifications about a deleted object in the caller's transaction. Devices may still show
    /// their push messages.
    package static func withdraw(
        about resource: String, from person: PersonID, at now: Instant, in tx: Transaction
    ) throws {
        let withdrawn = try tx.executeCounting(
            "DELETE FROM notice WHERE account_id = \(person) AND resource = \(resource)"
        )
        if withdrawn > 0 { try FeedEvent.publish(to: person, at: now, in: tx) }
    }
}
