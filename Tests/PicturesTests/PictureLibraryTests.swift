import Kernel
import Logging
import Objects
import Quotas
import Storage
import TestSupport
import Testing

@testable import Pictures

@Suite("The picture library")
struct PictureLibraryTests {
    /// A library with a new database and folder.
    struct Bench: Sendable {
        let database: Database
        let folder: TemporaryFolder
        let objects: FolderObjectStore
        let clock = TestClock()
        let random = SeededRandom()
        let anna: PersonID
        let ben: PersonID

        init(_ database: Database) throws {
            self.database = database
            folder = try TemporaryFolder()
            objects = try FolderObjectStore(folder: folder.path)
            anna = ID(at: clock.now, random: random)
            ben = ID(at: clock.now, random: random)
        }

        func library(
            objects other: (any ObjectStore)? = nil, visibilities: [any PictureVisibility] = []
        ) throws -> PictureLibrary {
            PictureLibrary(
                database: database,
                objects: other ?? objects,
                worker: try WorkerExecutable.worker(),
                visibilities: visibilities,
                clock: clock,
                random: random,
                logger: .silent
            )
        }

        func garbage() async throws -> Int {
            try await database.read { tx in
                try tx.row("SELECT COUNT(*) AS keys FROM object_garbage")?.get("keys") ?? 0
            }
        }

        func keys() async throws -> [String] { try await objects.keys(below: "pictures/") }

        func scope(_ key: String = "k1", digest: [UInt8] = [1]) -> IdempotencyScope {
            IdempotencyScope(person: anna, method: "POST", path: "/pictures", key: key, bodyDigest: digest)
        }
    }

    private func withBench(_ engine: Engine, _ body: @Sendable (Bench) async throws -> Void) async throws {
        try await withDatabase(engine, migrations: PictureLibrary.migrations) { database in
            try await body(try Bench(database))
        }
    }

    private static func photo() throws -> [UInt8] { try TestPictures.quartersFile(.jpeg, width: 800, height: 600) }

    @Test("The owner can read a stored picture in three sizes", arguments: Engine.allCases)
    func add(engine: Engine) async throws {
        try await withBench(engine) { bench in
            let library = try bench.library()
            let picture = try await library.add(try Self.photo(), owner: bench.anna)
            #expect([picture.width, picture.height] == [800, 600])
            #expect(picture.createdAt == bench.clock.now)
            #expect(try await library.picture(picture.id, for: bench.anna) == picture)
            for size in PictureSize.allCases {
                let (bytes, mediaType) = try await library.data(picture.id, size: size, for: bench.anna)
                #expect(mediaType == "image/jpeg")
                let pixels = try Pixels(jpeg: bytes)
                #expect(max(pixels.width, pixels.height) == min(800, size.longestSide))
            }
            #expect(try await bench.keys().count == 3)
            #expect(try await bench.garbage() == 0)
        }
    }

    @Test("A rejected upload stores nothing", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withBench(engine) { bench in
            let library = try bench.library()
            let text = await #expect(throws: AppError.self) {
                try await library.add(Array("not a picture".utf8), owner: bench.anna)
            }
            #expect(text?.code == .invalid)
            #expect(text?.fields.keys.sorted() == ["picture"])
            let large = await #expect(throws: AppError.self) {
                try await library.add([UInt8](repeating: 0xff, count: Limits.pictureBytes + 1), owner: bench.anna)
            }
            #expect(large?.code == .tooLarge)
            // A few missing rows at the end are accepted, half of a photo isn't.
            let photo = try Self.photo()
            let cut = await #expect(throws: AppError.self) {
                try await library.add(Array(photo.prefix(photo.count / 2)), owner: bench.anna)
            }
            #expect(cut?.code == .invalid)
            #expect(try await library.pictures(of: bench.anna, after: nil, limit: 50) == [])
            #expect(try await bench.keys() == [])
            #expect(try await bench.garbage() == 0)
        }
    }

    @Test("A repeated upload with its key returns the same picture; another body conflicts", arguments: Engine.allCases)
    func idempotent(engine: Engine) async throws {
        try await withBench(engine) { bench in
            let library = try bench.library()
            let first = try await library.add(try Self.photo(), owner: bench.anna, idempotency: bench.scope())
            let again = try await library.add(try Self.photo(), owner: bench.anna, idempotency: bench.scope())
            #expect(again == first)
            #expect(try await library.pictures(of: bench.anna, after: nil, limit: 50) == [first])
            #expect(try await bench.keys().count == 3)
            let other = await #expect(throws: AppError.self) {
                try await library.add(try Self.photo(), owner: bench.anna, idempotency: bench.scope(digest: [2]))
            }
            #expect(other?.code == .conflict)
            let second = try await library.add(try Self.photo(), owner: bench.anna, idempotency: bench.scope("k2"))
            #expect(second.id != first.id)
        }
    }

    @Test("Concurrent uploads with the same key store one picture", arguments: Engine.allCases)
    func idempotentAtOnce(engine: Engine) async throws {
        try await withBench(engine) { bench in
            let library = try bench.library()
            let photo = try Self.photo()
            let scope = bench.scope()
            async let left = library.add(photo, owner: bench.anna, idempotency: scope)
            async let right = library.add(photo, owner: bench.anna, idempotency: scope)
            let pictures = try await [left, right]
            #expect(pictures[0] == pictures[1])
            #expect(try await library.pictures(of: bench.anna, after: nil, limit: 50).count == 1)
            bench.clock.advance(seconds: Limits.pictureUploadSeconds + 1)
            try await library.sweep()
            #expect(try await bench.keys().count == 3)
            _ = try await library.data(pictures[0].id, size: .small, for: bench.anna)
        }
    }

    @Test("A repeated upload of a deleted picture gets not found", arguments: Engine.allCases)
    func idempotentGone(engine: Engine) async throws {
        try await withBench(engine) { bench in
            let library = try bench.library()
            let picture = try await library.add(try Self.photo(), owner: bench.anna, idempotency: bench.scope())
            try await bench.database.write { tx in try PictureLibrary.remove(picture.id, in: tx) }
            await #expect(throws: AppError.notFound) {
                try await library.add(try Self.photo(), owner: bench.anna, idempotency: bench.scope())
            }
        }
    }

    @Test(
        "A library is listed in pages, newest first, with its owner's pictures only",
        arguments: Engine.allCases)
    func pages(engine: Engine) async throws {
        try await withBench(engine) { bench in
            let library = try bench.library()
            var added: [ID<Picture>] = []
            for _ in 0..<3 {
                bench.clock.advance(seconds: 1)
                added.append(try await library.add(try Self.photo(), owner: bench.anna).id)
            }
            let stranger = try await library.add(try Self.photo(), owner: bench.ben)
            let first = try await library.pictures(of: bench.anna, after: nil, limit: 2)
            let rest = try await library.pictures(of: bench.anna, after: first.last?.id, limit: 2)
            #expect(first.map(\.id) + rest.map(\.id) == added.reversed())
            #expect(try await library.pictures(of: bench.ben, after: nil, limit: 2) == [stranger])
        }
    }

    private struct Friends: PictureVisibility {
        let friend: PersonID
        func isVisible(_ picture: ID<Picture>, to viewer: PersonID, in tx: Transaction) throws -> Bool {
            viewer == friend
        }
    }

    @Test("Another account's picture isn't found unless an app makes it visible", arguments: Engine.allCases)
    func visibility(engine: Engine) async throws {
        try await withBench(engine) { bench in
            let picture = try await bench.library().add(try Self.photo(), owner: bench.anna)
            await #expect(throws: AppError.notFound) {
                try await bench.library().data(picture.id, size: .small, for: bench.ben)
            }
            let absent = ID<Picture>(at: bench.clock.now, random: bench.random)
            let open = try bench.library(visibilities: [Friends(friend: bench.ben)])
            _ = try await open.data(picture.id, size: .small, for: bench.ben)
            await #expect(throws: AppError.notFound) { try await open.data(absent, size: .small, for: bench.ben) }
        }
    }

    @Test("Only an own picture can be attached", arguments: Engine.allCases)
    func attaching(engine: Engine) async throws {
        try await withBench(engine) { bench in
            let picture = try await bench.library().add(try Self.photo(), owner: bench.anna)
            let absent = ID<Picture>(at: bench.clock.now, random: bench.random)
            try await bench.database.read { tx in try PictureLibrary.requireOwned(picture.id, by: bench.anna, in: tx) }
            for (id, person) in [(picture.id, bench.ben), (absent, bench.anna)] {
                let error = await #expect(throws: AppError.self) {
                    try await bench.database.read { tx in try PictureLibrary.requireOwned(id, by: person, in: tx) }
                }
                #expect(error?.code == .invalid)
                #expect(error?.fields["pictureId"] != nil)
            }
        }
    }

    @Test("A full library rejects uploads", arguments: Engine.allCases)
    func quota(engine: Engine) async throws {
        try await withBench(engine) { bench in
            try await bench.database.write { tx in
                try QuotaStore.set(QuotaOverride(pictures: 1), of: bench.anna, in: tx)
            }
            _ = try await bench.library().add(try Self.photo(), owner: bench.anna)
            let error = await #expect(throws: AppError.self) {
                try await bench.library().add(try Self.photo(), owner: bench.anna)
            }
            #expect(error?.code == .conflict)
            #expect(error?.fields["picture"] != nil)
            _ = try await bench.library().add(try Self.photo(), owner: bench.ben)
        }
    }
}
