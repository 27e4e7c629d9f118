package import Accounts
package import Kernel

/// Cancelling a delivery after the pickup, which needs owner and carrier.
package struct CancellationService: Sendable {
    let commands: PackageCommandExecutor

    /// Requests the cancellation of the delivery. If the other person has requested it too, cancels the delivery and
    /// returns reward and deposit.
    /// - Throws: `AppError`: `notFound`, `conflict`, `forbidden`.
    package func request(_ id: ID<Package>, by change: Change) async throws -> PackageDetails {
        try await commands.execute(.requestCancellation, on: id, status: 201, by: change)
    }

    /// Retracts the actor's cancellation request.
    /// - Throws: `AppError`: `notFound`, `conflict`, `forbidden`.
    package func retract(_ id: ID<Package>, by change: Change) async throws -> PackageDetails {
        try await commands.execute(.retractCancellation, on: id, status: 200, by: change)
    }
}
