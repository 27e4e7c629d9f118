import Glibc
import Kernel
import Objects
import Storage
import TestSupport
import Testing

@testable import Pictures

@Suite("Deleting unreferenced objects")
struct GarbageTests {
    typealias Bench = PictureLibraryTests.Bench

    private func withBench(_ engine: Engine, _ body: @Sendable (Bench) async throws -> Void) async throws {
        try await withDatabase(engine, migrations: PictureLibrary.migrations) { database in
            try await body(try Bench(database))
        }
    }

    private static func photo() throws -> [UInt8] { try TestPictures.quartersFile(.jpeg, width: 800, height: 600) }

    @Test("A deleted picture isn't found; the next sweep deletes its objects", arguments: Engine.allCases)
    func removal(engine: Engine) async throws {
        try await withBench(engine) { bench in
            let library = try bench.library()
            let gone = try await library.add(try Self.photo(), owner: bench.anna)
            let stays = try await library.add(try Self.photo(), owner: bench.anna)
            try await bench.database.write { tx in
                try PictureLibrary.remove(gone.id, in: tx)
                try PictureLibrary.remove(gone.id, in: tx)
            }
            await #expect(throws: AppError.notFound) { try await library.data(gone.id, size: .large, for: bench.anna) }
            #expect(try await bench.keys().count == 6)
            try await library.sweep()
            #expect(try await bench.keys().sorted() == PictureObjects.keys(of: stays.id).sorted())
            #expect(try await bench.garbage() == 0)
        }
    }

    @Test("A deletion that is rolled back deletes nothing", arguments: Engine.allCases)
    func rollback(engine: Engine) async throws {
        struct Refused: Error {}
        try await withBench(engine) { bench in
            let library = try bench.library()
            let picture = try await library.add(try Self.photo(), owner: bench.anna)
            await #expect(throws: Refused.self) {
                try await bench.database.write { tx in
                    try PictureLibrary.remove(picture.id, in: tx)
                    throw Refused()
                }
            }
            try await library.sweep()
            _ = try await library.data(picture.id, size: .large, for: bench.anna)
        }
    }

    @Test("Deleting all pictures of an account leaves those of other accounts", arguments: Engine.allCases)
    func removeAll(engine: Engine) async throws {
        try await withBench(engine) { bench in
            let library = try bench.library()
            for _ in 0..<2 { _ = try await library.add(try Self.photo(), owner: bench.anna) }
            let other = try await library.add(try Self.photo(), owner: bench.ben)
            try await bench.database.write { tx in try PictureLibrary.removeAll(of: bench.anna, in: tx) }
            try await library.sweep()
            #expect(try await library.pictures(of: bench.anna, after: nil, limit: 50) == [])
            #expect(try await bench.keys().sorted() == PictureObjects.keys(of: other.id).sorted())
        }
    }

    /// An object store that fails after some writes, as in a crash.
    private struct CrashingStore: ObjectStore {
        struct Crash: Error {}
        let inner: FolderObjectStore
        let failsAt: PictureSize
        var error: any Error = Crash()

        func put(_ bytes: [UInt8], at key: String) async throws {
            if key.contains(failsAt.rawValue) { throw error }
            try await inner.put(bytes, at: key)
        }
        func get(_ key: String) async throws -> [UInt8]? { try await inner.get(key) }
        func delete(_ key: String) async throws { try await inner.delete(key) }
        func keys(below prefix: String, after: String?, limit: Int) async throws -> [String] {
            try await inner.keys(below: prefix, after: after, limit: limit)
        }
        func discardInterrupted(before instant: Instant) async throws {
            try await inner.discardInterrupted(before: instant)
        }
    }

    @Test("The sweep deletes the objects of a crashed upload, but not of one in progress", arguments: Engine.allCases)
    func crash(engine: Engine) async throws {
        try await withBench(engine) { bench in
            let broken = try bench.library(objects: CrashingStore(inner: bench.objects, failsAt: .large))
            await #expect(throws: CrashingStore.Crash.self) {
                try await broken.add(try Self.photo(), owner: bench.anna)
            }
            let library = try bench.library()
            #expect(try await library.pictures(of: bench.anna, after: nil, limit: 50) == [])
            let leftOver = try await bench.keys()
            #expect(leftOver.count == 2)
            try await library.sweep()
            #expect(try await bench.keys() == leftOver)
            bench.clock.advance(seconds: Limits.pictureUploadSeconds + 1)
            try await library.sweep()
            #expect(try await bench.keys() == [])
            #expect(try await bench.garbage() == 0)
        }
    }

    @Test("An upload to a full disk is rejected and can be repeated", arguments: Engine.allCases)
    func diskFull(engine: Engine) async throws {
        try await withBench(engine) { bench in
            let full = ObjectStoreError.system(step: "write", code: ENOSPC)
            let store = CrashingStore(inner: bench.objects, failsAt: .medium, error: full)
            let error = await #expect(throws: AppError.self) {
                try await bench.library(objects: store).add(
                    try Self.photo(), owner: bench.anna, idempotency: bench.scope())
            }
            #expect(error?.code == .unavailable)
            _ = try await bench.library().add(try Self.photo(), owner: bench.anna, idempotency: bench.scope())
        }
    }

    /// An object store whose writes take a given time.
    private struct SlowStore: ObjectStore {
        let inner: FolderObjectStore
        let clock: TestClock
        let seconds: Int64

        func put(_ bytes: [UInt8], at key: String) async throws {
            try await inner.put(bytes, at: key)
            clock.advance(seconds: seconds)
        }
        func get(_ key: String) async throws -> [UInt8]? { try await inner.get(key) }
        func delete(_ key: String) async throws { try await inner.delete(key) }
        func keys(below prefix: String, after: String?, limit: Int) async throws -> [String] {
            try await inner.keys(below: prefix, after: after, limit: limit)
        }
        func discardInterrupted(before instant: Instant) async throws {
            try await inner.discardInterrupted(before: instant)
        }
    }

    @Test("An upload that takes longer than its limit is rejected completely", arguments: Engine.allCases)
    func slow(engine: Engine) async throws {
        try await withBench(engine) { bench in
            let seconds = Limits.pictureUploadSeconds / 2
            let slow = try bench.library(objects: SlowStore(inner: bench.objects, clock: bench.clock, seconds: seconds))
            let error = await #expect(throws: AppError.self) { try await slow.add(try Self.photo(), owner: bench.anna) }
            #expect(error?.code == .unavailable)
            try await slow.sweep()
            #expect(try await bench.keys() == [])
            #expect(try await slow.pictures(of: bench.anna, after: nil, limit: 50) == [])
        }
    }

    @Test("The sweep deletes more objects than one batch holds", arguments: Engine.allCases)
    func much(engine: Engine) async throws {
        try await withBench(engine) { bench in
            let keys = (0..<(2 * Limits.garbageBatch + 1)).map { "pictures/aa/\($0)" }
            try await bench.database.write { tx in
                try ObjectGarbage.record(keys, dueAt: bench.clock.now, in: tx)
            }
            try await bench.objects.put([1], at: keys[0])
            try await bench.library().sweep()
            #expect(try await bench.garbage() == 0)
            #expect(try await bench.keys() == [])
        }
    }
}
