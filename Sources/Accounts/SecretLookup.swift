package import Kernel
package import Storage

/// Finds the rows of secrets in the addresses of public pages. Unknown secrets count for the client's network.
package struct SecretLookup: Sendable {
    let database: Database
    let clock: any WallClock
    let throttle: Throttle

    /// - Parameter scope: Separates the counts of different kinds of pages.
    package init(scope: String, database: Database, clock: any WallClock) {
        self.database = database
        self.clock = clock
        throttle = Throttle(
            scope: scope, limit: Limits.publicSecretFailures, windowSeconds: Limits.throttleSeconds)
    }

    /// Returns what `body` finds for the hash of a secret.
    /// - Throws: `AppError`: `notFound`; `throttled`.
    package func find<Found: Sendable>(
        _ secret: String, clientAddress: String,
        _ body: @escaping @Sendable ([UInt8], Transaction) throws -> Found?
    ) async throws -> Found {
        let now = clock.now
        let network = ClientNetwork.key(clientAddress)
        let throttle = throttle
        let found = try await database.read { tx in
            try throttle.check(network, now: now, in: tx)
            return try Token.hash(shown: secret).flatMap { try body($0, tx) }
        }
        if let found { return found }
        try await database.write { tx in try throttle.fail(network, now: now, in: tx) }
        throw AppError.notFound
    }
}
