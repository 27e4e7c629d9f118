package import Kernel
import Logging
import Synchronization

/// Stores objects in a bucket of S3, or of a service with a compatible API (docs.aws.amazon.com/AmazonS3/latest/API):
/// PutObject, GetObject, DeleteObject and ListObjectsV2.
///
/// All calls are idempotent, so each is retried after a temporary failure.
package final class S3ObjectStore: ObjectStore {
    // The service returns this header with the object, so that damage in transit or in storage is detected.
    private static let checksumHeader = "x-amz-meta-sha256"

    private let bucket: S3Bucket
    private let signature: RequestSignature
    private let rule: ObjectKey.Rule
    private let transport: any S3Transport
    private let backoff: S3BackOff
    private let clock: any WallClock
    private let logger: Logger
    private let runningCalls = Mutex(0)

    init(
        _ bucket: S3Bucket, credentials: S3Credentials, keys rule: ObjectKey.Rule = .own, transport: any S3Transport,
        clock: any WallClock, random: any RandomSource, logger: Logger, backoff: S3BackOff? = nil
    ) {
        self.bucket = bucket
        self.rule = rule
        self.transport = transport
        self.clock = clock
        self.logger = logger
        self.backoff = backoff ?? S3BackOff(random: random)
        signature = RequestSignature(credentials: credentials, region: bucket.region)
    }

    /// Stores an object with its checksum.
    package func put(_ bytes: [UInt8], at key: String) async throws {
        try requireValid(key)
        guard bytes.count <= Limits.objectBytes else { throw ObjectStoreError.tooLarge }
        let digest = ContentDigest.text(bytes)
        let call = Call(
            method: "PUT", key: key, body: bytes, bodySHA256: digest,
            headers: [
                (name: "content-type", value: "application/octet-stream"), (name: Self.checksumHeader, value: digest),
            ]
        )
        let reply = try await perform(call, limit: Limits.bucketErrorBytes)
        guard reply.isSuccess else { throw Self.refusal(reply) }
    }

    /// Returns an object and verifies its checksum if it has one.
    package func get(_ key: String) async throws -> [UInt8]? {
        try requireValid(key)
        let reply = try await perform(Call(method: "GET", key: key), limit: Limits.objectBytes)
        if reply.status == 404 { return try Self.absent(reply) }
        guard reply.isSuccess else { throw Self.refusal(reply) }
        if let digest = reply.headers[Self.checksumHeader], digest != ContentDigest.text(reply.body) {
            throw ObjectStoreError.damaged
        }
        return reply.body
    }

    /// Deletes an object; a missing one is no error.
    package func delete(_ key: String) async throws {
        try requireValid(key)
        let reply = try await perform(Call(method: "DELETE", key: key), limit: Limits.bucketErrorBytes)
        if reply.status == 404 { return _ = try Self.absent(reply) }
        guard reply.isSuccess else { throw Self.refusal(reply) }
    }

    /// Lists keys, with as many requests as the service needs.
    package func keys(below prefix: String, after: String?, limit: Int) async throws -> [String] {
        let limit = min(max(limit, 1), Limits.objectPage)
        var found: [String] = []
        var continuation: String?
        var asked = limit
        for _ in 0..<Limits.bucketResponsesPerPage {
            let part = try await list(prefix, after: after, limit: asked, continuation: continuation)
            for key in part.keys where key.hasPrefix(bucket.prefix) && found.count < limit {
                let own = String(key.dropFirst(bucket.prefix.count))
                if let after, !after.utf8.lexicographicallyPrecedes(own.utf8) {
                    // Some services restart the list when the key in `start-after` is gone; the loop continues with
                    // large pages.
                    asked = Limits.objectPage
                } else if ObjectKey.isValid(own, rule) {
                    found.append(own)
                }
            }
            guard found.count < limit, let next = part.next else { return found }
            continuation = next
            if asked < Limits.objectPage { asked = limit - found.count }
        }
        throw ObjectStoreError.unreadable("a list without end")
    }

    /// Does nothing: an object exists completely or not at all.
    package func discardInterrupted(before instant: Instant) async throws {}

    private func list(
        _ prefix: String, after: String?, limit: Int, continuation: String?
    ) async throws -> S3ObjectList {
        var query: [(name: String, value: String)] = [
            (name: "list-type", value: "2"), (name: "encoding-type", value: "url"),
            (name: "max-keys", value: "\(limit)"), (name: "prefix", value: bucket.prefix + prefix),
        ]
        if let continuation {
            query.append((name: "continuation-token", value: continuation))
        } else if let after {
            query.append((name: "start-after", value: bucket.prefix + after))
        }
        let reply = try await perform(Call(method: "GET", query: query), limit: Limits.bucketListBytes)
        guard reply.isSuccess else { throw Self.refusal(reply) }
        return try S3ObjectList(reply.body)
    }

    private func requireValid(_ key: String) throws {
        guard ObjectKey.isValid(key, rule) else { throw ObjectStoreError.invalidKey }
    }

    /// Distinguishes a missing object from a missing bucket for a 404 response.
    private static func absent(_ reply: S3Response) throws -> [UInt8]? {
        let refusal = refusal(reply)
        if case .refused(_, "NoSuchBucket") = refusal { throw refusal }
        return nil
    }

    private static func refusal(_ reply: S3Response) -> ObjectStoreError {
        .refused(status: reply.status, code: S3ErrorDocument.code(reply.body))
    }
}

extension S3ObjectStore {
    private struct Call {
        private static let nothing = ContentDigest.text([])

        let method: String
        /// `nil` for the bucket itself.
        var key: String?
        var query: [(name: String, value: String)] = []
        var body: [UInt8] = []
        var bodySHA256 = nothing
        var headers: [(name: String, value: String)] = []
    }

    /// Sends a call and retries it after a temporary failure.
    private func perform(_ call: Call, limit: Int) async throws -> S3Response {
        try begin()
        defer { runningCalls.withLock { $0 -= 1 } }
        let start = clock.now
        var attempt = 1
        while true {
            let outcome = await attemptOnce(call, limit: limit)
            let isLast =
                attempt == Limits.bucketAttempts || clock.now.seconds(since: start) >= Double(Limits.bucketCallSeconds)
            guard outcome.isTemporary, !isLast else { return try outcome.get() }
            logger.debug(
                "A bucket is asked again", metadata: ["method": "\(call.method)", "outcome": "\(outcome.words)"])
            try await backoff.pause(backoff.milliseconds(after: attempt, asked: outcome.askedSeconds))
            attempt += 1
        }
    }

    private func begin() throws {
        try runningCalls.withLock { count in
            guard count < Limits.objectQueue else { throw ObjectStoreError.busy }
            count += 1
        }
    }

    private func attemptOnce(_ call: Call, limit: Int) async -> Result<S3Response, ObjectStoreError> {
        do throws(ObjectStoreError) {
            return .success(try await transport.send(signed(call), limit: limit))
        } catch {
            return .failure(error)
        }
    }

    private func signed(_ call: Call) -> S3Request {
        let now = clock.now
        let path = bucket.path(of: call.key)
        var headers = call.headers
        headers.append((name: "host", value: bucket.host))
        headers.append((name: "x-amz-content-sha256", value: call.bodySHA256))
        headers.append((name: "x-amz-date", value: RequestSignature.timestamp(now)))
        if let token = signature.credentials.sessionToken {
            headers.append((name: "x-amz-security-token", value: token))
        }
        let subject = RequestSignature.Subject(
            method: call.method, path: path, query: call.query, headers: headers, bodySHA256: call.bodySHA256
        )
        headers.append((name: "authorization", value: signature.authorization(for: subject, at: now)))
        let query = RequestSignature.canonicalQuery(call.query)
        let url = "\(bucket.scheme)://\(bucket.host)\(path)" + (query.isEmpty ? "" : "?\(query)")
        return S3Request(method: call.method, url: url, headers: headers, body: call.body)
    }
}

extension Result<S3Response, ObjectStoreError> {
    /// Whether a retry may succeed.
    fileprivate var isTemporary: Bool {
        switch self {
        case .success(let reply):
            [408, 425, 429, 500, 502, 503, 504].contains(reply.status)
                || !reply.isSuccess && S3ErrorDocument.code(reply.body) == "SlowDown"
        case .failure(.unreachable): true
        case .failure: false
        }
    }

    fileprivate var askedSeconds: Int64? {
        guard case .success(let reply) = self else { return nil }
        return reply.headers["retry-after"].flatMap { Int64($0) }.map { Swift.max(0, $0) }
    }

    fileprivate var words: String {
        switch self {
        case .success(let reply): "status \(reply.status)"
        case .failure(let error): "\(error)"
        }
    }
}
