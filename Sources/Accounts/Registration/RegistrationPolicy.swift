import Foundation
import Kernel
import Storage

/// The rules for the creation of accounts.
package struct RegistrationPolicy: Sendable, Equatable {
    /// The setting for who can register.
    package enum Mode: String, Sendable, CaseIterable {
        /// Everyone can register.
        case open
        /// Registration requires a household's invitation.
        case invitation
        /// Only the administrator creates accounts.
        case closed
    }

    package let mode: Mode
    /// The number of accounts that one network can create in ``Limits/registrationThrottleSeconds``.
    package let perHour: Int

    package init(mode: Mode = .open, perHour: Int = Limits.registrationsPerHour) {
        self.mode = mode
        self.perHour = perHour
    }
}

/// The path of the page on which a household's invitation is accepted. It preserves the code through sign-in and
/// registration.
package enum InvitationPath {
    private static let folder = "/family/invitations/"

    /// Returns the invitation's code; `nil` for any other path.
    package static func code(in path: String) -> String? {
        guard path.hasPrefix(folder) else { return nil }
        let code = path.dropFirst(folder.count).prefix { $0 != "?" && $0 != "#" }
        guard !code.isEmpty, !code.contains("/") else { return nil }
        return String(code).removingPercentEncoding
    }
}

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

extension AccountService {
    package var registration: RegistrationPolicy.Mode { policy.mode }

    /// Rejects early, before the costly part, a request that ``permit(_:now:in:)`` would reject. Counts unknown
    /// invitations.
    /// - Throws: ``AppError``: `forbidden` where registration is closed or needs another invitation; `throttled`.
    func refuseEarly(_ newcomer: Newcomer) async throws {
        guard policy.mode != .closed else { throw AppError(.forbidden, .registrationClosed) }
        let now = clock.now
        let isWelcome = try await database.read { [self] tx in
            try registrationThrottle.check(newcomer.network, now: now, in: tx)
            guard policy.mode == .invitation else { return true }
            try invitationThrottle.check(newcomer.network, now: now, in: tx)
            return try newcomer.invitation.map { try isInvitation($0, now: now, in: tx) } ?? false
        }
        guard !isWelcome else { return }
        if newcomer.invitation != nil {
            try await database.write { [self] tx in try invitationThrottle.fail(newcomer.network, now: now, in: tx) }
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

/// The table `registration_invitation`: invitations used for a registration. Each is valid for one account.
enum RegistrationStore {
    static func isUsed(_ code: String, in tx: Transaction) throws -> Bool {
        try tx.row("SELECT 1 AS found FROM registration_invitation WHERE code_hash = \(hash(code))") != nil
    }

    /// - Returns: false when another registration has used it since.
    static func use(_ code: String, now: Instant, in tx: Transaction) throws -> Bool {
        let expiry = now.adding(seconds: Limits.invitationSeconds)
        return try tx.execute(
            """
            INSERT INTO registration_invitation (code_hash, expires_at) VALUES (\(hash(code)), \(expiry))
            ON CONFLICT (code_hash) DO NOTHING
            """
        ) == 1
    }

    static func deleteExpired(now: Instant, in tx: Transaction) throws {
        try tx.execute("DELETE FROM registration_invitation WHERE expires_at <= \(now)")
    }

    private static func hash(_ code: String) -> [UInt8] {
        Token.hash(code.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
