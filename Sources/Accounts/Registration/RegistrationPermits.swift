import Kernel
import Storage

/// A person who registers.
struct Newcomer: Sendable {
    /// The client's network; see ``ClientNetwork``.
    let network: String
    /// The code of a household's invitation, as the client sent it.
    let invitation: String?
}

/// The permission to insert one account. Only this file can grant it, so every registration passes the policy.
struct AccountPermit {
    fileprivate init() {}

    /// The administrator creates the account on the command line.
    static let administrator = AccountPermit()
    /// A parent creates a child's account.
    static let parent = AccountPermit()
}

/// Decides who may register: the ``RegistrationPolicy``, the limit for each network, and the invitations of the apps.
struct RegistrationPermits: Sendable {
    private let policy: RegistrationPolicy
    private let database: Database
    private let dataHandlers: [any AccountDataHandler]
    private let clock: any WallClock
    private let registrationThrottle: Throttle
    private let invitationThrottle = Throttle(
        scope: "registration-invitation", limit: Limits.invitationFailures, windowSeconds: Limits.throttleSeconds
    )

    /// Whether registration is closed.
    var isClosed: Bool { policy.mode == .closed }

    init(
        policy: RegistrationPolicy, database: Database, dataHandlers: [any AccountDataHandler], clock: any WallClock
    ) {
        self.policy = policy
        self.database = database
        self.dataHandlers = dataHandlers
        self.clock = clock
        registrationThrottle = Throttle(
            scope: "registration", limit: policy.perHour, windowSeconds: Limits.registrationThrottleSeconds,
            message: .registrationsThrottled
        )
    }

    /// Rejects early, before the costly part, a request that ``permit(_:now:in:)`` would reject. Counts unknown
    /// invitations.
    /// - Throws: ``AppError``: `forbidden` where registration is closed or needs another invitation; `throttled`.
    func check(_ newcomer: Newcomer) async throws {
        guard !isClosed else { throw AppError(.forbidden, .registrationClosed) }
        let now = clock.now
        let isPermitted = try await database.read { tx in
            try registrationThrottle.check(newcomer.network, now: now, in: tx)
            guard policy.mode == .invitation else { return true }
            try invitationThrottle.check(newcomer.network, now: now, in: tx)
            return try newcomer.invitation.map { try isInvitation($0, now: now, in: tx) } ?? false
        }
        guard !isPermitted else { return }
        if newcomer.invitation != nil {
            try await database.write { tx in try invitationThrottle.fail(newcomer.network, now: now, in: tx) }
        }
        throw Self.missingInvitation(of: newcomer)
    }

    /// Permits one account, in the transaction that inserts it. Counts the registration and uses up the invitation.
    /// - Throws: ``AppError``: `forbidden` where registration is closed or needs another invitation; `throttled`.
    func permit(_ newcomer: Newcomer, now: Instant, in tx: Transaction) throws -> AccountPermit {
        switch policy.mode {
        case .open: break
        case .closed: throw AppError(.forbidden, .registrationClosed)
        case .invitation:
            guard let code = newcomer.invitation, try isInvitation(code, now: now, in: tx),
                try RegistrationStore.use(code, now: now, in: tx)
            else { throw Self.missingInvitation(of: newcomer) }
        }
        try registrationThrottle.fail(newcomer.network, now: now, in: tx)
        return AccountPermit()
    }

    private static func missingInvitation(of newcomer: Newcomer) -> AppError {
        let isGiven = newcomer.invitation?.contains { !$0.isWhitespace } ?? false
        return AppError(.forbidden, isGiven ? .invitationInvalid : .invitationNeeded)
    }

    /// Returns whether an app issued the invitation, and it wasn't used for a registration.
    private func isInvitation(_ code: String, now: Instant, in tx: Transaction) throws -> Bool {
        guard try !RegistrationStore.isUsed(code, in: tx) else { return false }
        for dataHandler in dataHandlers where try dataHandler.invites(code, now: now, in: tx) { return true }
        return false
    }
}
