import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("Rules about people")
struct PersonRuleTests {
    /// Ada shares her position with Ben, who has a place at 0° 0°.
    private struct Setting {
        let people: PeopleFixture
        let place: SafePlace

        init(_ fixture: TrackingFixture) async throws {
            people = try await PeopleFixture(fixture)
            place = try await people.tracking.safePlaces.create(
                SafePlaceInput(name: "School", latitude: 0, longitude: TrackingFixture.meridian, radiusMetres: 100),
                by: Change(actor: people.ben))
            try await people.share(people.ada, with: [people.ben], .untilEnded)
        }

        func add(_ kind: GeofenceKind, by time: String? = nil, owner: Actor? = nil) async throws -> PersonRule {
            let input = GeofenceInput(place: place.id, kind: kind, dwellMinutes: 0, by: time, timeZone: "UTC")
            return try await people.tracking.personRules.create(
                input, about: people.ada.person, by: Change(actor: owner ?? people.ben))
        }

        /// Reports positions, one in each minute.
        func move(_ metres: Double...) async throws {
            for metre in metres {
                people.fixture.clock.advance(seconds: 60)
                try await people.move(people.ada, metre)
            }
        }

        func crossings() async throws -> [String] {
            try await people.fixture.notices().filter { $0.kind == "personCrossed" }
                .compactMap { $0.details["event"] }
        }
    }

    @Test("Each crossing is reported once to the owner of the rule, without a position", arguments: Engine.allCases)
    func crossings(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let setting = try await Setting(fixture)
            try await setting.move(500)
            _ = try await setting.add(.arrive)
            _ = try await setting.add(.leave)
            try await setting.move(500, 20)
            #expect(try await setting.crossings() == [])
            try await setting.move(25)
            #expect(try await setting.crossings() == ["arrived"])
            // The same position again, and an older one.
            try await setting.people.move(setting.people.ada, 25)
            try await setting.move(20, 98, 105, 20, 400, 10)
            #expect(try await setting.crossings() == ["arrived"], "at the border, and one wrong position")
            try await setting.move(300, 300, 900)
            #expect(try await setting.crossings() == ["arrived", "left"])
            let notice = try #require(try await fixture.notices().first { $0.kind == "personCrossed" })
            #expect(notice.person == setting.people.ben.person && notice.subject == "Ada")
            #expect(notice.details["place"] == nil && notice.details["alert"] == nil)
            #expect(try await fixture.count("item_alert") == 0)
        }
    }

    @Test("The person is notified of a rule, sees it, and ends it", arguments: Engine.allCases)
    func told(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let setting = try await Setting(fixture)
            let people = setting.people
            let rule = try await setting.add(.arrive)
            let notices = try await fixture.notices().filter { $0.person == people.ada.person }
            #expect(notices.map { $0.details["event"] } == ["ruleSet"])
            #expect(notices.first?.resource == "/my-position" && notices.first?.details["who"] == "Ben")
            let shown = try await people.tracking.positionShares.overview(for: people.ada).rules
            #expect(shown.map(\.rule) == [rule] && shown.map(\.ownerName) == ["Ben"])
            for stranger in [people.ben, people.cleo, people.eve] {
                let code = await fixture.code {
                    try await people.tracking.positionShares.endRule(rule.id, by: Change(actor: stranger))
                }
                #expect(code == .notFound)
            }
            try await people.tracking.positionShares.endRule(rule.id, by: Change(actor: people.ada))
            #expect(try await fixture.count("person_rule") == 0)
            #expect(try await people.told(people.ben) == ["shared", "ruleEnded"])
            try await setting.move(500, 500, 20, 20)
            #expect(try await setting.crossings() == [])
        }
    }

    @Test("A moved or renamed place is a changed rule, of which the person is notified", arguments: Engine.allCases)
    func changedPlace(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let setting = try await Setting(fixture)
            let people = setting.people
            let rule = try await setting.add(.arrive)
            let patches = [SafePlacePatch(name: .set("Ada's friend")), SafePlacePatch(radiusMetres: .set(200))]
            for (patch, version) in zip(patches, [Int64(2), 3]) {
                fixture.clock.advance(seconds: 1)
                _ = try await people.tracking.safePlaces.update(setting.place.id, patch, by: Change(actor: people.ben))
                let changed = try await people.tracking.personRules.rule(
                    rule.id, about: people.ada.person, for: people.ben)
                #expect(changed.version == version && changed.placeName == "Ada's friend")
                // The engines differ in the order of these two.
                let events = try await fixture.events().filter { $0.audience == people.ada.person }.suffix(2)
                #expect(Set(events.map(\.resource)) == ["/my-position", "/notifications"])
            }
            let notices = try await fixture.notices().filter { $0.person == people.ada.person }
            #expect(notices.map { $0.details["event"] } == ["ruleSet", "ruleSet", "ruleSet"])
            #expect(notices.last?.details["rulePlace"] == "Ada's friend")
        }
    }

    @Test("A former member is notified of no crossing, even if the sharing didn't end", arguments: Engine.allCases)
    func formerMember(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let setting = try await Setting(fixture)
            try await setting.move(500)
            _ = try await setting.add(.arrive)
            setting.people.household.remove(setting.people.ben.person)
            try await setting.move(500, 20, 20)
            #expect(try await setting.crossings() == [])
        }
    }

    @Test("A phone's report waits for an item's report before it locks rules, so that they don't wait for each other")
    func lockOrder() async throws {
        try await withFixture(.postgres) { fixture in
            let setting = try await Setting(fixture)
            let people = setting.people
            try await setting.move(500)
            _ = try await setting.add(.arrive)
            let (item, secret) = try await fixture.tracked("Bike", of: people.ada)
            try await fixture.item(secret, metres: 500, at: fixture.now)
            let (locked, signal) = AsyncStream.makeStream(of: Void.self)
            // The report of an item: it locks the last position first, and then the rules.
            async let canLockRules = fixture.database.write { tx in
                _ = try HealthStore.lockLastPosition(of: item, in: tx)
                signal.yield()
                for _ in 0..<20_000 {
                    let waits = try tx.row(
                        """
                        SELECT 1 AS one FROM pg_locks
                        WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid)) LIMIT 1
                        """)
                    guard waits != nil else { continue }
                    return try tx.rows("SELECT id FROM person_rule FOR UPDATE SKIP LOCKED").count == 1
                }
                return false
            }
            for await _ in locked { break }
            try await setting.move(400)
            #expect(try await canLockRules)
        }
    }

    @Test("Rules end with the sharing, and only viewers have them", arguments: Engine.allCases)
    func end(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let setting = try await Setting(fixture)
            let people = setting.people
            try await setting.move(500)
            _ = try await setting.add(.arrive)
            let stranger = await fixture.code { _ = try await setting.add(.arrive, owner: people.cleo) }
            #expect(stranger == .notFound)
            try await people.share(people.ada, with: [people.ben])
            #expect(try await fixture.count("person_rule") == 1, "extending keeps them")
            try await setting.move(500, 20, 20)
            #expect(try await setting.crossings() == ["arrived"])
            try await people.tracking.positionShares.endAll(by: Change(actor: people.ada))
            #expect(try await fixture.count("person_rule") == 0)
            #expect(try await setting.crossings() == [], "the notifications go with the access")
            let late = await fixture.code { _ = try await setting.add(.leave) }
            #expect(late == .notFound)
        }
    }

    @Test("A person who hasn't arrived is reported once a day, if a position is known", arguments: Engine.allCases)
    func absent(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let setting = try await Setting(fixture)
            let calendar = DayCalendar("UTC")
            func advance(toMinute minute: Int64, ofDay day: Int) {
                let date = calendar.date(at: fixture.now).adding(days: day)
                let target = calendar.span(of: date).lowerBound.adding(seconds: minute * 60)
                fixture.clock.advance(seconds: Int64(target.seconds(since: fixture.now)))
            }
            advance(toMinute: 60, ofDay: 1)
            _ = try await setting.add(.absent, by: "08:00")
            advance(toMinute: 481, ofDay: 0)
            try await setting.people.tracking.housekeeping.run()
            #expect(try await setting.crossings() == [], "nothing is known")
            advance(toMinute: 400, ofDay: 1)
            try await setting.move(500, 500)
            advance(toMinute: 481, ofDay: 0)
            try await setting.people.tracking.housekeeping.run()
            try await setting.people.tracking.housekeeping.run()
            #expect(try await setting.crossings() == ["notArrived"])
            advance(toMinute: 400, ofDay: 1)
            try await setting.move(20, 20, 20)
            advance(toMinute: 481, ofDay: 0)
            try await setting.people.tracking.housekeeping.run()
            #expect(try await setting.crossings() == ["notArrived"])
        }
    }
}
