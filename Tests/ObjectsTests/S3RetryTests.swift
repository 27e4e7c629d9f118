import Kernel
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Objects

@Suite("Failing calls of a bucket")
struct S3RetryTests {
    /// Returns the given results in order, then repeats the last one.
    private final class ScriptedTransport: S3Transport {
        private struct State {
            var answers: [Result<S3Response, ObjectStoreError>]
            var sent: [S3Request] = []
        }
        private let state: Mutex<State>

        init(_ answers: [Result<S3Response, ObjectStoreError>]) { state = Mutex(State(answers: answers)) }

        var sent: [S3Request] { state.withLock { $0.sent } }

        func send(_ request: S3Request, limit: Int) async throws(ObjectStoreError) -> S3Response {
            let answer = state.withLock { state in
                state.sent.append(request)
                return state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
            }
            return try answer.get()
        }
    }

    /// A store on the fake transport, with the recorded delays in milliseconds.
    private final class Bench: Sendable {
        let transport: ScriptedTransport
        let clock = TestClock()
        let store: S3ObjectStore
        private let pauses: Pauses

        final class Pauses: Sendable {
            let all = Mutex<[Int64]>([])
        }

        var waited: [Int64] { pauses.all.withLock { $0 } }

        init(_ answers: [Result<S3Response, ObjectStoreError>], secondsPerPause: Int64 = 0) throws {
            let pauses = Pauses()
            self.pauses = pauses
            transport = ScriptedTransport(answers)
            let bucket = try S3Bucket("s3://bucket/p?endpoint=https://s3.example", region: nil)
            let random = SeededRandom(seed: 1)
            let clock = clock
            let backoff = S3BackOff(random: random) { milliseconds in
                pauses.all.withLock { $0.append(milliseconds) }
                clock.advance(seconds: secondsPerPause)
            }
            store = S3ObjectStore(
                bucket, credentials: S3Credentials(accessKey: "AK", secretKey: "SK", sessionToken: "ST"),
                transport: transport,
                clock: clock, random: random, logger: .silent, backoff: backoff
            )
        }
    }

    private static func reply(
        _ status: Int, _ body: String = "", _ headers: [String: String] = [:]
    ) -> Result<S3Response, ObjectStoreError> {
        .success(S3Response(status: status, headers: headers, body: Array(body.utf8)))
    }

    private static func error(_ code: String) -> String { "<Error><Code>\(code)</Code></Error>" }

    @Test("Temporary failures are retried with growing delays")
    func passing() async throws {
        let bench = try Bench([
            Self.reply(503, Self.error("SlowDown")), .failure(.unreachable("reset")), Self.reply(429), Self.reply(200),
        ])
        try await bench.store.put([1, 2], at: "k")
        #expect(bench.transport.sent.count == 4)
        #expect(bench.waited.count == 3)
        for (index, longest) in [200, 400, 800].enumerated() {
            #expect((Int64(longest / 2)...Int64(longest)).contains(bench.waited[index]))
        }
        #expect(bench.transport.sent.allSatisfy { $0.url == "https://s3.example/bucket/p/k" && $0.body == [1, 2] })
    }

    @Test("The store waits as long as the service asks for, up to a limit")
    func retryAfter() async throws {
        let bench = try Bench([
            Self.reply(503, "", ["retry-after": "3"]), Self.reply(503, "", ["retry-after": "86400"]), Self.reply(204),
        ])
        try await bench.store.delete("k")
        #expect(bench.waited == [3_000, Limits.bucketRetryMaximumMilliseconds])
    }

    @Test("The store gives up after a number of attempts or some time")
    func givingUp() async throws {
        let bench = try Bench([Self.reply(500, Self.error("InternalError"))])
        await #expect(throws: ObjectStoreError.refused(status: 500, code: "InternalError")) {
            try await bench.store.put([1], at: "k")
        }
        #expect(bench.transport.sent.count == Limits.bucketAttempts)
        let slow = try Bench([.failure(.unreachable("x"))], secondsPerPause: Limits.bucketCallSeconds)
        await #expect(throws: ObjectStoreError.unreachable("x")) { try await slow.store.get("k") }
        #expect(slow.transport.sent.count == 2)
    }

    struct Final: Sendable, CustomTestStringConvertible {
        let status: Int
        let code: String
        let says: String
        var testDescription: String { "\(status) \(code)" }
    }

    static let finals = [
        Final(status: 403, code: "SignatureDoesNotMatch", says: "secret key is wrong"),
        Final(status: 403, code: "InvalidAccessKeyId", says: "doesn't know the access key"),
        Final(status: 403, code: "RequestTimeTooSkewed", says: "clock"),
        Final(status: 404, code: "NoSuchBucket", says: "no such bucket"),
        Final(status: 301, code: "PermanentRedirect", says: "endpoint or region"),
        Final(status: 400, code: "Odd", says: "400 Odd"),
    ]

    @Test("Permanent failures are reported at once with an explanation", arguments: finals)
    func final(answer: Final) async throws {
        let bench = try Bench([Self.reply(answer.status, Self.error(answer.code))])
        let expected = ObjectStoreError.refused(status: answer.status, code: answer.code)
        await #expect(throws: expected) { try await bench.store.get("k") }
        await #expect(throws: expected) { try await bench.store.delete("k") }
        await #expect(throws: expected) { try await bench.store.check() }
        #expect(bench.transport.sent.count == 3)
        #expect("\(expected)".contains(answer.says))
    }

    @Test("A missing object gives nil, and a damaged one gives an error")
    func objects() async throws {
        let missing = try Bench([Self.reply(404, Self.error("NoSuchKey"))])
        #expect(try await missing.store.get("k") == nil)
        try await missing.store.delete("k")
        let digest = ContentDigest.text(Array("abc".utf8))
        let good = try Bench([Self.reply(200, "abc", ["x-amz-meta-sha256": digest])])
        #expect(try await good.store.get("k") == Array("abc".utf8))
        let damaged = try Bench([Self.reply(200, "abd", ["x-amz-meta-sha256": digest])])
        await #expect(throws: ObjectStoreError.damaged) { try await damaged.store.get("k") }
    }

    @Test("A list continues until the service has no more keys or the page is full")
    func lists() async throws {
        func part(_ keys: [String], next: String?) -> Result<S3Response, ObjectStoreError> {
            let contents = keys.map { "<Contents><Key>p/\($0)</Key></Contents>" }.joined()
            let going = next.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? ""
            return Self.reply(
                200,
                "<ListBucketResult><IsTruncated>\(next != nil)</IsTruncated>\(going)\(contents)</ListBucketResult>"
            )
        }
        let bench = try Bench([part(["a", "B"], next: "t=1"), part([], next: "t2"), part(["c", "d"], next: nil)])
        #expect(try await bench.store.keys(below: "", after: "A", limit: 10) == ["a", "c", "d"])
        let urls = bench.transport.sent.map(\.url)
        #expect(urls[0].contains("start-after=p%2FA") && urls[0].contains("max-keys=10"))
        #expect(urls[1].contains("continuation-token=t%3D1") && !urls[1].contains("start-after"))
        #expect(urls[2].contains("continuation-token=t2") && urls[2].contains("max-keys=9"))
        let full = try Bench([part(["a", "b"], next: "t")])
        #expect(try await full.store.keys(below: "x", after: nil, limit: 2) == ["a", "b"])
        let forgetful = try Bench([part(["a", "b"], next: "t"), part(["c", "d", "e"], next: "u")])
        #expect(try await forgetful.store.keys(below: "", after: "bb", limit: 2) == ["c", "d"])
        #expect(forgetful.transport.sent[1].url.contains("max-keys=\(Limits.objectPage)"))
        let endless = try Bench([part([], next: "t")])
        await #expect(throws: ObjectStoreError.unreadable("a list without end")) {
            try await endless.store.keys(below: "", after: nil, limit: 2)
        }
        #expect(endless.transport.sent.count == Limits.bucketResponsesPerPage)
    }

    @Test("Host, time, checksum and token are signed, and invalid keys cause no request")
    func signed() async throws {
        let bench = try Bench([Self.reply(200)])
        try await bench.store.put([7], at: "k")
        let headers = Dictionary(uniqueKeysWithValues: bench.transport.sent[0].headers.map { ($0.name, $0.value) })
        #expect(headers["x-amz-content-sha256"] == ContentDigest.text([7]))
        #expect(headers["x-amz-meta-sha256"] == ContentDigest.text([7]))
        #expect(headers["x-amz-security-token"] == "ST")
        #expect(headers["x-amz-date"] == "20260301T120000Z")
        let names =
            "content-type;host;x-amz-content-sha256;x-amz-date;x-amz-meta-sha256;x-amz-security-token"
        #expect(headers["authorization"]?.contains("SignedHeaders=\(names),") == true)
        await #expect(throws: ObjectStoreError.invalidKey) { try await bench.store.put([1], at: "../x") }
        await #expect(throws: ObjectStoreError.invalidKey) { try await bench.store.get("A") }
        await #expect(throws: ObjectStoreError.tooLarge) {
            try await bench.store.put([UInt8](repeating: 0, count: Limits.objectBytes + 1), at: "k")
        }
        #expect(bench.transport.sent.count == 1)
    }
}
