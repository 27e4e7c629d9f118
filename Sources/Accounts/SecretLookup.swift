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
    /// - Parameter isKnown: whether the secret is one that the server created. It isn't a guess, so it doesn't count if
    ///   it has ended.
    /// - Throws: `AppError`: `notFound`; `throttled` unless the secret is known.
    package func find<Found: Sendable>(
        _ secret: String, clientAddress: String, isKnown: Bool = false,
        _ body: @escaping @Sendable ([UInt8], Transaction) throws -> Found?
    ) async throws -> Found {
        let now = clock.now
        let network = ClientNetwork.key(clientAddress)
        let throttle = throttle
        let found = try await database.read { tx in
            if !isKnown { try throttle.check(network, now: now, in: tx) }
            return try Token.hash(shown: secret).flatMap { try body($0, tx) }
        }
        if let found { return found }
        if !isKnown { try await database.write { tx in try throttle.fail(network, now: now, in: tx) } }
        throw AppError.notFound
    }
}
