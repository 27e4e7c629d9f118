import Kernel
import Storage
import TestSupport
import Testing

@testable import Pictures

@Suite("Built-in pictures")
struct BuiltinPictureTests {
    @Test("There are at least 12 avatars, each with its own id and readable picture")
    func all() throws {
        let all = BuiltinAvatars.all
        #expect(all.count >= 12)
        #expect(Set(all.map(\.id)).count == all.count)
        #expect(Set(all.map(\.name)).count == all.count)
        #expect(all.map(\.name) == all.map(\.name).sorted())
        #expect(all.count == Embedded.base64.keys.count { $0.hasPrefix("avatars/") })
        for avatar in all {
            let file = try #require(BuiltinPictures.file(of: avatar.id))
            let pixels = try Pixels(jpeg: file)
            #expect([pixels.width, pixels.height] == [avatar.picture.width, avatar.picture.height])
            #expect(max(pixels.width, pixels.height) <= PictureSize.medium.longestSide)
            #expect(ID<Picture>(avatar.id.description) == avatar.id)
            #expect(avatar.picture.owner == BuiltinPictures.owner)
        }
    }

    @Test("Each chore's picture has its own id, is readable and small")
    func chores() throws {
        let all = BuiltinChorePictures.all
        #expect(all.count == Embedded.base64.keys.count { $0.hasPrefix("chores/") })
        #expect(all.count >= 24)
        #expect(Set((all + BuiltinAvatars.all).map(\.id)).count == all.count + BuiltinAvatars.all.count)
        for chore in all {
            let file = try #require(BuiltinPictures.file(of: chore.id))
            let pixels = try Pixels(jpeg: file)
            #expect([pixels.width, pixels.height] == [chore.picture.width, chore.picture.height])
            #expect(file.count <= 20 * 1_024)
            #expect(BuiltinChorePictures.named(chore.name) == chore)
        }
    }

    @Test("The id of a built-in picture never changes")
    func frozen() {
        let fox = BuiltinAvatars.all.first { $0.name == "fox" }
        #expect(fox?.id.description == "00000000-0000-7000-9441-32e5de6d9e37")
        #expect(BuiltinChorePictures.named("make-bed")?.id.description == "00000000-0000-7000-88cb-0826f32d036d")
    }

    @Test("Each person gets a default avatar, always the same one, and the defaults vary")
    func choice() {
        let random = SeededRandom()
        let people = (0..<200).map { _ in PersonID(at: TestClock().now, random: random) }
        let chosen = people.compactMap { BuiltinAvatars.one(for: $0)?.name }
        #expect(chosen.count == 200)
        #expect(Set(chosen).count > BuiltinAvatars.all.count / 2)
        #expect(chosen == people.compactMap { BuiltinAvatars.one(for: $0)?.name })
    }

    @Test(
        "Everyone can use an avatar, and no one can delete it", arguments: Engine.allCases)
    func library(engine: Engine) async throws {
        try await withDatabase(engine, migrations: PictureLibrary.migrations) { database in
            let bench = try PictureLibraryTests.Bench(database)
            let library = try bench.library()
            let avatar = try #require(BuiltinAvatars.all.first)
            #expect(try await library.picture(avatar.id, for: bench.ben) == avatar.picture)
            for size in PictureSize.allCases {
                let (bytes, mediaType) = try await library.data(avatar.id, size: size, for: bench.anna)
                #expect(mediaType == "image/jpeg")
                let pixels = try Pixels(jpeg: bytes)
                #expect(max(pixels.width, pixels.height) == min(size.longestSide, avatar.picture.width))
            }
            #expect(try await bench.keys().isEmpty)
            for person in [bench.anna, bench.ben, bench.anna] {
                try await database.write { tx in try PictureLibrary.requireOwned(avatar.id, by: person, in: tx) }
            }
            try await database.write { tx in
                try PictureLibrary.remove(avatar.id, in: tx)
                try PictureLibrary.handOver(avatar.id, to: bench.anna, in: tx)
                try PictureLibrary.removeAll(of: bench.anna, in: tx)
            }
            let row = try await database.read { tx in try PictureStore.find(avatar.id, in: tx) }
            #expect(row == avatar.picture)
            #expect(try await bench.garbage() == 0)
            #expect(try await library.pictures(of: bench.anna, after: nil, limit: 10).isEmpty)
        }
    }

    @Test("Avatars are listed in pages")
    func pages() async throws {
        try await withDatabase(.sqlite, migrations: PictureLibrary.migrations) { database in
            let library = try PictureLibraryTests.Bench(database).library()
            let all = BuiltinAvatars.all.map(\.picture)
            #expect(library.builtinPictures(after: nil, limit: 200) == all)
            var seen: [Picture] = []
            while true {
                let page = library.builtinPictures(after: seen.last?.id, limit: 5)
                #expect(page.count <= 5)
                seen += page
                if page.isEmpty || seen.count > all.count { break }
            }
            #expect(seen == all)
        }
    }

    @Test("A picture can be moved to another person's library", arguments: Engine.allCases)
    func handOver(engine: Engine) async throws {
        try await withDatabase(engine, migrations: PictureLibrary.migrations) { database in
            let bench = try PictureLibraryTests.Bench(database)
            let library = try bench.library()
            let photo = try TestPictures.quartersFile(.jpeg, width: 200, height: 100)
            let picture = try await library.add(photo, owner: bench.anna)
            try await database.write { tx in try PictureLibrary.handOver(picture.id, to: bench.ben, in: tx) }
            #expect(try await library.pictures(of: bench.anna, after: nil, limit: 10).isEmpty)
            #expect(try await library.pictures(of: bench.ben, after: nil, limit: 10).map(\.id) == [picture.id])
            #expect(try await library.data(picture.id, size: .small, for: bench.ben).bytes.isEmpty == false)
        }
    }
}
