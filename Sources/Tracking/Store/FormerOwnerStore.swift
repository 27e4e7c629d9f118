import Kernel
import Storage
import TrackerProtocol

/// A tracker's owner as shown to a finder; the table `former_owner` holds the owners of released trackers.
enum FormerOwnerStore {
    /// The present owner's contact, or the former owner's for a tracker that has not confirmed its release.
    static func contact(of tracker: StoredTracker, in tx: Transaction) throws -> MaskedContact? {
        guard let item = tracker.itemID else {
            return try tx.row("SELECT contact FROM former_owner WHERE tracker_id = \(tracker.id)")?.get("contact")
        }
        return try ItemStore.served(item, in: tx).flatMap { try contact(of: $0.owner, in: tx) }
    }

    /// Stores an owner's contact for `Limits.formerOwnerSeconds`.
    static func store(_ owner: PersonID, of tracker: TrackerID, now: Instant, in tx: Transaction) throws {
        guard let contact = try contact(of: owner, in: tx) else { return }
        try tx.execute(
            """
            INSERT INTO former_owner (tracker_id, contact, expires_at)
            VALUES (\(tracker), \(contact), \(now.adding(seconds: Limits.formerOwnerSeconds)))
            ON CONFLICT (tracker_id) DO UPDATE SET contact = excluded.contact, expires_at = excluded.expires_at
            """
        )
    }

    static func prune(now: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM former_owner WHERE expires_at <= \(now)")
    }

    private static func contact(of person: PersonID, in tx: Transaction) throws -> MaskedContact? {
        guard let row = try tx.row("SELECT email, phone FROM account WHERE id = \(person)") else { return nil }
        return MaskedContact(email: try row.get("email"), phone: try row.get("phone"))
    }
}
