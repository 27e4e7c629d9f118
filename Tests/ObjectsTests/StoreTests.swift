import Foundation
import Kernel
import Logging
import TestSupport
import Testing

@testable import Objects

/// The same tests for a folder and for a bucket on a server that verifies signatures.
@Suite("Object stores")
struct StoreTests {
    enum Kind: String, Sendable {
        case folder
        case bucket
        /// A bucket on another server, which `make soak` starts.
        case elsewhere
    }

    /// The other server's bucket: the start of the address up to the prefix, its end, and the credentials.
    private static let elsewhere: (address: String, end: String, credentials: S3Credentials)? = {
        let environment = ProcessInfo.processInfo.environment
        guard let bucket = environment["HOMEWARD_TEST_S3_BUCKET"], let end = environment["HOMEWARD_TEST_S3_QUERY"],
            let access = environment["HOMEWARD_TEST_S3_ACCESS_KEY"],
            let secret = environment["HOMEWARD_TEST_S3_SECRET_KEY"]
        else { return nil }
        return ("s3://\(bucket)/", "?\(end)", S3Credentials(accessKey: access, secretKey: secret))
    }()

    static let kinds: [Kind] = [.folder, .bucket] + (elsewhere == nil ? [] : [.elsewhere])

    /// A store for one test, until `end()`.
    private struct Bench {
        let store: any ObjectStore
        let address: String
        private let credentials: S3Credentials
        private let folder: TemporaryFolder

        init(_ kind: Kind, keys rule: ObjectKey.Rule = .own) async throws {
            folder = try TemporaryFolder()
            let name = "of-" + (folder.path.split(separator: "-").last.map { $0.lowercased() } ?? "")
            var credentials = S3Credentials(accessKey: S3TestServer.accessKey, secretKey: S3TestServer.secretKey)
            switch kind {
            case .folder: address = "folder:\(folder.path)"
            case .bucket: address = try await S3TestServer.shared().address(name)
            case .elsewhere:
                let other = try #require(StoreTests.elsewhere)
                address = other.address + name + other.end
                credentials = other.credentials
            }
            self.credentials = credentials
            store = try ObjectStores.open(
                try ObjectStoreAddress(address), credentials: credentials, keys: rule, logger: .silent
            )
        }

        func open(keys rule: ObjectKey.Rule = .own) throws -> any ObjectStore {
            try ObjectStores.open(
                try ObjectStoreAddress(address), credentials: credentials, keys: rule, logger: .silent
            )
        }

        var accessKey: String { credentials.accessKey }

        func end() { withExtendedLifetime(folder) {} }

        static func open(
            _ address: String, accessKey: String = S3TestServer.accessKey, secretKey: String = S3TestServer.secretKey,
            keys rule: ObjectKey.Rule = .own
        ) throws -> any ObjectStore {
            try ObjectStores.open(
                try ObjectStoreAddress(address), credentials: S3Credentials(accessKey: accessKey, secretKey: secretKey),
                keys: rule, logger: .silent
            )
        }
    }

    @Test("An object can be stored, replaced and deleted", arguments: kinds)
    func life(kind: Kind) async throws {
        let bench = try await Bench(kind)
        let store = bench.store
        try await store.check()
        #expect(try await store.get("a/b") == nil)
        try await store.put([1, 2, 3], at: "a/b")
        try await store.put([], at: "a/empty")
        #expect(try await store.get("a/b") == [1, 2, 3])
        #expect(try await store.get("a/empty") == [])
        try await store.put([4], at: "a/b")
        #expect(try await store.get("a/b") == [4])
        try await store.delete("a/b")
        try await store.delete("a/b")
        #expect(try await store.get("a/b") == nil)
        #expect(try await store.keys(below: "") == ["a/empty"])
        let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try await store.put(large, at: "large")
        #expect(try await store.get("large") == large)
        bench.end()
    }

    @Test("Keys are in byte order, page by page", arguments: kinds)
    func pages(kind: Kind) async throws {
        let bench = try await Bench(kind)
        let store = bench.store
        let keys = ["a.b", "a/b", "a/c/1", "a/c/2", "a0", "a-b", "b/1", "b/10", "b/2", "z_"]
        for key in keys { try await store.put([1], at: key) }
        let sorted = keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(try await store.keys(below: "") == sorted)
        #expect(try await store.keys(below: "a/") == ["a/b", "a/c/1", "a/c/2"])
        #expect(try await store.keys(below: "a/c/") == ["a/c/1", "a/c/2"])
        #expect(try await store.keys(below: "b/1") == ["b/1", "b/10"])
        #expect(try await store.keys(below: "nothing") == [])
        for limit in 1...4 {
            var found: [String] = []
            while true {
                let page = try await store.keys(below: "", after: found.last, limit: limit)
                found += page
                guard page.count == limit else { break }
            }
            #expect(found == sorted, "in pages of \(limit)")
        }
        #expect(try await store.keys(below: "a", after: "a/bb", limit: 2) == ["a/c/1", "a/c/2"])
        #expect(try await store.keys(below: "a", after: "zz", limit: 2) == [])
        bench.end()
    }

    @Test("A listing with more keys than one response can hold is complete", arguments: kinds)
    func manyKeys(kind: Kind) async throws {
        let bench = try await Bench(kind)
        let store = bench.store
        let count = Limits.objectPage + 30
        let keys = (0..<count).map { "k/\(10_000 + $0)" }
        try await withThrowingTaskGroup { group in
            for part in 0..<8 {
                group.addTask {
                    for index in stride(from: part, to: count, by: 8) { try await store.put([1], at: keys[index]) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.keys(below: "k/") == keys)
        bench.end()
    }

    @Test("Keys from other systems are read unchanged", arguments: kinds)
    func foreignKeys(kind: Kind) async throws {
        let bench = try await Bench(kind, keys: .external)
        let keys = ["2026/März 1/Ä+b&c=d.json", "Device_1/2026-03-01T12:00:00Z.JSON", "plain"]
        for key in keys { try await bench.store.put(Array(key.utf8), at: key) }
        #expect(try await bench.store.keys(below: "") == keys)
        for key in keys { #expect(try await bench.store.get(key) == Array(key.utf8)) }
        #expect(try await bench.store.keys(below: "2026/März") == [keys[0]])
        #expect(try await bench.store.keys(below: "", after: keys[0], limit: 1) == [keys[1]])
        // A store with the rule for our own keys skips the others.
        #expect(try await bench.open().keys(below: "") == ["plain"])
        for key in ["", "a//b", "../x", "a/..", "a\u{0}b", String(repeating: "k", count: 1_025)] {
            await #expect(throws: ObjectStoreError.invalidKey) { try await bench.store.get(key) }
        }
        bench.end()
    }

    @Test("A wrong secret, an unknown key and a missing bucket give different errors")
    func refusals() async throws {
        let server = try await S3TestServer.shared()
        let address = server.address("refusals")
        let wrongSecret = try Bench.open(address, secretKey: "not-the-secret")
        let error = await #expect(throws: ObjectStoreError.self) { try await wrongSecret.check() }
        #expect(error == .refused(status: 403, code: "SignatureDoesNotMatch"))
        await #expect(throws: ObjectStoreError.self) { try await wrongSecret.put([1], at: "k") }
        await #expect(throws: ObjectStoreError.self) { try await wrongSecret.get("k") }
        let unknown = try Bench.open(address, accessKey: "AKIASOMEBODYELSE")
        await #expect(throws: ObjectStoreError.refused(status: 403, code: "InvalidAccessKeyId")) {
            try await unknown.check()
        }
        let elsewhere = try Bench.open(
            address.replacingOccurrences(of: S3TestServer.bucket, with: "no-such-bucket-here"))
        await #expect(throws: ObjectStoreError.refused(status: 404, code: "NoSuchBucket")) {
            try await elsewhere.check()
        }
        #expect(try await Bench.open(address).get("k") == nil)
    }

    @Test("A wrong secret is rejected", arguments: kinds.filter { $0 != .folder })
    func wrongSecret(kind: Kind) async throws {
        let bench = try await Bench(kind)
        try await bench.store.check()
        let wrong = try ObjectStores.open(
            try ObjectStoreAddress(bench.address),
            credentials: S3Credentials(accessKey: bench.accessKey, secretKey: "not-the-secret"), logger: .silent
        )
        await #expect(throws: ObjectStoreError.refused(status: 403, code: "SignatureDoesNotMatch")) {
            try await wrong.check()
        }
        await #expect(throws: ObjectStoreError.self) { try await wrong.put([1], at: "k") }
        #expect(try await bench.store.get("k") == nil)
    }

    @Test("An endpoint without a server gives an error")
    func withoutServer() async throws {
        let bucket = try S3Bucket("s3://bucket?endpoint=http://127.0.0.1:1", region: nil)
        let store = S3ObjectStore(
            bucket, credentials: S3Credentials(accessKey: "AK", secretKey: "SK"), transport: HTTPS3Transport(),
            clock: SystemClock(), random: SystemRandom(), logger: .silent,
            backoff: S3BackOff(random: SystemRandom()) { _ in }
        )
        let error = await #expect(throws: ObjectStoreError.self) { try await store.check() }
        guard case .unreachable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
