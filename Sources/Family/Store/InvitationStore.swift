import Kernel
import Storage

/// A row of `family_invitation`.
struct StoredInvitation: Sendable, Hashable {
    let id: ID<Invitation>
    let household: ID<Household>
    let invitedBy: PersonID
}

/// The table `family_invitation`: the hashes of open invitations. A used invitation is deleted.
enum InvitationStore {
    static func insert(
        _ invitation: StoredInvitation, hash: [UInt8], expiresAt: Instant, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO family_invitation (id, hash, household_id, invited_by, expires_at)
            VALUES (\(invitation.id), \(hash), \(invitation.household), \(invitation.invitedBy), \(expiresAt))
            """
        )
    }

    static func find(hash: [UInt8], now: Instant, in tx: Transaction) throws -> StoredInvitation? {
        try tx.row(
            "SELECT id, household_id, invited_by FROM family_invitation WHERE hash = \(hash) AND expires_at > \(now)"
        ).map { row in
            StoredInvitation(
                id: try row.get("id"), household: try row.get("household_id"), invitedBy: try row.get("invited_by")
            )
        }
    }

    /// Returns the invitations that aren't expired, newest first.
    static func open(
        of household: ID<Household>, now: Instant, in tx: Transaction
    ) throws -> [(id: ID<Invitation>, by: PersonID, expiresAt: Instant)] {
        try tx.rows(
            """
            SELECT id, invited_by, expires_at FROM family_invitation
            WHERE household_id = \(household) AND expires_at > \(now)
            ORDER BY id DESC LIMIT \(Limits.openInvitations)
            """
        ).map { (try $0.get("id"), try $0.get("invited_by"), try $0.get("expires_at")) }
    }

    /// Deletes the oldest invitations beyond `limit`.
    static func deleteBeyond(_ limit: Int, of household: ID<Household>, in tx: Transaction) throws {
        try tx.execute(
            """
            DELETE FROM family_invitation WHERE household_id = \(household) AND id NOT IN (
                SELECT id FROM family_invitation WHERE household_id = \(household) ORDER BY id DESC LIMIT \(limit)
            )
            """
        )
    }

    static func delete(_ id: ID<Invitation>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_invitation WHERE id = \(id)")
    }

    static func deleteAll(by person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_invitation WHERE invited_by = \(person)")
    }

    static func prune(now: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM family_invitation WHERE expires_at <= \(now)")
    }
}
