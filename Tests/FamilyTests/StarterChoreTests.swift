import Accounts
import Kernel
import Pictures
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("The catalogue of chores and the first steps")
struct StarterChoreTests {
    @Test("Every starter chore has a built-in picture, and every picture belongs to one")
    func pictures() {
        #expect(StarterChore.allCases.allSatisfy { $0.pictureID != nil })
        #expect(Set(BuiltinChorePictures.all.map(\.name)) == Set(StarterChore.allCases.map(\.rawValue)))
    }

    @Test("Every suggested reward has a built-in picture, and every picture belongs to one")
    func rewardPictures() {
        let pictures = Set(StarterReward.allCases.compactMap(\.pictureID))
        #expect(pictures.count == StarterReward.allCases.count)
        #expect(Set(BuiltinRewardPictures.all.map(\.id)) == pictures)
    }

    @Test("Several chores are added at once, each once, also for a repeated request", arguments: Engine.allCases)
    func adding(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let service = fixture.family.starterChores
            let change = Change(
                actor: ada,
                idempotency: IdempotencyScope(
                    person: ada.person, method: "POST", path: "/family/starter-chores", key: "k", bodyDigest: [1]))
            for _ in 0..<2 {
                let added = try await service.add([.makeBed: "Make your bed", .vacuum: "Vacuum"], by: change)
                #expect(added.map(\.name) == ["Make your bed", "Vacuum"])
                fixture.clock.advance(seconds: 1)
            }
            fixture.clock.advance(seconds: 1)
            let second = try await service.add([.vacuum: "Vacuum", .read: "Read a book"], by: Change(actor: ada))
            #expect(second.map(\.name) == ["Read a book"])
            let stored = try await fixture.family.chores.list(for: ada, after: nil, limit: 9).items
            #expect(stored.map(\.name) == ["Make your bed", "Vacuum", "Read a book"])
            let added = try await service.list(for: ada).filter(\.isAdded).map(\.chore)
            #expect(added == [.makeBed, .read, .vacuum])
            // Another picture makes the chore of the catalogue available again; equal pictures are twins.
            let renamed = try await fixture.family.chores.update(
                try #require(stored.first).id, ChoreChanges(name: .set("Beds")), by: Change(actor: ada))
            #expect(!renamed.hasTwin)
        }
    }

    @Test("Nothing is added without a choice, without room for all, or by a child", arguments: Engine.allCases)
    func refusals(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let mia = fixture.asking(try await fixture.child(of: ada))
            let service = fixture.family.starterChores
            let none = await refusal { _ = try await service.add([:], by: Change(actor: ada)) }
            #expect(none?.fields.keys.contains("chores") == true)
            let child = await refusal { _ = try await service.add([.read: "Read"], by: Change(actor: mia)) }
            #expect(child?.code == .forbidden)
            _ = try await fixture.chores(Limits.choresPerHousehold - 1, of: ada)
            let full = await refusal {
                _ = try await service.add([.read: "Read", .vacuum: "Vacuum"], by: Change(actor: ada))
            }
            #expect(full?.code == .conflict)
            #expect(try await fixture.count("family_chore") == Limits.choresPerHousehold - 1)
            #expect(try await service.add([.read: "Read"], by: Change(actor: ada)).count == 1)
        }
    }

    @Test("The first steps follow what the family has, and end when all are done", arguments: Engine.allCases)
    func firstSteps(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            func steps() async throws -> [Bool]? {
                try await fixture.family.households.dashboard(for: ada, after: nil).firstSteps.map {
                    [$0.hasChild, $0.hasChore, $0.hasPlan, $0.hasReward, $0.hasDevice]
                }
            }
            #expect(try await steps() == [false, false, false, false, false])
            let mia = try await fixture.child(of: ada)
            #expect(try await steps() == [true, false, false, false, false])
            let chore = try await fixture.chore(of: ada)
            _ = try await fixture.family.contracts.create(
                for: mia, FamilyFixture.tenPoints, by: Change(actor: ada))
            #expect(try await steps() == [true, true, false, true, false])
            _ = try await fixture.family.schedules.set(
                ChoreScheduleInput(children: [mia.description], startsOn: "2026-03-01", rule: "FREQ=DAILY"),
                of: chore, by: Change(actor: ada))
            #expect(try await steps() == [true, true, true, true, false])
            let device = try await fixture.signedIn(mia, of: ada)
            #expect(try await steps() == nil)
            // Once done, they stay done.
            let child = Actor(person: mia, session: device.session.id, role: .child)
            try await fixture.accounts.sessions.signOut(child)
            #expect(try await steps() == nil)
        }
    }

    @Test("Hidden first steps stay hidden for all parents, and only parents hide them", arguments: Engine.allCases)
    func hiding(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            let mia = fixture.asking(try await fixture.child(of: ada))
            let child = await refusal { try await fixture.family.firstSteps.hide(by: Change(actor: mia)) }
            #expect(child?.code == .forbidden)
            #expect(try await fixture.family.households.dashboard(for: ben, after: nil).firstSteps != nil)
            try await fixture.family.firstSteps.hide(by: Change(actor: ada))
            #expect(try await fixture.family.households.dashboard(for: ben, after: nil).firstSteps == nil)
        }
    }

    @Test("A maximum that isn't chosen is the sum of the levels")
    func derivedMaximum() throws {
        func sum(_ points: Int64?...) -> Int64 {
            ContractInput.sum(of: points.map { LevelInput(reward: "Zoo", points: $0) })
        }
        #expect(sum(3, 4) == 7)
        #expect(sum(Limits.contractPoints, 1) == Limits.contractPoints)
        #expect(sum() == Limits.contractPoints)
        // Only the level without points is in error.
        for points: Int64? in [nil, 0, -1, Limits.contractPoints + 1] {
            #expect(sum(3, points) == Limits.contractPoints)
        }
        let levels = [LevelInput(reward: "Zoo", points: 3), LevelInput(reward: "Park", points: nil)]
        let error = #expect(throws: AppError.self) {
            _ = try ContractDraft(ContractInput(maxPoints: ContractInput.sum(of: levels), levels: levels))
        }
        #expect(error.map { Set($0.fields.keys) } == ["levels.1.points"])
    }

    @Test(
        "A child is a year older from its birthday on",
        arguments: [
            ("2017-03-02", "2025-03-01T23:59:59Z", 7), ("2017-03-02", "2025-03-02T00:00:00Z", 8),
            ("2016-02-29", "2026-02-28T12:00:00Z", 9), ("2016-02-29", "2026-03-01T00:00:00Z", 10),
        ])
    func age(born: String, now: String, years: Int) async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.parent()
            let profile = ChildProfile(name: "Kim", dateOfBirth: born)
            let child = try await fixture.family.children.create(profile, by: Change(actor: ada))
            #expect(child.ageInYears(at: try #require(Instant(rfc3339: now))) == years)
        }
    }

    @Test("Every age has suggestions for rewards, which differ between small children and teenagers")
    func rewards() {
        #expect((-1...30).allSatisfy { StarterReward.suited(toYears: $0).count >= 4 })
        #expect(Set(StarterReward.suited(toYears: 4)).isDisjoint(with: StarterReward.suited(toYears: 15)))
    }
}
