import Crypto
package import Kernel

/// The identity of a request for idempotency: the person, the method, the path and the key that the client created.
package struct IdempotencyScope: Sendable {
    /// Counts a change against a limit of its person, in the change's transaction.
    package typealias Charge = @Sendable (_ now: Instant, _ tx: Transaction) throws -> Void

    package let person: PersonID
    /// The HTTP method, for example `POST`.
    package let method: String
    /// The path, without the query.
    package let path: String
    /// `nil` if the client sent none: then the change is always made.
    package let key: String?
    /// A keyed digest of the decoded fields: the same key with another body is rejected.
    package let bodyDigest: [UInt8]
    /// The digest that earlier versions stored for the same fields, so that their requests can be repeated; `nil` for
    /// none. They are deleted with their keys.
    package let earlierBodyDigest: [UInt8]?
    /// What the change is counted against; `nil` for nothing.
    package let charge: Charge?

    package init(
        person: PersonID, method: String, path: String, key: String?, bodyDigest: [UInt8],
        earlierBodyDigest: [UInt8]? = nil, charge: Charge? = nil
    ) {
        self.person = person
        self.method = method
        self.path = path
        self.key = key
        self.bodyDigest = bodyDigest
        self.earlierBodyDigest = earlierBodyDigest
        self.charge = charge
    }

    /// A digest of method, path and key. Its fixed length suits an index. `nil` without a key.
    var digest: [UInt8]? {
        guard let key else { return nil }
        var hash = SHA256()
        for part in [method, path, key] {
            let bytes = Array(part.utf8)
            hash.update(data: withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { Array($0) })
            hash.update(data: bytes)
        }
        return Array(hash.finalize())
    }
}

/// The result of a change under an idempotency key.
package enum Once: Sendable, Hashable {
    /// The change was made now; holds the resource's id.
    case made(String)
    /// The change was made by an earlier request; holds the resource's id of that request.
    case replayed(String)

    /// The id of the resource that was changed or created.
    package var resource: String {
        switch self {
        case .made(let resource), .replayed(let resource): resource
        }
    }

    /// Whether an earlier request made the change.
    package var isReplay: Bool {
        switch self {
        case .made: false
        case .replayed: true
        }
    }
}

extension Transaction {
    /// Makes a change at most once for its scope and records the scope in this transaction. A concurrent duplicate
    /// waits for the first request. A change that is made is charged (``IdempotencyScope/charge``); a repeated one
    /// isn't.
    /// - Parameters:
    ///   - scope: `nil` if the client sent no key and nothing is charged: then the change is always made.
    ///   - status: the 2xx status of the response.
    ///   - resource: the id of the changed or created resource.
    /// - Throws: `AppError(.conflict)` if the key was used with another body; the errors of the charge and of `make`,
    ///   after which the transaction must not be committed.
    package func once(
        _ scope: IdempotencyScope?, status: Int, now: Instant, resource: String, make: () throws -> Void
    ) throws -> Once {
        if let scope, let digest = scope.digest {
            let claimed = try executeCounting(
                Self.claim,
                [
                    scope.person.sqlValue, .blob(digest), .blob(scope.bodyDigest), .integer(Int64(status)),
                    .text(resource), now.sqlValue,
                ]
            )
            if claimed == 0 {
                guard let earlier = try earlier(scope) else { throw AppError(.unavailable, "Please try again.") }
                return .replayed(earlier)
            }
        }
        try scope?.charge?(now, self)
        try make()
        return .made(resource)
    }

    /// Returns the resource of an earlier request with the same scope; `nil` if there was none.
    /// - Throws: `AppError(.conflict)` if that request had another body.
    package func earlier(_ scope: IdempotencyScope) throws -> String? {
        guard let digest = scope.digest else { return nil }
        let earlier = try row(
            "SELECT body, resource FROM idempotency WHERE person = \(scope.person) AND scope = \(digest)"
        )
        guard let earlier else { return nil }
        let body = try earlier.get("body", as: [UInt8].self)
        guard body == scope.bodyDigest || body == scope.earlierBodyDigest else {
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

    /// Deletes up to ``Limits/idempotencyPruneBatch`` keys that were used before `instant`, the oldest first. The limit
    /// keeps other writers from waiting long: call it again until it returns 0.
    /// - Returns: the number of deleted keys.
    @discardableResult
    package func pruneIdempotency(before instant: Instant) throws -> Int {
        try executeCounting(
            """
            DELETE FROM idempotency WHERE (person, scope) IN (
                SELECT person, scope FROM idempotency WHERE at < \(instant)
                ORDER BY at LIMIT \(Limits.idempotencyPruneBatch)
            )
            """
        )
    }

    /// Deletes a person's keys when the account is deleted.
    package func forgetIdempotency(of person: PersonID) throws {
        try execute("DELETE FROM idempotency WHERE person = \(person)")
    }
}
