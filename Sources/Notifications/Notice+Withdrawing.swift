package import Kernel
package import Storage

extension Notice {
    /// Takes everything that somebody was told of a thing out of their feed, in the caller's own transaction: the thing is
    /// gone, and every trace of it goes. What a device has shown stays there.
    package static func withdraw(
        about resource: String, from person: PersonID, at now: Instant, in tx: Transaction
    ) throws {
        let withdrawn = try tx.execute(
            "DELETE FROM notice WHERE account_id = \(person) AND resource = \(resource)"
        )
        if withdrawn > 0 { try FeedEvent.publish(to: person, at: now, in: tx) }
    }
}
