package import Accounts
import Crypto
package import Kernel
import Storage

/// The error that `body` ends in; any that is none of ours counts as an internal one. A target that has a function of
/// that name for itself means its own.
@_disfavoredOverload
package func refusal(_ body: () async throws -> Void) async -> AppError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? AppError ?? AppError(.internal, "\(error)")
    }
}

/// The codes of what went wrong when all of `bodies` ran at once; `nil` for what went well.
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
    /// A change under a client's key.
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
