package import Kernel
import Storage

/// An administrator's invitation to create one account.
package struct ServerInvitation: Sendable, Equatable {
    package let id: ID<ServerInvitation>
    /// The address that the invitation was mailed to; `nil` if it wasn't.
    package let email: String?
    /// The name of the administrator who created it; `nil` if that account was deleted.
    package let creator: String?
    package let createdAt: Instant
    package let expiresAt: Instant
}

/// A new invitation with its secret, which is shown once.
package struct NewServerInvitation: Sendable, Equatable {
    package let invitation: ServerInvitation
    package let code: String
    /// The address of the page on which an account is created.
    package let url: String
}

/// The table `server_invitation`.
enum ServerInvitationStore {
    static func insert(
        _ invitation: ServerInvitation, code: String, by administrator: Administrator, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO server_invitation (id, code_hash, email, created_by, created_at, expires_at) VALUES (
                \(invitation.id), \(Token.hash(code)), \(invitation.email), \(administrator.person),
                \(invitation.createdAt), \(invitation.expiresAt)
            )
            """
        )
    }

    static func isValid(_ code: String, now: Instant, in tx: Transaction) throws -> Bool {
        guard let hash = Token.hash(shown: code) else { return false }
        let found = try tx.row(
            "SELECT 1 AS found FROM server_invitation WHERE code_hash = \(hash) AND expires_at > \(now)")
        return found != nil
    }

    /// Uses up an invitation.
    /// - Returns: false for an unknown, expired or used code.
    static func consume(_ code: String, now: Instant, in tx: Transaction) throws -> Bool {
        guard let hash = Token.hash(shown: code) else { return false }
        return try tx.executeCounting(
            "DELETE FROM server_invitation WHERE code_hash = \(hash) AND expires_at > \(now)") == 1
    }

    /// - Returns: false for an unknown invitation.
    static func delete(_ id: ID<ServerInvitation>, in tx: Transaction) throws -> Bool {
        try tx.executeCounting("DELETE FROM server_invitation WHERE id = \(id)") == 1
    }

    /// Deletes the invitations of a person who is no longer an administrator.
    static func deleteAll(of person: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM server_invitation WHERE created_by = \(person)")
    }

    static func count(now: Instant, in tx: Transaction) throws -> Int {
        try tx.row("SELECT COUNT(*) AS count FROM server_invitation WHERE expires_at > \(now)")?.get("count") ?? 0
    }

    /// Returns the invitations that can be used, the newest first. There are at most ``Limits/serverInvitations``.
    static func list(now: Instant, in tx: Transaction) throws -> [ServerInvitation] {
        try tx.rows(
            """
            SELECT invitation.id, invitation.email, account.name AS creator, invitation.created_at,
                invitation.expires_at
            FROM server_invitation AS invitation LEFT JOIN account ON account.id = invitation.created_by
            WHERE invitation.expires_at > \(now) ORDER BY invitation.id DESC LIMIT \(Limits.serverInvitations)
            """
        ).map { row in
            ServerInvitation(
                id: try row.get("id"), email: try row.get("email"), creator: try row.get("creator"),
                createdAt: try row.get("created_at"), expiresAt: try row.get("expires_at"))
        }
    }

    static func deleteExpired(now: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM server_invitation WHERE expires_at <= \(now)")
    }
}
