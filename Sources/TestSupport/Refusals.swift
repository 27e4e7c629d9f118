package import Accounts
import Crypto
package import Kernel
import Storage

/// Returns the error that `body` throws, or `nil`. Any error that isn't an `AppError` counts as an internal one.
/// Disfavoured, so that a target's own function of this name takes precedence.
@_disfavoredOverload
package func refusal(_ body: () async throws -> Void) async -> AppError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? AppError ?? AppError(.internal, "\(error)")
    }
}

/// Runs all of `bodies` at once and returns their error codes; `nil` for success.
package func together(_ bodies: [@Sendable () async throws -> Void]) async -> [AppError.Code?] {
    await withTaskGroup(of: (Int, AppError.Code?).self) { group in
        for (index, body) in bodies.enumerated() {
            group.addTask { (index, await refusal(body)?.code) }
        }
        var codes = [AppError.Code?](repeating: nil, count: bodies.count)
        for await (index, code) in group { codes[index] = code }
        return codes
    }
}

extension Change {
    /// Returns a change with an idempotency key.
    package static func keyed(
        _ actor: Actor, method: String = "POST", _ path: String, _ key: String, body: String = ""
    ) -> Change {
        let digest = Array(SHA256.hash(data: Array(body.utf8)))
        let scope = IdempotencyScope(
            person: actor.person, method: method, path: path, key: key, bodyDigest: digest
        )
        return Change(actor: actor, idempotency: scope)
    }
}
