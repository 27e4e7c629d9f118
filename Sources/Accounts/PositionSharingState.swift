package import Kernel
package import Storage
import Synchronization

/// Stores in a person's account until when they share their position, so that every page can show it without another
/// query. Tracking needs it before the services of accounts exist, which register their cache when they are created.
package final class PositionSharingState: Sendable {
    private let cache = Mutex<SessionCache?>(nil)

    package init() {}

    func register(_ cache: SessionCache) { self.cache.withLock { $0 = cache } }

    /// Locks the account until the transaction ends, so that the changes of one person's sharing happen one after
    /// another.
    package func lock(_ person: PersonID, in tx: Transaction) throws {
        _ = try tx.row("SELECT id FROM account WHERE id = \(person) \(sql: tx.forChange)")
    }

    /// Stores the end of the sharing and publishes an event for open pages.
    /// - Parameter until: `nil` for a person who doesn't share their position.
    package func set(_ until: Instant?, of person: PersonID, now: Instant, in tx: Transaction) throws {
        try tx.execute("UPDATE account SET position_shared_until = \(until) WHERE id = \(person)")
        try tx.publish(
            ChangeEvent(audience: person, kind: "account", resource: Self.resource, version: 0, at: now))
        let cache = cache.withLock { $0 }
        tx.afterCommit { cache?.drop(person) }
    }

    private static let resource = "/account/position-sharing"
}

extension AccountServices {
    static let positionSharingMigration = Migration(
        module: "accounts", name: "0018-position-sharing",
        sql: """
            ALTER TABLE account ADD COLUMN position_shared_until {integer};
            CREATE INDEX account_by_position_sharing ON account (position_shared_until)
                WHERE position_shared_until IS NOT NULL
            """
    )
}
