import Accounts
import Kernel
import Storage

/// Verifies sign-in codes and invitations. Wrong codes are counted for each address.
struct FamilyCodeVerifier: Sendable {
    let database: Database
    let clock: any WallClock
    let throttle = Throttle(
        scope: "family-code", limit: Limits.familyCodeFailures, windowSeconds: Limits.throttleSeconds)

    /// Verifies a code in a write transaction. `body` returns `nil` for a wrong code, which is counted for the client's
    /// address.
    func verify<T: Sendable>(
        _ code: String?, from clientAddress: String, _ unknown: FamilyMessage,
        _ body: @escaping @Sendable ([UInt8], Transaction) throws -> T?
    ) async throws -> T {
        guard let code, !code.allSatisfy(\.isWhitespace) else {
            throw AppError(.invalid, .codeMissing, field: "code")
        }
        let now = clock.now
        let address = ClientNetwork.key(clientAddress)
        do {
            let found = try await database.write { tx -> T? in
                try throttle.check(address, now: now, in: tx)
                if let hash = FamilyCode.hash(shown: code), let found = try body(hash, tx) { return found }
                try throttle.fail(address, now: now, in: tx)
                return nil
            }
            guard let found else { throw AppError(.notFound, unknown) }
            return found
        } catch let error as AppError where error.code == .throttled {
            throw AppError(
                .throttled, FamilyMessage.codeThrottled.text, retryAfterSeconds: error.retryAfterSeconds
            )
        }
    }
}
