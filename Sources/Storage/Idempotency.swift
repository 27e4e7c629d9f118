import Crypto
package import Kernel

/// What makes two requests the same one: who, what, where, and the key that the client made.
package struct IdempotencyScope: Sendable, Hashable {
    /// Who asks.
    package let person: PersonID
    /// The method, such as `POST`.
    package let method: String
    /// The path, without the query.
    package let path: String
    /// The client's key.
    package let key: String
    /// A digest of the decoded fields: another body under the same key is refused.
    package let bodyDigest: [UInt8]

    /// Makes a scope.
    package init(person: PersonID, method: String, path: String, key: String, bodyDigest: [UInt8]) {
        self.person = person
        self.method = method
        self.path = path
        self.key = key
        self.bodyDigest = bodyDigest
    }

    /// A digest of method, path and key, so that their lengths don't matter to an index.
    var digest: [UInt8] {
        var hash = SHA256()
        for part in [method, path, key] {
            let bytes = Array(part.utf8)
            hash.update(data: withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { Array($0) })
            hash.update(data: bytes)
        }
        return Array(hash.finalize())
    }
}

/// How a change under an idempotency key went.
package enum Once: Sendable, Hashable {
    /// It was made now; holds the resource's id.
    case made(String)
    /// It had been made before; holds the resource's id of then.
    case replayed(String)

    /// The resource's id.
    package var resource: String {
        switch self {
        case .made(let resource), .replayed(let resource): resource
        }
    }

    /// Whether nothing was changed now.
    package var isReplay: Bool {
        switch self {
        case .made: false
        case .replayed: true
        }
    }
}

extension Transaction {
    /// Makes a change at most once for its scope, and remembers it in this transaction. A concurrent duplicate waits
    /// for the first.
    /// - Parameters:
    ///   - scope: `nil` when the client gave no key: the change is made.
    ///   - status: the 2xx that is answered.
    ///   - resource: the id of what is changed or made.
    /// - Throws: `AppError(.conflict)` when the key was used with another body; whatever `make` throws, after which
    ///   the transaction must not be committed.
    package func once(
        _ scope: IdempotencyScope?, status: Int, now: Instant, resource: String, make: () throws -> Void
    ) throws -> Once {
        if let scope {
            let claimed = try execute(
                Self.claim,
                [
                    scope.person.sqlValue, .blob(scope.digest), .blob(scope.bodyDigest), .integer(Int64(status)),
                    .text(resource), now.sqlValue,
                ]
            )
            if claimed == 0 {
                guard let earlier = try earlier(scope) else { throw AppError(.unavailable, "Please try again.") }
                return .replayed(earlier)
            }
        }
        try make()
        return .made(resource)
    }

    /// The resource that an earlier request of the same scope changed or made; `nil` when there was none.
    /// - Throws: `AppError(.conflict)` when its body was another.
    package func earlier(_ scope: IdempotencyScope) throws -> String? {
        let earlier = try row(
            "SELECT body, resource FROM idempotency WHERE person = \(scope.person) AND scope = \(scope.digest)"
        )
        guard let earlier else { return nil }
        guard try earlier.get("body", as: [UInt8].self) == scope.bodyDigest else {
            throw AppError(.conflict, "This was already sent with other content. Reload the page and try again.")
        }
        return try earlier.get("resource")
    }

    private static let claim = FixedSQL(
        """
        INSERT INTO idempotency (person, scope, body, status, resource, at) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (person, scope) DO NOTHING
        """
    )

    /// Forgets keys that were used before `instant`, oldest first, at most ``Limits/idempotencyPruneBatch`` of them, so that
    /// other writers aren't held up for long: call it again until it returns 0.
    /// - Returns: how many it removed.
    @discardableResult
    package func pruneIdempotency(before instant: Instant) throws -> Int {
        try execute(
            """
            DELETE FROM idempotency WHERE (person, scope) IN (
                SELECT person, scope FROM idempotency WHERE at < \(instant)
                ORDER BY at LIMIT \(Limits.idempotencyPruneBatch)
            )
            """
        )
    }

    /// Forgets a person's keys, when the account goes.
    package func forgetIdempotency(of person: PersonID) throws {
        try execute("DELETE FROM idempotency WHERE person = \(person)")
    }
}
