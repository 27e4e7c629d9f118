package import Accounts
package import Kernel
import Storage

/// The handovers of a package: codes, pickup and delivery.
package struct HandoverService: Sendable {
    let database: Database
    let memberships: MembershipService
    let codes: HandoverCodes
    let commands: PackageCommandExecutor
    let clock: any WallClock
    let random: any RandomSource

    /// Creates the code that the other person enters to prove the handover. It invalidates the actor's previous code
    /// and is valid for ``Limits/handoverCodeSeconds``, as long as the handover is due.
    /// - Throws: `AppError`: `notFound`; `forbidden` if the actor may see the package but isn't owner or carrier;
    ///   `conflict` if this handover isn't due.
    package func createCode(_ id: ID<Package>, step: HandoverStep, by actor: Actor) async throws -> HandoverCode {
        try await memberships.ensureWallet(of: actor)
        let now = clock.now
        let code = HandoverCodes.randomCode(random)
        let expiry = now.adding(seconds: Limits.handoverCodeSeconds)
        try await database.write { [codes] tx in
            try codes.store(code, package: id, step: step, by: actor.person, expiresAt: expiry, now: now, in: tx)
        }
        return HandoverCode(code: code, step: step, expiresAt: expiry)
    }

    /// Confirms that the carrier has the package.
    /// - Parameter code: the other person's handover code; optional for the owner.
    /// - Throws: `AppError`: `notFound`, `conflict`, `forbidden`; `invalid` at `code`; `throttled` after
    ///   ``Limits/handoverFailures`` wrong codes.
    package func confirmPickup(_ id: ID<Package>, code: String?, by change: Change) async throws -> PackageDetails {
        let proof = PackageCommand.Proof(step: .pickup, code: HandoverCodes.normalized(code))
        return try await commands.execute(.confirmPickup, on: id, status: 201, by: change) { $0.proof = proof }
    }

    /// Confirms the delivery and pays deposit and reward to the carrier.
    /// - Parameter code: the other person's handover code; optional for the owner.
    /// - Throws: the errors of ``confirmPickup(_:code:by:)``.
    package func confirmDelivery(_ id: ID<Package>, code: String?, by change: Change) async throws -> PackageDetails {
        let proof = PackageCommand.Proof(step: .delivery, code: HandoverCodes.normalized(code))
        return try await commands.execute(.confirmDelivery, on: id, status: 201, by: change) { $0.proof = proof }
    }

    /// Reports the delivery as the carrier and notifies the owner. If the owner doesn't respond for
    /// ``Limits/deliveryReportSeconds``, the scheduled job opens a dispute.
    /// - Throws: `AppError`: `notFound`, `conflict`, `forbidden`.
    package func reportDelivery(_ id: ID<Package>, by change: Change) async throws -> PackageDetails {
        try await commands.execute(.reportDelivery, on: id, status: 201, by: change)
    }
}
