import Accounts
import Foundation
import Kernel
import Pictures
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Children of a household")
struct ChildTests {
    struct Typed: Sendable, CustomTestStringConvertible {
        let name: String
        let date: String?
        let isValid: Bool
        let field: String?
        var testDescription: String { "\(name) \(date ?? "nil")" }

        init(_ name: String, _ date: String?, wrong field: String? = nil) {
            self.name = name
            self.date = date
            self.field = field
            isValid = field == nil
        }
    }

    /// The test clock starts on 1 March 2026 at noon.
    private static let typed: [Typed] = [
        Typed("Kim", "2016-02-29"), Typed("Kim", "2015-02-29", wrong: "dateOfBirth"),
        Typed("Kim", "2000-02-29"), Typed("Kim", "1900-02-29", wrong: "dateOfBirth"),
        Typed("Kim", "1985-05-02"), Typed("Kim", "1899-12-31", wrong: "dateOfBirth"),
        Typed("Kim", "01.02.2016", wrong: "dateOfBirth"), Typed("Kim", "2016-2-9", wrong: "dateOfBirth"),
        Typed("Kim", "2016-13-01", wrong: "dateOfBirth"), Typed("Kim", "", wrong: "dateOfBirth"),
        Typed("Kim", nil, wrong: "dateOfBirth"), Typed("Kim", "٢٠١٦-٠١-٠١", wrong: "dateOfBirth"),
        Typed("👨‍👩‍👧‍👦 Zoë", "2016-01-01"), Typed("محمد بن سلمان", "2016-01-01"), Typed("שרה‏", "2016-01-01"),
        Typed("O'Brien <b>&amp;</b>", "2016-01-01"), Typed(String(repeating: "👍🏽", count: 50), "2016-01-01"),
        Typed(String(repeating: "x", count: 51), "2016-01-01", wrong: "name"),
        Typed(" \u{200b} ", "2016-01-01", wrong: "name"), Typed("a\u{7}b", "2016-01-01", wrong: "name"),
    ]

    @Test(
        "Names and dates of birth are accepted or get an error at the wrong field", arguments: Engine.allCases, typed)
    func added(engine: Engine, typed: Typed) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let profile = ChildProfile(name: typed.name, dateOfBirth: typed.date)
            if typed.isValid {
                let child = try await fixture.family.children.create(profile, by: Change(actor: ada))
                #expect(child.name == typed.name.precomposedStringWithCanonicalMapping)
                #expect(child.dateOfBirth == typed.date)
                #expect(child.theme == Themes.standard)
                #expect(child.avatarPictureID != nil)
                #expect([child.gainedPoints, child.achievementPoints, Int64(child.prizeLevel)] == [0, 0, 0])
                #expect(child.contract == nil)
                #expect(child.deviceCount == 0)
            } else {
                let error = await refusal {
                    _ = try await fixture.family.children.create(profile, by: Change(actor: ada))
                }
                #expect(error?.code == .invalid)
                #expect(error.map { Array($0.fields.keys) } == [typed.field].compactMap { $0 })
                #expect(try await fixture.count("family_member WHERE role = 'child'") == 0)
                #expect(try await fixture.count("account WHERE role = 'child'") == 0)
            }
        }
    }

    @Test("A child can't be older than the parent who adds or edits it", arguments: Engine.allCases)
    func olderThanParent(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            for day in ["1900-01-01", "1985-05-01"] {
                let profile = ChildProfile(name: "Leo", dateOfBirth: day)
                let added = await refusal {
                    _ = try await fixture.family.children.create(profile, by: Change(actor: ada))
                }
                let changes = ProfileChanges(name: .set("Kimmy"), dateOfBirth: .set(day))
                let edited = await refusal {
                    _ = try await fixture.family.children.update(kim, changes, by: Change(actor: ada))
                }
                for error in [added, edited] {
                    #expect(error?.code == .invalid)
                    #expect(error?.fields["dateOfBirth"] == "A child’s date of birth must be after yours. Check both.")
                }
            }
            #expect(try await fixture.count("account WHERE role = 'child'") == 1)
            #expect(try await fixture.count("account WHERE name = 'Kimmy'") == 0)
        }
    }

    @Test("A date of birth must be before today", arguments: Engine.allCases)
    func today(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            func born(_ days: Int64) async -> AppError? {
                let day = String(fixture.now.adding(seconds: days * 24 * 60 * 60).rfc3339.prefix(10))
                let profile = ChildProfile(name: "Kim", dateOfBirth: day)
                return await refusal { _ = try await fixture.family.children.create(profile, by: Change(actor: ada)) }
            }
            let yesterday = await born(-1)
            #expect(yesterday == nil)
            for days in [0, 1] as [Int64] {
                let error = await born(days)
                #expect(error?.fields["dateOfBirth"] != nil)
            }
        }
    }

    @Test("Two children may have the same profile, and all members get the event", arguments: Engine.allCases)
    func alike(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            let kim = try await fixture.child("Kim", of: ada)
            var twin: PersonID?
            let told = try await fixture.told { twin = try await fixture.child("Kim", of: ben) }
            let other = try #require(twin)
            #expect(kim != other)
            let event: Set = ["child /family/children/\(other)"]
            #expect(told == [ada.person: event, ben.person: event, kim: event, other: event])
            let cards = try await fixture.family.children.list(for: fixture.asking(kim), after: nil, limit: 10).items
            #expect(cards.map(\.id) == [kim, other])
            #expect(cards.map(\.deviceCount) == [nil, nil])
            let first = try await fixture.family.children.list(for: ada, after: nil, limit: 1)
            let second = try await fixture.family.children.list(for: ada, after: first.next, limit: 1)
            #expect([first, second].flatMap(\.items).map(\.id) == [kim, other])
            #expect(second.next == nil)
        }
    }

    @Test("A repeated request adds one child", arguments: Engine.allCases)
    func replay(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let change = Change.keyed(ada, "/family/children", "k")
            let one = try await fixture.family.children.create(FamilyFixture.profile, by: change)
            let again = try await fixture.family.children.create(FamilyFixture.profile, by: change)
            #expect(one.id == again.id)
            #expect(try await fixture.family.children.list(for: ada, after: nil, limit: 10).items.count == 1)
            try await fixture.family.childDeletions.delete(one.id, by: Change(actor: ada))
            let gone = await refusal { _ = try await fixture.family.children.create(FamilyFixture.profile, by: change) }
            #expect(gone?.code == .notFound)
        }
    }

    @Test("A parent or the child changes a profile, and no field can be cleared", arguments: Engine.allCases)
    func edited(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let leo = try await fixture.child("Leo", of: ada)
            let avatar = try await fixture.picture(of: ada.person)
            let changes = ProfileChanges(
                email: .set("kim@example.org"), name: .set("Kimmy"), dateOfBirth: .set("2017-03-04"),
                theme: .set("ocean"), avatarPictureID: .set(avatar)
            )
            let told = try await fixture.told {
                let child = try await fixture.family.children.update(kim, changes, by: Change(actor: ada, ifVersion: 1))
                #expect([child.name, child.dateOfBirth, child.theme] == ["Kimmy", "2017-03-04", "ocean"])
                #expect(child.avatarPictureID == avatar)
                #expect(child.version == 2)
            }
            #expect(told[leo]?.contains("child /family/children/\(kim)") == true)
            let email: String? = try await fixture.database.read { tx in
                try tx.row("SELECT email FROM account WHERE id = \(kim)")?.get("email")
            }
            #expect(email == nil)
            let own = try await fixture.family.children.update(
                kim, ProfileChanges(theme: .set("candy"), avatarPictureID: .set(avatar)),
                by: Change(actor: fixture.asking(kim)))
            #expect(own.theme == "candy")
            let sibling = await refusal {
                _ = try await fixture.family.children.update(
                    leo, ProfileChanges(name: .set("X")), by: Change(actor: fixture.asking(kim)))
            }
            #expect(sibling?.code == .forbidden)
            let stale = await refusal {
                _ = try await fixture.family.children.update(
                    kim, ProfileChanges(name: .set("X")), by: Change(actor: ada, ifVersion: 1))
            }
            #expect(stale?.code == .conflict)
            let empty = await refusal {
                let nothing = ProfileChanges(
                    name: .clear, dateOfBirth: .clear, theme: .clear, avatarPictureID: .clear)
                _ = try await fixture.family.children.update(kim, nothing, by: Change(actor: ada))
            }
            #expect(empty.map { Set($0.fields.keys) } == ["name", "dateOfBirth", "theme", "avatarPictureId"])
            let otherPicture = try await fixture.picture(of: leo)
            let picture = await refusal {
                _ = try await fixture.family.children.update(
                    kim, ProfileChanges(avatarPictureID: .set(otherPicture)), by: Change(actor: ada))
            }
            #expect(picture?.fields["avatarPictureId"] != nil)
        }
    }

    @Test("A deleted child is hidden at once and is restored with all of its data", arguments: Engine.allCases)
    func undone(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let ben = try await fixture.parent("Ben", with: ada)
            let kim = try await fixture.child(of: ada)
            let leo = try await fixture.child("Leo", of: ada)
            let chores = try await fixture.chores(2, of: ada)
            _ = try await fixture.family.contracts.create(for: kim, FamilyFixture.tenPoints, by: Change(actor: ada))
            _ = try await fixture.family.assignments.assign(.each(chores, 3), to: kim, by: Change(actor: ada))
            let device = try await fixture.signedIn(kim, of: ada)
            let told = try await fixture.told {
                try await fixture.family.childDeletions.delete(kim, by: Change(actor: ben))
            }
            #expect(told[leo] == ["child /family/children/\(kim)"])
            #expect(told[kim]?.contains("session /account/sessions/\(device.session.id)") == true)
            #expect(try await fixture.family.children.list(for: ada, after: nil, limit: 9).items.map(\.id) == [leo])
            #expect(try await fixture.accounts.authenticator.authenticate(token: device.token, kind: .bearer) == nil)
            for body: @Sendable () async throws -> Void in [
                { _ = try await fixture.family.children.child(kim, for: ada) },
                { _ = try await fixture.family.assignments.assign(.each(chores, 1), to: kim, by: Change(actor: ada)) },
                { _ = try await fixture.family.signInCodes.create(for: kim, by: Change(actor: ada)) },
                { try await fixture.family.childDeletions.delete(kim, by: Change(actor: ada)) },
                {
                    _ = try await fixture.family.contracts.list(of: kim, for: fixture.asking(leo), after: nil, limit: 1)
                },
            ] {
                let error = await refusal(body)
                #expect(error?.code == .notFound)
            }
            let asking = await refusal {
                _ = try await fixture.family.children.list(for: fixture.asking(kim), after: nil, limit: 1)
            }
            #expect(asking?.code == .forbidden)
            fixture.clock.advance(milliseconds: Limits.childRestorationSeconds * 1_000 - 1)
            try await fixture.family.housekeeping.run()
            let child = try await fixture.family.childDeletions.restore(kim, by: Change(actor: ada))
            #expect([child.gainedPoints, child.achievementPoints] == [6, 6])
            #expect(child.deviceCount == 0)
            #expect(try await fixture.family.childDeletions.restore(kim, by: Change(actor: ben)) == child)
            #expect(
                try await fixture.family.children.list(for: ada, after: nil, limit: 9).items.map(\.id) == [kim, leo])
            try await fixture.checkPoints()
        }
    }

    @Test("After 7 days a deleted child is erased, and its transfers stay", arguments: Engine.allCases)
    func purged(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chores = try await fixture.chores(1, of: ada)
            _ = try await fixture.family.contracts.create(for: kim, FamilyFixture.tenPoints, by: Change(actor: ada))
            _ = try await fixture.family.assignments.assign(.each(chores, 3), to: kim, by: Change(actor: ada))
            _ = try await fixture.family.requests.create(chores[0], for: kim, by: Change(actor: fixture.asking(kim)))
            _ = try await fixture.signedIn(kim, of: ada)
            let change = Change.keyed(ada, "/family/children/\(kim)", "k")
            try await fixture.family.childDeletions.delete(kim, by: change)
            try await fixture.family.childDeletions.delete(kim, by: change)
            fixture.clock.advance(seconds: Limits.childRestorationSeconds)
            let late = await refusal {
                _ = try await fixture.family.childDeletions.restore(kim, by: Change(actor: ada))
            }
            #expect(late?.code == .notFound)
            try await fixture.family.housekeeping.run()
            for table: SQL in [
                "account WHERE role = 'child'", "family_contract", "family_level", "family_assignment",
                "family_request", "family_code", "session WHERE signed_in_by = 'code'",
            ] {
                #expect(try await fixture.count(table) == 0, "\(table)")
            }
            #expect(try await fixture.count("ledger_transfer") == 1)
            #expect(try await fixture.count("family_chore") == 1)
            try await fixture.checkPoints()
        }
    }

    @Test(
        "A household accepts 30 children, and a deleted one can be restored beyond that", arguments: Engine.allCases)
    func full(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            var last: PersonID?
            for _ in 0..<Limits.childrenPerHousehold { last = try await fixture.child(of: ada) }
            let one = await refusal { _ = try await fixture.child(of: ada) }
            #expect(one?.code == .conflict)
            let kim = try #require(last)
            try await fixture.family.childDeletions.delete(kim, by: Change(actor: ada))
            _ = try await fixture.child(of: ada)
            let more = await refusal { _ = try await fixture.child(of: ada) }
            #expect(more?.code == .conflict)
            // A restoration isn't limited: otherwise children added since could keep a deleted one from being restored.
            _ = try await fixture.family.childDeletions.restore(kim, by: Change(actor: ada))
            #expect(try await fixture.family.children.list(for: ada, after: nil, limit: 200).items.count == 31)
        }
    }

    @Test("Children of another household get 404", arguments: Engine.allCases)
    func strangers(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let eve = try await fixture.parent("Eve")
            let kim = try await fixture.child(of: ada)
            let otherChild = try await fixture.child(of: eve)
            for actor in [eve, fixture.asking(otherChild)] {
                for body: @Sendable () async throws -> Void in [
                    { _ = try await fixture.family.children.child(kim, for: actor) },
                    { _ = try await fixture.family.contracts.list(of: kim, for: actor, after: nil, limit: 1) },
                    { _ = try await fixture.family.assignments.list(of: kim, for: actor, after: nil, limit: 1) },
                    { _ = try await fixture.family.requests.list(of: kim, for: actor, after: nil, limit: 1) },
                    { _ = try await fixture.family.childDevices.list(of: kim, for: actor, after: nil, limit: 1) },
                    { _ = try await fixture.family.children.update(kim, ProfileChanges(), by: Change(actor: actor)) },
                    { try await fixture.family.childDeletions.delete(kim, by: Change(actor: actor)) },
                    { _ = try await fixture.family.childDeletions.restore(kim, by: Change(actor: actor)) },
                    { _ = try await fixture.family.signInCodes.create(for: kim, by: Change(actor: actor)) },
                    { try await fixture.family.signInCodes.revoke(of: kim, by: Change(actor: actor)) },
                    {
                        _ = try await fixture.family.contracts.create(
                            for: kim, FamilyFixture.tenPoints, by: Change(actor: actor))
                    },
                ] {
                    let error = await refusal(body)
                    #expect(error == .notFound)
                }
            }
            // A parent isn't a child either.
            let parent = await refusal { _ = try await fixture.family.children.child(ada.person, for: ada) }
            #expect(parent?.code == .notFound)
        }
    }
}
