package import Kernel
package import Storage
import Synchronization

/// Reads who can register. Other nodes may change it, so it is never older than
/// ``Limits/registrationStateMilliseconds``.
package final class RegistrationStateReader: Sendable {
    private struct Known: Sendable {
        let state: RegistrationState
        let readAt: Instant
    }

    private let policy: RegistrationPolicy
    private let database: Database
    private let clock: any WallClock
    private let known = Mutex<Known?>(nil)

    package init(policy: RegistrationPolicy, database: Database, clock: any WallClock) {
        self.policy = policy
        self.database = database
        self.clock = clock
    }

    /// The mode that the settings prescribe; `nil` if administrators choose it.
    package var fixedMode: RegistrationPolicy.Mode? { policy.fixedMode }

    /// Returns the state for pages that offer registration. If the database can't be read, the last known one.
    package func current() async -> RegistrationState {
        if let fixed = policy.fixedMode { return .mode(fixed) }
        let now = clock.now
        if let known = known.withLock({ $0 }), Self.isFresh(known, now: now) { return known.state }
        guard let state = try? await database.read({ tx in try self.state(in: tx) }) else {
            return known.withLock { $0?.state } ?? .mode(.closed)
        }
        known.withLock { $0 = Known(state: state, readAt: now) }
        return state
    }

    /// Returns the state in the transaction of a registration.
    func state(in tx: Transaction) throws -> RegistrationState {
        if let fixed = policy.fixedMode { return .mode(fixed) }
        if let stored = try ServerSettingStore.value(of: .registration, in: tx),
            let mode = RegistrationPolicy.Mode(rawValue: stored)
        {
            return .mode(mode)
        }
        // An administrator who was named on the command line hasn't chosen yet.
        return try AccountStore.hasAdministrator(in: tx) ? .mode(.closed) : .setUpRequired
    }

    /// Makes the next reader read the state again.
    func forget() { known.withLock { $0 = nil } }

    /// Makes the next reader see a change of this node at once.
    func forgetAfterCommit(in tx: Transaction) {
        tx.afterCommit { [weak self] in self?.forget() }
    }

    private static func isFresh(_ known: Known, now: Instant) -> Bool {
        let age = now.millisecondsSince1970 - known.readAt.millisecondsSince1970
        return (0..<Limits.registrationStateMilliseconds).contains(age)
    }
}
