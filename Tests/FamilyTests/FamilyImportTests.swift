import Kernel
import Ledger
import Objects
import Pictures
import Recurrence
import Storage
import TestSupport
import Testing

@testable import Accounts
@testable import Family

/// Exports and imports of one server, in which another household takes the part of the other server.
private struct Movers {
    let fixture: FamilyFixture
    let imports: AccountImportService
    private let folder: TemporaryFolder

    init(_ fixture: FamilyFixture) throws {
        self.fixture = fixture
        folder = try TemporaryFolder()
        let objects = try FolderObjectStore(folder: folder.file("objects"))
        let pictures = PictureLibrary(
            database: fixture.database, objects: objects, worker: PictureWorker(executable: "/nonexistent"),
            clock: fixture.clock, random: fixture.random, logger: .silent)
        imports = AccountImportService(
            database: fixture.database, objects: objects, pictures: pictures, accounts: fixture.accounts,
            handlers: [fixture.family.importHandler], clock: fixture.clock, random: fixture.random, logger: .silent)
    }

    func export(_ actor: Actor) async throws -> [UInt8] {
        try await fixture.prove(.export, actor)
        var bytes: [UInt8] = []
        for try await piece in try await fixture.accounts.exports.export(actor) { bytes += piece }
        return bytes
    }

    func check(_ archive: [UInt8], for actor: Actor) async throws -> AccountImport {
        try await imports.receive(by: actor) { try await $0.append(archive) }
    }

    /// Imports an archive and returns its result.
    func bring(
        _ archive: [UInt8], to actor: Actor, includesProfile: Bool = false
    ) async throws -> AccountImport? {
        _ = try await check(archive, for: actor)
        _ = try await imports.start(nil, includesProfile: includesProfile, by: Change(actor: actor))
        await imports.worker.performDueJobs()
        return try await imports.current(for: actor)
    }
}

@Suite("Import of a family")
struct FamilyImportTests {
    private func give(
        _ points: Int64, of chore: ID<Chore>, to child: PersonID, by parent: Actor, _ fixture: FamilyFixture
    ) async throws {
        _ = try await fixture.family.assignments.assign(.each([chore], points), to: child, by: Change(actor: parent))
    }

    @Test("A household comes with chores, children, points and contracts, once", arguments: Engine.allCases)
    func once(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            _ = try await fixture.child("Lou", of: ada)
            let gone = try await fixture.child("Gone", of: ada)
            let dishes = try await fixture.chore(of: ada)
            let conditions = ChoreChanges(
                automaticHours: .set(5), automaticPoints: .set(2), steps: .set(["Wash", "Dry"]), needsPhoto: .set(true))
            _ = try await fixture.family.chores.update(dishes, conditions, by: Change(actor: ada))
            try await give(2, of: dishes, to: kim, by: ada, fixture)
            for _ in 0..<2 {
                fixture.clock.advance(milliseconds: 1)
                _ = try await fixture.family.contracts.create(
                    for: kim, FamilyFixture.tenPoints, by: Change(actor: ada))
                try await give(3, of: dishes, to: kim, by: ada, fixture)
            }
            let present = try #require(try await fixture.family.children.child(kim, for: ada).contract)
            _ = try await fixture.family.contracts.markHandedOver(
                level: 1, of: present.id, of: kim, by: Change(actor: ada))
            try await fixture.family.childDeletions.delete(gone, by: Change(actor: ada))
            let movers = try Movers(fixture)
            let archive = try await movers.export(ada)

            // Ben and Eve share a household on the new server; both may import.
            let ben = try await fixture.parent("Ben")
            let eve = try await fixture.parent("Eve", with: ben)
            let checked = try await movers.check(archive, for: ben).preview
            #expect(checked.notes == [.builtInPictures])
            #expect(
                checked.entries == [
                    ImportEntry(kind: .chore, name: "Dishes"), ImportEntry(kind: .child, name: "Kim", count: 8),
                    ImportEntry(kind: .child, name: "Lou"), ImportEntry(kind: .contract, name: "Kim", count: 3),
                    ImportEntry(kind: .contract, name: "Kim", count: 3),
                ])
            #expect(try await movers.bring(archive, to: ben)?.state == .done)
            for actor in [ben, eve, ada] {
                let again = try await movers.check(archive, for: actor).preview
                #expect(again.entries.allSatisfy { $0.isHere })
                #expect(try await movers.bring(archive, to: actor)?.state == .done)
            }

            let children = try await fixture.family.children.list(for: eve, after: nil, limit: 50).items
            #expect(children.map(\.name) == ["Kim", "Lou"])
            #expect(children.map(\.achievementPoints) == [8, 0])
            #expect(children.map(\.gainedPoints) == [3, 0])
            #expect(children.allSatisfy { $0.deviceCount == 0 && $0.avatarPictureID != nil })
            let contracts = try await fixture.family.contracts.list(
                of: children[0].id, for: ben, after: nil, limit: 50
            ).items
            #expect(contracts.map(\.gainedPoints) == [3, 3] && contracts.map { $0.endedAt == nil } == [true, false])
            #expect(contracts[0].levels.map(\.reward) == ["Ice cream", "Cinema", "Bicycle"])
            #expect(contracts[0].levels[0].handedOverAt != nil && contracts[0].levels[0].reachedAt != nil)
            #expect(
                try await fixture.family.chores.list(for: ben, after: nil, limit: 50).items.map(\.name) == ["Dishes"])
            #expect(try await fixture.family.children.list(for: ada, after: nil, limit: 50).items.count == 2)
            let kinds: [String] = try await fixture.database.read { tx in
                try tx.rows("SELECT kind FROM ledger_transfer WHERE kind <> 'chore'").map { try $0.get("kind") }
            }
            #expect(kinds == ["opening-balance", "opening-balance", "opening-balance"])

            // New points continue from the opening balance.
            let chore = try #require(
                try await fixture.family.chores.list(for: ben, after: nil, limit: 1).items.first)
            #expect(chore.automatic == AutomaticPoints(hours: 5, points: 2))
            #expect(chore.steps == ["Wash", "Dry"] && chore.needsPhoto)
            try await give(3, of: chore.id, to: children[0].id, by: ben, fixture)
            #expect(try await fixture.points(children[0].id, ben) == [6, 11, 2])

            // What a former parent imported is here as well.
            try await fixture.remove(ben.person, by: ben)
            #expect(try await movers.check(archive, for: eve).preview.entries.allSatisfy(\.isHere))
        }
    }

    @Test(
        "Schedules, pauses, rewards, goals, wishes and streaks come with a household, once", arguments: Engine.allCases)
    func plans(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let lou = try await fixture.child("Lou", of: ada)
            let gone = try await fixture.child("Gone", of: ada)
            let dishes = try await fixture.chore(of: ada)
            let bins = try await fixture.chore("Bins", of: ada)
            let daily = ChoreScheduleInput(
                children: [kim, lou, gone].map(\.description), startsOn: "2026-02-01", dueTime: "18:00",
                rule: "FREQ=DAILY", distribution: "turns", offeredPoints: 2, graceMinutes: 30, remindMinutesBefore: 60,
                remindsWhenOverdue: true, timeZone: "Europe/Berlin")
            _ = try await fixture.family.schedules.set(daily, of: dishes, by: Change(actor: ada))
            try await fixture.family.skips.skip(dishes, on: "2026-03-05", by: Change(actor: ada))
            let once = ChoreScheduleInput(children: [gone.description], startsOn: "2026-03-02")
            _ = try await fixture.family.schedules.set(once, of: bins, by: Change(actor: ada))
            for child in [kim, gone] {
                _ = try await fixture.family.pauses.create(
                    PauseInput(child: child.description, endsOn: "2026-03-09"), by: Change(actor: ada))
            }
            _ = try await fixture.family.pauses.create(
                PauseInput(startsOn: "2026-05-01", endsOn: "2026-05-14"), by: Change(actor: ada))
            let zoo = try await fixture.reward("Zoo", price: 9, stock: 4, for: [kim, gone], cooldownDays: 7, by: ada)
            _ = try await fixture.reward("Kite", needsApproval: false, by: ada)
            _ = try await fixture.reward("Secret", for: [gone], by: ada)
            let own = Change(actor: fixture.asking(kim))
            _ = try await fixture.family.savingGoals.choose(zoo.id, for: kim, by: own)
            _ = try await fixture.family.wishes.add("Pony", for: kim, by: own)
            try await fixture.database.write { tx in
                try StreakStore.save(
                    StoredStreak(streak: Streak(childID: kim, days: 5, bestDays: 8, freezes: 1)), in: tx)
            }
            try await fixture.family.childDeletions.delete(gone, by: Change(actor: ada))
            let movers = try Movers(fixture)
            let archive = try await movers.export(ada)
            // The pause is shorter where it is imported later.
            fixture.clock.advance(seconds: 2 * 24 * 60 * 60)

            let ben = try await fixture.parent("Ben")
            let checked = try await movers.check(archive, for: ben).preview.entries.filter {
                ![.chore, .child].contains($0.kind)
            }
            #expect(
                checked == [
                    ImportEntry(kind: .pause, name: "Kim"), ImportEntry(kind: .pause, name: ""),
                    ImportEntry(kind: .schedule, name: "Dishes"), ImportEntry(kind: .reward, name: "Kite"),
                    ImportEntry(kind: .reward, name: "Zoo"), ImportEntry(kind: .wish, name: "Pony"),
                ])
            for _ in 0..<2 {
                let done = try #require(try await movers.bring(archive, to: ben))
                #expect(done.state == .done && done.refusedCount == 0)
            }
            #expect(try await movers.check(archive, for: ben).preview.entries.allSatisfy(\.isHere))

            let children = try await fixture.family.children.list(for: ben, after: nil, limit: 50).items
            let (newKim, newLou) = (children[0].id, children[1].id)
            #expect(children.map(\.name) == ["Kim", "Lou"])
            #expect(children[0].savingGoal?.name == "Zoo" && children[0].savingGoal?.price == 9)
            let chores = try await fixture.family.chores.list(for: ben, after: nil, limit: 50).items
            let details = try await fixture.family.schedules.details(of: chores[0].id, for: ben)
            let schedule = try #require(details.schedule)
            #expect(schedule.children == [newKim, newLou].sorted() && schedule.distribution == .turns)
            #expect(schedule.startsOn.text == "2026-02-01" && schedule.dueTime?.text == "18:00")
            #expect(schedule.rule?.rfc5545 == "FREQ=DAILY" && schedule.offeredPoints == 2)
            #expect(schedule.graceMinutes == 30 && schedule.remindMinutesBefore == 60 && schedule.remindsWhenOverdue)
            #expect(details.timeZone == "Europe/Berlin")
            #expect(details.dates.filter(\.isSkipped).map(\.date.text) == ["2026-03-05"])
            #expect(try await fixture.family.schedules.details(of: chores[1].id, for: ben).schedule == nil)
            let pauses = try await fixture.family.pauses.details(for: ben).pauses
            #expect(pauses.map(\.childID) == [newKim, nil])
            #expect(pauses.map(\.startsOn.text) == ["2026-03-03", "2026-05-01"])
            #expect(pauses.map { $0.endsOn?.text } == ["2026-03-09", "2026-05-14"])
            let shop = try await fixture.family.shop.shop(for: ben)
            #expect(shop.rewards.map(\.name) == ["Kite", "Zoo"] && shop.rewards.map(\.price) == [5, 9])
            #expect(shop.rewards.map(\.stock) == [nil, 4] && shop.rewards.map(\.cooldownDays) == [nil, 7])
            #expect(shop.rewards.map(\.needsApproval) == [false, true])
            #expect(shop.rewards.map(\.children) == [nil, [newKim]])
            #expect(shop.wishes.map(\.name) == ["Pony"] && shop.wishes.map(\.childID) == [newKim])
            // A paused child has no turn.
            let today = try await fixture.family.today.today(for: ben)
            #expect(today.entries.filter { $0.state == .due }.map(\.childID) == [newLou])
            #expect(today.streaks[newKim] == Streak(childID: newKim, days: 5, bestDays: 8, freezes: 1))
            try await fixture.checkPoints()
        }
    }

    private static let childID = "0190a1b2-c3d4-7000-8000-00000000000c"
    private static let child = #"[{"id":"\#(childID)","name":"Kim","dateOfBirth":"2015-05-01","theme":"ocean"}]"#

    /// A contract with one level of three points.
    private static func contract(_ members: String, level: String = "") -> String {
        #"[{"id":"0190a1b2-c3d4-7000-8000-00000000000d","childId":"\#(childID)","maxPoints":10,"#
            + #""levels":[{"reward":"Ice","points":3\#(level)},{"reward":"Zoo","points":7}]\#(members)}]"#
    }

    private static let reached = #","reachedAt":"2020-01-01T00:00:00Z""#
    private static let handedOver = #","handedOverAt":"2020-01-01T00:00:00Z""#

    private static let families: [(name: String, path: String, text: String, isAccepted: Bool)] = [
        ("a contract", "contracts", contract(#","gainedPoints":3"#, level: reached + handedOver), true),
        ("a chore without a picture", "chores", #"[{"id":"\#(childID)","name":"Dishes"}]"#, false),
        (
            "a chore that counts after too many hours", "chores",
            #"[{"id":"\#(childID)","name":"Dishes","pictureId":"\#(childID)","automaticHours":169,"automaticPoints":1}]"#,
            false
        ),
        ("a reward without a price", "rewards", #"[{"id":"\#(childID)","name":"Zoo"}]"#, false),
        (
            "a reward with a wrong child", "rewards",
            #"[{"id":"\#(childID)","name":"Zoo","price":1,"childIds":["x"]}]"#, false
        ),
        ("a wish without a name", "wishes", #"[{"id":"\#(childID)","childId":"\#(childID)"}]"#, false),
        ("a pause without a start", "pauses", #"[{"id":"\#(childID)"}]"#, false),
        (
            "a pause that ends before it starts", "pauses",
            #"[{"id":"\#(childID)","startsOn":"2026-05-02","endsOn":"2026-05-01"}]"#, false
        ),
        (
            "a schedule with a wrong rule", "schedules",
            #"[{"choreId":"\#(childID)","childIds":["\#(childID)"],"startsOn":"2026-05-01","rule":"FREQ=NEVER"}]"#,
            false
        ),
        ("a streak below zero", "streaks", #"[{"childId":"\#(childID)","days":-1}]"#, false),
        ("a child without a name", "children", #"[{"id":"\#(childID)"}]"#, false),
        ("negative points", "contracts", contract(#","gainedPoints":-1"#), false),
        ("too many points", "contracts", contract(#","surplusPoints":1000001"#), false),
        ("a level without its points", "contracts", contract(#","gainedPoints":2"#, level: reached), false),
        ("a reward of no reached level", "contracts", contract(#","gainedPoints":3"#, level: handedOver), false),
        (
            "an end before the start", "contracts",
            contract(#","createdAt":"2020-01-02T00:00:00Z","endedAt":"2020-01-01T00:00:00Z""#), false
        ),
    ]

    @Test("Families that the forms refuse aren't imported", arguments: families.indices)
    func refused(index: Int) async throws {
        let (name, path, text, isAccepted) = Self.families[index]
        try await withFixture(.sqlite) { fixture in
            let (movers, ada) = (try Movers(fixture), try await fixture.parent())
            var files = ["account.json": #"{"name":"Ada","role":"adult"}"#, "family/children.json": Self.child]
            files["family/\(path).json"] = text
            var zip = ZipWriter(at: fixture.clock.now)
            var archive: [UInt8] = []
            for (path, text) in files { archive += try zip.store(path, Array(text.utf8)) }
            archive += zip.finish()
            if isAccepted {
                let entries = try await movers.check(archive, for: ada).preview.entries
                #expect(entries.map(\.kind) == [.child, .contract])
            } else {
                let error = await refusal { _ = try await movers.check(archive, for: ada) }
                #expect(error?.fields == ["archive": AccountMessage.importInvalid.text], "\(name)")
            }
        }
    }

    private static let overfull: [(path: String, limit: Int)] = [
        ("family/chores.json", Limits.choresPerHousehold), ("family/children.json", Limits.importedChildren),
        ("family/contracts.json", Limits.importedContractsOfHousehold),
        ("family/schedules.json", Limits.choresPerHousehold), ("family/pauses.json", Limits.pausesPerHousehold),
        ("family/rewards.json", Limits.rewardsPerHousehold),
        ("family/wishes.json", Limits.importedChildren * Limits.wishesPerChild),
        ("family/streaks.json", Limits.importedChildren),
    ]

    private static func archive(_ files: [(path: String, text: String)], at now: Instant) throws -> [UInt8] {
        var zip = ZipWriter(at: now)
        var bytes = try zip.store("account.json", Array(#"{"name":"Ada","role":"adult"}"#.utf8))
        for (path, text) in files { bytes += try zip.store(path, Array(text.utf8)) }
        return bytes + zip.finish()
    }

    @Test("A list with too many entries is refused before any of them is read", arguments: overfull.indices)
    func tooMany(index: Int) async throws {
        let (path, limit) = Self.overfull[index]
        try await withFixture(.sqlite) { fixture in
            let (movers, ada) = (try Movers(fixture), try await fixture.parent())
            let list = "[" + String(repeating: "{},", count: limit) + "{}]"
            let archive = try Self.archive([(path, list)], at: fixture.clock.now)
            let error = await refusal { _ = try await movers.check(archive, for: ada) }
            #expect(error?.fields == ["archive": AccountMessage.importOverfull(in: path, maximum: limit)])
        }
    }

    @Test("Schedules that are costly to check are refused by their number, and a second one of a chore by its id")
    func schedules() async throws {
        try await withFixture(.sqlite) { fixture in
            let (movers, ada) = (try Movers(fixture), try await fixture.parent())
            func archive(_ count: Int, digits: Int) throws -> [UInt8] {
                let schedules = (0..<count).map { index in
                    let number = String(index % digits + 1_000)
                    return #"{"choreId":"0190a1b2-c3d4-7000-8000-00000000\#(number)","childIds":["\#(Self.childID)"],"#
                        + #""startsOn":"2026-05-01","#
                        + #""rule":"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;COUNT=1000"}"#
                }
                let list = "[" + schedules.joined(separator: ",") + "]"
                return try Self.archive([("family/schedules.json", list)], at: fixture.clock.now)
            }
            let many = try archive(300, digits: 1_000)
            let error = await refusal { _ = try await movers.check(many, for: ada) }
            let message = AccountMessage.importOverfull(
                in: "family/schedules.json", maximum: Limits.choresPerHousehold)
            #expect(error?.fields == ["archive": message])
            let twice = try archive(2, digits: 1)
            let other = await refusal { _ = try await movers.check(twice, for: ada) }
            #expect(other?.fields == ["archive": AccountMessage.importRepeated(in: "family/schedules.json")])
        }
    }

    @Test(
        "H-20: A household needs the parent's date of birth, and a profile is filled in only where it is empty",
        arguments: Engine.allCases)
    func dateOfBirthOfArchive(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            _ = try await fixture.child(of: ada)
            try await fixture.database.write { tx in
                try tx.execute("UPDATE account SET phone = '+4915123456789' WHERE id = \(ada.person)")
            }
            let movers = try Movers(fixture)
            let archive = try await movers.export(ada)
            for includesProfile in [false, true] {
                let ben = try await fixture.grownUp("Ben \(includesProfile)", dateOfBirth: nil)
                #expect(try await movers.check(archive, for: ben).preview.notes == [.profileNeeded])
                let result = try await movers.bring(archive, to: ben, includesProfile: includesProfile)
                #expect(result?.state == .done)
                #expect(result?.refusedCount == (includesProfile ? 0 : 1))
                #expect(try await fixture.count("family_household") == (includesProfile ? 2 : 1))
                let account = try await fixture.accounts.reader.account(ben)
                #expect(account.name == "Ben \(includesProfile)" && account.email == "\(ben.person)@example.org")
                #expect(account.phone == (includesProfile ? "+4915123456789" : nil))
                #expect(account.dateOfBirth == (includesProfile ? "1985-05-01" : nil))
                guard includesProfile else { continue }
                #expect(try await movers.check(archive, for: ben).preview.notes.isEmpty)
                let children = try await fixture.family.children.list(for: ben, after: nil, limit: 50).items
                #expect(children.map(\.name) == ["Kim"])
            }
        }
    }

    @Test("A household isn't imported without any date of birth", arguments: Engine.allCases)
    func dateOfBirth(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            _ = try await fixture.child(of: ada)
            try await fixture.database.write { tx in
                try tx.execute("UPDATE account SET date_of_birth = NULL WHERE id = \(ada.person)")
            }
            let movers = try Movers(fixture)
            let archive = try await movers.export(ada)
            let ben = try await fixture.grownUp("Ben", dateOfBirth: nil)
            let checked = try await movers.check(archive, for: ben).preview
            #expect(checked.notes == [.dateOfBirthNeeded])
            #expect(checked.entries.allSatisfy { $0.kind == .profile })
            #expect(try await movers.bring(archive, to: ben)?.state == .done)
            #expect(try await fixture.count("family_household") == 1)
        }
    }
}
