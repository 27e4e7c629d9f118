import Kernel
import Storage
import TrackerProtocol

/// Who owns a tracker, as far as its finder may know; the table `former_owner` holds that of trackers that were let go.
enum OwnerStore {
    /// The present owner's contact; the former one's of a tracker that hasn't heard yet that it was let go.
    static func contact(of tracker: StoredTracker, in tx: Transaction) throws -> MaskedContact? {
        guard let item = tracker.itemID else {
            return try tx.row("SELECT contact FROM former_owner WHERE tracker_id = \(tracker.id)")?.get("contact")
        }
        return try ItemStore.served(item, in: tx).flatMap { try contact(of: $0.owner, in: tx) }
    }

    /// Keeps an owner's contact, for `Limits.formerOwnerSeconds`.
    static func keep(_ owner: PersonID, of tracker: TrackerID, now: Instant, in tx: Transaction) throws {
        guard let contact = try contact(of: owner, in: tx) else { return }
        _ = try tx.execute(
            """
            INSERT INTO former_owner (tracker_id, contact, expires_at)
            VALUES (\(tracker), \(contact), \(now.adding(seconds: Limits.formerOwnerSeconds)))
            ON CONFLICT (tracker_id) DO UPDATE SET contact = excluded.contact, expires_at = excluded.expires_at
            """
        )
    }

    static func prune(now: Instant, in tx: Transaction) throws {
        _ = try tx.execute("DELETE FROM former_owner WHERE expires_at <= \(now)")
    }

    private static func contact(of person: PersonID, in tx: Transaction) throws -> MaskedContact? {
        guard let row = try tx.row("SELECT email, phone FROM account WHERE id = \(person)") else { return nil }
        return MaskedContact(email: try row.get("email"), phone: try row.get("phone"))
    }
}
