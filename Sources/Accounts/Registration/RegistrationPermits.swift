import Kernel
import Storage

/// A person who registers.
struct Newcomer: Sendable {
    /// The client's network; see ``ClientNetwork``.
    let network: String
    /// The code of an invitation, as the client sent it.
    let invitation: String?
}

/// The permission to insert one account. Only this file can grant it, so every registration passes the policy.
struct AccountPermit {
    fileprivate init() {}

    /// The administrator creates the account on the command line, or the first one in the set-up of a new server.
    static let administrator = AccountPermit()
    /// A parent creates a child's account.
    static let parent = AccountPermit()
}

/// Decides who may register: the ``RegistrationState``, the limit for each network, and the invitations.
struct RegistrationPermits: Sendable {
    private let states: RegistrationStateReader
    private let database: Database
    private let dataHandlers: [any AccountDataHandler]
    private let clock: any WallClock
    private let registrationThrottle: Throttle
    private let invitationThrottle = Throttle(
        scope: "registration-invitation", limit: Limits.invitationFailures, windowSeconds: Limits.throttleSeconds
    )

    /// - Parameter perHour: ``RegistrationPolicy/perHour``.
    init(
        states: RegistrationStateReader, perHour: Int, database: Database, dataHandlers: [any AccountDataHandler],
        clock: any WallClock
    ) {
        self.states = states
        self.database = database
        self.dataHandlers = dataHandlers
        self.clock = clock
        registrationThrottle = Throttle(
            scope: "registration", limit: perHour, windowSeconds: Limits.registrationThrottleSeconds,
            message: .registrationsThrottled
        )
    }

    /// Rejects early, before the costly part, a request that ``permit(_:now:in:)`` would reject. Counts unknown
    /// invitations.
    /// - Throws: ``AppError``: `forbidden` where registration is closed or needs another invitation; `throttled`.
    func check(_ newcomer: Newcomer) async throws {
        let now = clock.now
        let found = try await database.read { tx -> AppError? in
            try registrationThrottle.check(newcomer.network, now: now, in: tx)
            let state = try states.state(in: tx)
            if newcomer.hasInvitation, state != .mode(.open) {
                try invitationThrottle.check(newcomer.network, now: now, in: tx)
            }
            return try rejection(of: newcomer, at: state, now: now, in: tx)
        }
        guard let found else { return }
        if newcomer.hasInvitation {
            try await database.write { tx in try invitationThrottle.fail(newcomer.network, now: now, in: tx) }
        }
        throw found
    }

    /// Permits one account, in the transaction that inserts it. Counts the registration and uses up the invitation.
    /// - Throws: ``AppError``: `forbidden` where registration is closed or needs another invitation; `throttled`.
    func permit(_ newcomer: Newcomer, now: Instant, in tx: Transaction) throws -> AccountPermit {
        let state = try states.state(in: tx)
        if let rejection = try rejection(of: newcomer, at: state, now: now, in: tx) { throw rejection }
        if state != .mode(.open), let code = newcomer.invitation {
            // Of two registrations with the same invitation, one finds it used.
            guard
                try ServerInvitationStore.consume(code, now: now, in: tx)
                    || RegistrationStore.use(code, now: now, in: tx)
            else { throw AppError(.forbidden, .invitationInvalid) }
        }
        try registrationThrottle.fail(newcomer.network, now: now, in: tx)
        return AccountPermit()
    }

    /// Returns the error for a person who may not register; `nil` for one who may.
    private func rejection(
        of newcomer: Newcomer, at state: RegistrationState, now: Instant, in tx: Transaction
    ) throws -> AppError? {
        switch state {
        case .setUpRequired: return AppError(.forbidden, .setUpRequired)
        case .mode(.open): return nil
        case .mode(.invitation):
            guard newcomer.hasInvitation, let code = newcomer.invitation else {
                return AppError(.forbidden, .invitationNeeded)
            }
            let isValid =
                try ServerInvitationStore.isValid(code, now: now, in: tx) || isHouseholds(code, now: now, in: tx)
            return isValid ? nil : AppError(.forbidden, .invitationInvalid)
        case .mode(.closed):
            guard let code = newcomer.invitation, try ServerInvitationStore.isValid(code, now: now, in: tx) else {
                return AppError(.forbidden, .registrationClosed)
            }
            return nil
        }
    }

    /// Returns whether a household issued the invitation, and it wasn't used for a registration.
    private func isHouseholds(_ code: String, now: Instant, in tx: Transaction) throws -> Bool {
        guard try !RegistrationStore.isUsed(code, in: tx) else { return false }
        for dataHandler in dataHandlers where try dataHandler.invites(code, now: now, in: tx) { return true }
        return false
    }
}

extension Newcomer {
    fileprivate var hasInvitation: Bool { invitation?.contains { !$0.isWhitespace } ?? false }
}
