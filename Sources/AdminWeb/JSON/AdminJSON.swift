import Accounts
import Jobs
import Kernel
import WebCore

/// An account, as administrators see it.
struct AdministeredAccountJSON: Encodable {
    let id: PersonID
    let name: String
    @Nullable var email: String?
    let role: String
    let administrator: Bool
    @Nullable var disabledAt: Instant?
    let createdAt: Instant
    let version: Int64

    init(_ account: Account) {
        id = account.id
        name = account.name
        email = account.email
        role = account.role.rawValue
        administrator = account.isOperator
        disabledAt = account.disabledAt
        createdAt = account.createdAt
        version = account.version
    }
}

/// A link for a new password, which the server shows once.
struct ResetLinkJSON: Encodable {
    let url: String
}

/// Who can create an account.
struct RegistrationSettingsJSON: Encodable {
    let registration: String
    /// Whether `HOMEWARD_REGISTRATION` prescribes it.
    let fixed: Bool

    init(_ details: RegistrationSettingsService.Details) {
        registration = details.mode.rawValue
        fixed = details.isFixed
    }
}

/// An administrator's invitation.
struct ServerInvitationJSON: Encodable {
    let id: ID<ServerInvitation>
    @Nullable var email: String?
    @Nullable var createdBy: String?
    let createdAt: Instant
    let expiresAt: Instant

    init(_ invitation: ServerInvitation) {
        id = invitation.id
        email = invitation.email
        createdBy = invitation.creator
        createdAt = invitation.createdAt
        expiresAt = invitation.expiresAt
    }
}

/// A new invitation with its secret.
struct NewServerInvitationJSON: Encodable {
    let id: ID<ServerInvitation>
    let code: String
    let url: String
    let expiresAt: Instant

    init(_ new: NewServerInvitation) {
        id = new.invitation.id
        code = new.code
        url = new.url
        expiresAt = new.invitation.expiresAt
    }
}

/// A job that failed its last attempt.
struct DeadJobJSON: Encodable {
    let id: ID<NewJob>
    let lane: String
    let kind: String
    let subject: String
    let attempts: Int
    let queuedAt: Instant
    let diedAt: Instant
    @Nullable var lastError: String?
    let retryable: Bool

    init(_ job: DeadJob) {
        id = job.id
        lane = job.lane
        kind = job.kind
        subject = job.subject
        attempts = job.attempts
        queuedAt = job.queuedAt
        diedAt = job.diedAt
        lastError = job.lastError
        retryable = job.isRetryable
    }
}

/// An act of an administrator.
struct AuditEntryJSON: Encodable {
    let id: ID<AuditEntry>
    let at: Instant
    @Nullable var actorId: PersonID?
    let action: String
    @Nullable var subject: String?
    @Nullable var detail: String?

    init(_ entry: AuditEntry) {
        id = entry.id
        at = entry.at
        actorId = entry.actor
        action = entry.actionName
        subject = entry.subject
        detail = entry.detail
    }
}
