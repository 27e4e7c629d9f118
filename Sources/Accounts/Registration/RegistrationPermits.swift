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
        let rejection = try await database.read { tx -> AppError? in
            try registrationThrottle.check(newcomer.network, now: now, in: tx)
            let state = try states.state(in: tx)
            if newcomer.hasInvitation, state != .mode(.open) {
                try invitationThrottle.check(newcomer.network, now: now, in: tx)
            }
            let issuer = try issuer(of: newcomer, now: now, in: tx)
            do throws(AppError) {
                _ = try admission(of: newcomer, at: state, issuer: issuer)
                return nil
            } catch {
                return error
            }
        }
        guard let rejection else { return }
        if newcomer.hasInvitation {
            try await database.write { tx in try invitationThrottle.fail(newcomer.network, now: now, in: tx) }
        }
        throw rejection
    }

    /// Permits one account, in the transaction that inserts it. Counts the registration and uses up the invitation.
    /// - Throws: ``AppError``: `forbidden` where registration is closed or needs another invitation; `throttled`.
    func permit(_ newcomer: Newcomer, now: Instant, in tx: Transaction) throws -> AccountPermit {
        let state = try states.state(in: tx)
        let issuer = try issuer(of: newcomer, now: now, in: tx)
        let admission = try admission(of: newcomer, at: state, issuer: issuer)
        // On PostgreSQL, another transaction may use or revoke the invitation after it was read: then nothing is left
        // to use up. An invitation is for one account, even where registration needs none.
        let isUsedUp =
            switch issuer {
            case .server: try ServerInvitationStore.consume(newcomer.invitation ?? "", now: now, in: tx)
            case .household where admission == .byInvitation:
                try RegistrationStore.use(newcomer.invitation ?? "", now: now, in: tx)
            case .household, nil: false
            }
        guard admission == .open || isUsedUp else { throw AppError(.forbidden, .invitationInvalid) }
        try registrationThrottle.fail(newcomer.network, now: now, in: tx)
        return AccountPermit()
    }

    /// Why a person may register.
    private enum Admission {
        case open
        case byInvitation
    }

    /// Returns who issued the invitation; `nil` for none that can be used.
    private func issuer(
        of newcomer: Newcomer, now: Instant, in tx: Transaction
    ) throws -> InvitationPath.Issuer? {
        guard newcomer.hasInvitation, let code = newcomer.invitation else { return nil }
        if try ServerInvitationStore.isValid(code, now: now, in: tx) { return .server }
        return try isHouseholdInvitation(code, now: now, in: tx) ? .household : nil
    }

    /// - Throws: the error for a person who may not register.
    private func admission(
        of newcomer: Newcomer, at state: RegistrationState, issuer: InvitationPath.Issuer?
    ) throws(AppError) -> Admission {
        switch state {
        case .setUpRequired: throw AppError(.forbidden, .setUpRequired)
        case .mode(.open): return .open
        case .mode(.invitation):
            guard newcomer.hasInvitation else { throw AppError(.forbidden, .invitationNeeded) }
            guard issuer != nil else { throw AppError(.forbidden, .invitationInvalid) }
            return .byInvitation
        case .mode(.closed):
            guard issuer == .server else { throw AppError(.forbidden, .registrationClosed) }
            return .byInvitation
        }
    }

    /// Returns whether a household issued the invitation, and it wasn't used for a registration.
    private func isHouseholdInvitation(_ code: String, now: Instant, in tx: Transaction) throws -> Bool {
        guard try !RegistrationStore.isUsed(code, in: tx) else { return false }
        for dataHandler in dataHandlers where try dataHandler.invites(code, now: now, in: tx) { return true }
        return false
    }
}

extension Newcomer {
    fileprivate var hasInvitation: Bool { invitation?.contains { !$0.isWhitespace } ?? false }
}
