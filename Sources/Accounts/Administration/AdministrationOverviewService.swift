import Jobs
import Kernel
import Storage

/// The figures of the administrator's start page, read together.
package struct AdministrationOverviewService: Sendable {
    let database: Database
    let settings: RegistrationSettingsService
    let deadJobs: DeadJobService
    /// Counts the packages in dispute that the administrator can decide.
    let disputeCount: @Sendable (PersonID, Transaction) throws -> Int
    let clock: any WallClock

    /// The figures at one instant.
    package struct Figures: Sendable, Equatable {
        package let registration: RegistrationSettingsService.Details
        package let openInvitationCount: Int
        /// Whether anyone else has an account.
        package let hasOtherAccounts: Bool
        /// As last counted.
        package let deadJobCount: Int
        package let disputeCount: Int
        /// The newest version that the server found; `nil` where it doesn't look for one.
        package let latestVersion: String?
    }

    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator.
    package func figures(for actor: Actor) async throws -> Figures {
        let now = clock.now
        return try await database.read { tx in
            _ = try AdministratorPolicy.require(actor, in: tx)
            return Figures(
                registration: try settings.details(in: tx),
                openInvitationCount: try ServerInvitationStore.count(now: now, in: tx),
                hasOtherAccounts: try AccountStore.newest(nil, before: nil, limit: 2, in: tx).count > 1,
                deadJobCount: deadJobs.queues.map(\.status.deadCount).reduce(0, +),
                disputeCount: try disputeCount(actor.person, tx),
                latestVersion: try ServerSettingStore.value(of: .latestVersion, in: tx))
        }
    }
}
