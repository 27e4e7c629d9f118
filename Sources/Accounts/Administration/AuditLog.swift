package import Kernel
import Storage

/// What an administrator did.
package enum AuditAction: String, Sendable, CaseIterable {
    case setUp = "set-up"
    case changeRegistration = "change-registration"
    case invite
    case revokeInvitation = "revoke-invitation"
    case createAccount = "create-account"
    case disableAccount = "disable-account"
    case enableAccount = "enable-account"
    case endSessions = "end-sessions"
    case createResetLink = "create-reset-link"
    case grantAdministrator = "grant-administrator"
    case revokeAdministrator = "revoke-administrator"
    case deleteAccount = "delete-account"
    case retryJob = "retry-job"
    case sendTestMail = "send-test-mail"
    case testProvider = "test-provider"
    case sendTestPush = "send-test-push"
    case topUpWallet = "top-up-wallet"
    case payOutWallet = "pay-out-wallet"
    case declinePayout = "decline-payout"
    case changePaymentInstructions = "change-payment-instructions"
    case verifyLedger = "verify-ledger"
    case changeQuota = "change-quota"
}

/// One act of an administrator. It names people by id only, so that nothing else remains of a deleted account.
package struct AuditEntry: Sendable, Equatable {
    package let id: ID<AuditEntry>
    package let at: Instant
    /// `nil` for the command line.
    package let actor: PersonID?
    /// The actor's name; `nil` if the account was deleted, and for the command line.
    package let actorName: String?
    /// The stored name of the action. A later version may have recorded one that this version doesn't know.
    package let actionName: String
    /// The id of the account, invitation or job.
    package let subject: String?
    /// The name of the account that ``subject`` identifies; `nil` for other subjects and deleted accounts.
    package let subjectName: String?
    /// What was chosen, such as the mode of registration.
    package let detail: String?

    package var action: AuditAction? { AuditAction(rawValue: actionName) }
}

/// Records the acts of administrators, each in the transaction of the act.
struct AuditLog: Sendable {
    let random: any RandomSource

    func record(
        _ action: AuditAction, subject: String? = nil, detail: String? = nil, by administrator: Administrator,
        now: Instant, in tx: Transaction
    ) throws {
        let id = ID<AuditEntry>(at: now, random: random)
        try tx.execute(
            """
            INSERT INTO audit_entry (id, at, actor_id, action, subject, detail)
            VALUES (\(id), \(now), \(administrator.person), \(action.rawValue), \(subject), \(detail))
            """
        )
    }

    /// Deletes up to ``Limits/auditPruneBatch`` entries that are older than ``Limits/auditDays``.
    /// - Returns: the number of deleted entries.
    static func prune(now: Instant, in tx: Transaction) throws -> Int {
        let secondsPerDay: Int64 = 24 * 60 * 60
        return try tx.executeCounting(
            """
            DELETE FROM audit_entry WHERE id IN (
                SELECT id FROM audit_entry WHERE at < \(now.adding(seconds: -Limits.auditDays * secondsPerDay))
                ORDER BY at LIMIT \(Limits.auditPruneBatch)
            )
            """
        )
    }
}

/// Reads the acts of administrators.
package struct AuditLogReader: Sendable {
    let database: Database

    /// Returns a page of the entries, the newest first.
    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator; `invalid` for a malformed cursor.
    package func list(for actor: Actor, after cursor: String?, limit: Int) async throws -> ListPage<AuditEntry> {
        let request = try PageRequest<ID<AuditEntry>>(after: cursor, limit: limit)
        return try await database.read { tx in
            _ = try AdministratorPolicy.require(actor, in: tx)
            return request.page(try Self.entries(before: request.after, limit: request.rows, in: tx), \.id)
        }
    }

    private static func entries(before: ID<AuditEntry>?, limit: Int, in tx: Transaction) throws -> [AuditEntry] {
        let range: SQL = if let before { "WHERE entry.id < \(before)" } else { "" }
        return try tx.rows(
            """
            SELECT entry.id, entry.at, entry.actor_id, entry.action, entry.subject, entry.detail,
                actor.name AS actor_name, subject.name AS subject_name
            FROM audit_entry AS entry
            LEFT JOIN account AS actor ON actor.id = entry.actor_id
            LEFT JOIN account AS subject ON subject.id = entry.subject
            \(sql: range) ORDER BY entry.id DESC LIMIT \(limit)
            """
        ).map { row in
            AuditEntry(
                id: try row.get("id"), at: try row.get("at"), actor: try row.get("actor_id"),
                actorName: try row.get("actor_name"), actionName: try row.get("action"),
                subject: try row.get("subject"), subjectName: try row.get("subject_name"),
                detail: try row.get("detail"))
        }
    }
}
