package import Accounts
package import Kernel

/// Accepting a package, and cancelling the acceptance before the pickup.
package struct AcceptanceService: Sendable {
    let commands: PackageCommandExecutor

    /// Accepts a package and puts the deposit into escrow, and the reward if it isn't there.
    /// - Throws: `AppError`: `notFound`; `forbidden` for an own package; `conflict` if it is no longer available or
    ///   its latest pickup has passed, if the version that the carrier read is stale, and if it is missing (status 428)
    ///   although the offer was edited; `insufficientFunds` at `moneyLock`; `rewardNotFunded` if the owner's balance
    ///   doesn't cover it.
    package func accept(_ id: ID<Package>, by change: Change) async throws -> PackageDetails {
        try await commands.execute(.accept, on: id, status: 201, by: change)
    }

    /// Cancels the acceptance before the pickup, as owner or carrier, and returns reward and deposit.
    /// - Throws: `AppError`: `notFound`, `conflict`, `forbidden`.
    package func cancel(_ id: ID<Package>, by change: Change) async throws -> PackageDetails {
        try await commands.execute(.cancelAcceptance, on: id, status: 200, by: change)
    }
}
