import Accounts
import Kernel
import Pictures
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Chores of a household")
struct ChoreTests {
    @Test("A chore needs a name and a picture, and each error is at its field", arguments: Engine.allCases)
    func required(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            let mine = try await fixture.picture(of: ada.person)
            let theirs = try await fixture.picture(of: ben.person)
            let cases: [(ChoreInput, Set<String>)] = [
                (ChoreInput(), ["name", "pictureId"]), (ChoreInput(name: "Dishes"), ["pictureId"]),
                (ChoreInput(name: " ", pictureID: mine), ["name"]),
                (ChoreInput(name: String(repeating: "x", count: 51), pictureID: mine), ["name"]),
                (ChoreInput(name: "a\u{7}", pictureID: mine), ["name"]),
                (ChoreInput(name: "Dishes", pictureID: theirs), ["pictureId"]),
            ]
            for (input, fields) in cases {
                let error = await refusal { _ = try await fixture.family.chores.create(input, by: Change(actor: ada)) }
                #expect(error?.code == .invalid)
                #expect(error.map { Set($0.fields.keys) } == fields)
            }
            #expect(try await fixture.count("family_chore") == 0)
            let avatar = try #require(BuiltinAvatars.all.first)
            let saved = try await fixture.family.chores.create(
                ChoreInput(name: "🐕 Walk", pictureID: avatar.id), by: Change(actor: ada))
            #expect(!saved.hasTwin)
        }
    }

    @Test("A chore with another's name or picture is saved, and the result says so", arguments: Engine.allCases)
    func twins(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let eve = try await fixture.parent("Eve")
            let first = try await fixture.picture(of: ada.person)
            let second = try await fixture.picture(of: ada.person)
            func add(_ name: String, _ picture: ID<Picture>) async throws -> SavedChore {
                try await fixture.family.chores.create(
                    ChoreInput(name: name, pictureID: picture), by: Change(actor: ada))
            }
            #expect(try await !add("Dishes", first).hasTwin)
            #expect(try await add("dishes", second).hasTwin)
            #expect(try await add("Laundry", first).hasTwin)
            #expect(try await fixture.family.chores.list(for: ada, after: nil, limit: 9).items.count == 3)
            let theirs = try await fixture.picture(of: eve.person)
            let other = try await fixture.family.chores.create(
                ChoreInput(name: "Dishes", pictureID: theirs), by: Change(actor: eve))
            #expect(!other.hasTwin)
        }
    }

    @Test("Each parent can change a chore without replacing the other one's picture", arguments: Engine.allCases)
    func edited(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            let kim = try await fixture.child(of: ada)
            let id = try await fixture.chore(of: ada)
            let picture = try await fixture.family.chores.chore(id, for: ben).pictureID
            let told = try await fixture.told {
                let saved = try await fixture.family.chores.update(
                    id, ChoreChanges(name: .set("Laundry"), pictureID: .set(picture)),
                    by: Change(actor: ben, ifVersion: 1))
                #expect(saved.chore.name == "Laundry")
                #expect(saved.chore.version == 2)
            }
            #expect(told[kim] == ["chore /family/chores/\(id)"])
            let stale = await refusal {
                _ = try await fixture.family.chores.update(
                    id, ChoreChanges(name: .set("X")), by: Change(actor: ada, ifVersion: 1))
            }
            #expect(stale?.code == .conflict)
            let empty = await refusal {
                _ = try await fixture.family.chores.update(
                    id, ChoreChanges(name: .clear, pictureID: .clear), by: Change(actor: ada))
            }
            #expect(empty.map { Set($0.fields.keys) } == ["name", "pictureId"])
            let same = try await fixture.family.chores.update(id, ChoreChanges(), by: Change(actor: ada))
            #expect(same.chore.version == 2)
            let mine = try await fixture.picture(of: ben.person)
            let denied = await refusal {
                _ = try await fixture.family.chores.update(
                    id, ChoreChanges(pictureID: .set(mine)), by: Change(actor: ada))
            }
            #expect(denied?.fields["pictureId"] != nil)
            for actor in [fixture.asking(kim)] {
                let error = await refusal {
                    _ = try await fixture.family.chores.update(id, ChoreChanges(), by: Change(actor: actor))
                }
                #expect(error?.code == .forbidden)
            }
        }
    }

    @Test("A deleted chore is hidden, and it can be restored until its time is over", arguments: Engine.allCases)
    func deleted(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let ids = try await fixture.chores(2, of: ada)
            try await fixture.family.chores.delete(ids[0], by: Change(actor: ada))
            let offered = try await fixture.family.chores.list(for: fixture.asking(kim), after: nil, limit: 9).items
            #expect(offered.map(\.id) == [ids[1]])
            for body: @Sendable () async throws -> Void in [
                { _ = try await fixture.family.chores.chore(ids[0], for: ada) },
                { try await fixture.family.chores.delete(ids[0], by: Change(actor: ada)) },
                { _ = try await fixture.family.chores.update(ids[0], ChoreChanges(), by: Change(actor: ada)) },
            ] {
                let error = await refusal(body)
                #expect(error?.code == .notFound)
            }
            fixture.clock.advance(milliseconds: Limits.familyUndoSeconds * 1_000 - 1)
            let back = try await fixture.family.chores.restore(ids[0], by: Change(actor: ada))
            #expect(back.version == 3)
            #expect(try await fixture.family.chores.list(for: ada, after: nil, limit: 9).items.map(\.id) == ids)
            #expect(try await fixture.family.chores.restore(ids[0], by: Change(actor: ada)) == back)
            try await fixture.family.chores.delete(ids[0], by: Change(actor: ada))
            fixture.clock.advance(seconds: Limits.familyUndoSeconds)
            let late = await refusal { _ = try await fixture.family.chores.restore(ids[0], by: Change(actor: ada)) }
            #expect(late?.code == .notFound)
            try await fixture.family.housekeeping.run()
            #expect(try await fixture.count("family_chore") == 1)
        }
    }

    @Test("Chores of another household get 404", arguments: Engine.allCases)
    func strangers(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let eve = try await fixture.parent("Eve")
            let id = try await fixture.chore(of: ada)
            for body: @Sendable () async throws -> Void in [
                { _ = try await fixture.family.chores.chore(id, for: eve) },
                { _ = try await fixture.family.chores.update(id, ChoreChanges(), by: Change(actor: eve)) },
                { try await fixture.family.chores.delete(id, by: Change(actor: eve)) },
                { _ = try await fixture.family.chores.restore(id, by: Change(actor: eve)) },
            ] {
                let error = await refusal(body)
                #expect(error == .notFound)
            }
            #expect(try await fixture.family.chores.list(for: eve, after: nil, limit: 9).items.isEmpty)
        }
    }

    @Test("The household sees a chore's picture, and keeps it while an assignment needs it", arguments: Engine.allCases)
    func pictures(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            let eve = try await fixture.parent("Eve")
            let kim = try await fixture.child(of: ada)
            let id = try await fixture.chore(of: ada)
            let picture = try await fixture.family.chores.chore(id, for: ada).pictureID
            func isSeen(_ picture: ID<Picture>, _ person: PersonID) async throws -> Bool {
                try await fixture.database.read { tx in
                    try FamilyServices.pictureVisibility.isVisible(picture, to: person, in: tx)
                }
            }
            for person in [ben.person, kim] { #expect(try await isSeen(picture, person)) }
            #expect(try await !isSeen(picture, eve.person))
            let unused = try await fixture.picture(of: ada.person)
            #expect(try await !isSeen(unused, ben.person))
            let avatar = try await fixture.picture(of: ada.person)
            _ = try await fixture.family.children.update(
                kim, ProfileChanges(avatarPictureID: .set(avatar)), by: Change(actor: ada))
            #expect(try await isSeen(avatar, ben.person))
            #expect(try await !isSeen(avatar, eve.person))
            _ = try await fixture.family.assignments.assign(.each([id], 1), to: kim, by: Change(actor: ada))
            try await fixture.family.chores.delete(id, by: Change(actor: ada))
            fixture.clock.advance(seconds: Limits.familyUndoSeconds)
            try await fixture.family.housekeeping.run()
            #expect(try await isSeen(picture, kim))
            let inUse = await refusal {
                try await fixture.accounts.pictures.remove(picture, by: Change(actor: ada))
            }
            #expect(inUse?.code == .conflict)
        }
    }
}
