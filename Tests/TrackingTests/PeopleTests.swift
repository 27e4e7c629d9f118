import Accounts
import Kernel
import Notifications
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("People's own positions")
struct PeopleTests {
    private func withPeople(
        _ engine: Engine = .sqlite, _ body: @escaping @Sendable (PeopleFixture) async throws -> Void
    ) async throws {
        try await withFixture(engine) { try await body(try await PeopleFixture($0)) }
    }

    @Test("Only chosen people see a position, from the start on and until the end", arguments: Engine.allCases)
    func chosen(engine: Engine) async throws {
        try await withPeople(engine) { people async throws in
            try await people.move(people.ada, 100)
            people.fixture.clock.advance(seconds: 1)
            #expect(try await people.seen(by: people.ben) == [:])
            try await people.share(people.ada, with: [people.ben])
            #expect(try await people.seen(by: people.ben) == ["Ada": nil], "an older position is history")
            people.fixture.clock.advance(seconds: 1)
            try await people.move(people.ada, 200)
            #expect(try await people.seen(by: people.ben) == ["Ada": 200])
            for other in [people.cleo, people.eve, people.ada] {
                #expect(try await people.seen(by: other) == [:])
            }
            people.fixture.clock.advance(seconds: 3_598)
            #expect(try await people.seen(by: people.ben) == ["Ada": 200])
            people.fixture.clock.advance(seconds: 1)
            #expect(try await people.seen(by: people.ben) == [:], "no request shows it after the end")
            let gone = await people.fixture.code {
                _ = try await people.tracking.people.person(people.ada.person, for: people.ben)
            }
            #expect(gone == .notFound)
            try await people.tracking.positionShareExpiry.run()
            try await people.tracking.positionShareExpiry.run()
            #expect(try await people.fixture.count("position_share") == 0)
            #expect(try await people.sharedUntil(people.ada) == nil)
            // The notification of the start goes with the access.
            #expect(try await people.told(people.ben) == ["ended"])
            #expect(try await people.told(people.ada) == ["expired"])
        }
    }

    @Test("Only people of the household can be chosen")
    func household() async throws {
        try await withPeople { people async throws in
            let refused: [(Actor, [Actor], PositionShareDuration)] = [
                (people.ada, [people.eve], .hour), (people.ada, [people.ben, people.eve], .hour),
                (people.ada, [], .hour),
                (people.ada, [people.ada], .hour), (people.ada, [people.tim], .hour),
                (people.tim, [people.ada], .untilEnded), (people.eve, [people.ada], .hour),
            ]
            for (person, viewers, duration) in refused {
                let code = await people.fixture.code { try await people.share(person, with: viewers, duration) }
                #expect(code == .invalid, "\(viewers.count) \(duration)")
            }
            #expect(try await people.fixture.count("position_share") == 0)
        }
    }

    @Test("Turning off, extending and choosing others", arguments: Engine.allCases)
    func changes(engine: Engine) async throws {
        try await withPeople(engine) { people async throws in
            let service = people.tracking.positionShares
            try await people.share(people.ada, with: [people.ben, people.cleo], .untilEnded)
            people.fixture.clock.advance(seconds: 1)
            try await people.move(people.ada, 100)
            people.fixture.clock.advance(seconds: 23 * 60 * 60)
            #expect(try await people.seen(by: people.cleo) == ["Ada": 100])
            people.fixture.clock.advance(seconds: 60 * 60 + 1)
            #expect(try await people.seen(by: people.cleo) == ["Ada": nil], "a day old isn't where she is")
            try await service.end(with: people.cleo.person, by: Change(actor: people.ada))
            #expect(try await people.seen(by: people.cleo) == [:])
            #expect(try await people.told(people.cleo) == ["ended"])
            #expect(try await people.sharedUntil(people.ada) != nil)
            try await people.share(people.ada, with: [people.ben])
            #expect(try await people.told(people.ben) == ["shared"], "told once")
            let end = people.fixture.now.adding(seconds: 60 * 60)
            #expect(try await people.sharedUntil(people.ada) == end)
            try await service.endAll(by: Change(actor: people.ada))
            try await service.endAll(by: Change(actor: people.ada))
            #expect(try await people.told(people.ben) == ["ended"])
            #expect(try await people.told(people.ada) == [])
            #expect(try await people.sharedUntil(people.ada) == nil)
            let forgotten = try await people.fixture.events().filter { $0.kind == "access" }
            #expect(forgotten.map(\.audience) == [people.cleo.person, people.ben.person])
            #expect(forgotten.allSatisfy { $0.resource == "/tracking/people/\(people.ada.person)" })
            let notices = try await people.fixture.notices()
            #expect(notices.allSatisfy { $0.details["forgets"] == "/tracking/people/\(people.ada.person)" })
        }
    }

    @Test(
        "A viewer and day have one entry with a number, 15 minutes count as one view, and days are kept for 30 days",
        arguments: Engine.allCases)
    func views(engine: Engine) async throws {
        try await withPeople(engine) { people async throws in
            people.startDay()
            try await people.share(people.ada, with: [people.ben, people.cleo], .untilEnded)
            _ = try await people.seen(by: people.ben)
            #expect(try await people.views(of: people.ada) == [], "there was nothing to see")
            try await people.move(people.ada, 100)
            _ = try await people.tracking.people.person(people.ada.person, for: people.ben, showsPosition: false)
            #expect(try await people.views(of: people.ada) == [], "a form shows no position")
            _ = try await people.seen(by: people.ben)
            people.fixture.clock.advance(seconds: 15 * 60 - 1)
            _ = try await people.seen(by: people.ben)
            _ = try await people.tracking.people.person(people.ada.person, for: people.ben)
            #expect(try await people.views(of: people.ada) == ["Ben 1"])
            _ = try await people.seen(by: people.cleo)
            people.fixture.clock.advance(seconds: 1)
            _ = try await people.tracking.people.person(people.ada.person, for: people.ben)
            #expect(try await people.views(of: people.ada) == ["Ben 2", "Cleo 1"])
            #expect(try await people.views(of: people.ben) == [])
            people.fixture.clock.advance(seconds: 20 * 60 * 60)
            people.startDay()
            try await people.move(people.ada, 100)
            _ = try await people.seen(by: people.ben)
            #expect(try await people.views(of: people.ada) == ["Ben 1", "Ben 2", "Cleo 1"])
            people.fixture.clock.advance(seconds: Limits.viewKeptSeconds - 1)
            try await people.tracking.housekeeping.run()
            #expect(try await people.views(of: people.ada) == ["Ben 1"])
            people.fixture.clock.advance(seconds: 1)
            try await people.tracking.housekeeping.run()
            #expect(try await people.views(of: people.ada) == [])
        }
    }

    @Test("The day of an adult ends in the zone of the device, else of the household")
    func endOfDay() async throws {
        try await withPeople { people async throws in
            people.household.setTimeZone("Europe/Berlin")
            for (given, used) in [("Pacific/Honolulu", "Pacific/Honolulu"), (nil, "Europe/Berlin")] {
                try await people.share(people.ada, with: [people.ben], .day, zone: given)
                let calendar = DayCalendar(used)
                let midnight = calendar.span(of: calendar.date(at: people.fixture.now)).upperBound
                #expect(try await people.sharedUntil(people.ada) == midnight, "\(used)")
            }
        }
    }

    // MARK: Children

    @Test(
        "A child's sharing ends with the day at the latest, and only while it lasts is a position stored",
        arguments: Engine.allCases)
    func child(engine: Engine) async throws {
        try await withPeople(engine) { people async throws in
            let refusal = await people.fixture.code { try await people.move(people.tim, 100) }
            #expect(refusal == .conflict)
            #expect(try await people.fixture.count("phone_position") == 0)
            let calendar = DayCalendar("Europe/Berlin")
            let midnight = calendar.span(of: calendar.date(at: people.fixture.now)).upperBound
            people.household.setTimeZone("Europe/Berlin")
            try await people.share(people.tim, with: [people.ada], .day, zone: "Pacific/Honolulu")
            #expect(try await people.sharedUntil(people.tim) == midnight, "a device's time zone can be changed")
            people.fixture.clock.advance(seconds: 1)
            try await people.move(people.tim, 100)
            #expect(try await people.seen(by: people.ada) == ["Tim": 100])
            #expect(try await people.seen(by: people.ben) == [:], "a parent isn't shown more than others")
            #expect(try await people.views(of: people.tim) == ["Ada Lovelace 1"])
            let almost = Int64(midnight.seconds(since: people.fixture.now)) - 60
            people.fixture.clock.advance(seconds: almost)
            try await people.share(people.tim, with: [people.ben], .hour, zone: "Pacific/Honolulu")
            #expect(try await people.sharedUntil(people.tim) == midnight, "an hour would end on the next day")
            people.fixture.clock.advance(seconds: 61)
            try await people.tracking.housekeeping.run()
            #expect(try await people.fixture.count("position_share") == 0)
            #expect(try await people.fixture.count("phone_position") == 0)
            #expect(try await people.told(people.tim) == ["expired", "expired"])
        }
    }

    @Test("A request is sent once an hour, and the child answers it", arguments: Engine.allCases)
    func requests(engine: Engine) async throws {
        try await withPeople(engine) { people async throws in
            let service = people.tracking.people
            let shares = people.tracking.positionShares
            try await service.ask(people.tim.person, by: Change(actor: people.ada))
            try await service.ask(people.tim.person, by: Change(actor: people.ada))
            #expect(try await people.told(people.tim) == ["asked"])
            #expect(try await people.fixture.count("position_share") == 0, "asking turns nothing on")
            #expect(try await shares.overview(for: people.tim).requests.map(\.name) == ["Ada Lovelace"])
            try await shares.decline(people.ada.person, by: Change(actor: people.tim))
            let again = await refusal { try await shares.decline(people.ada.person, by: Change(actor: people.tim)) }
            #expect(again?.code == .notFound)
            #expect(try await people.told(people.ada) == ["declined"])
            try await service.ask(people.tim.person, by: Change(actor: people.ada))
            #expect(try await shares.overview(for: people.tim).requests == [])
            people.fixture.clock.advance(seconds: Limits.positionRequestSeconds)
            try await service.ask(people.tim.person, by: Change(actor: people.ada))
            #expect(try await shares.overview(for: people.tim).requests.count == 1)
            try await people.share(people.tim, with: [people.ada])
            #expect(try await shares.overview(for: people.tim).requests == [])
            #expect(try await people.told(people.ada) == ["declined", "shared"])
            for (asker, person) in [(people.eve, people.tim), (people.ada, people.eve)] {
                let code = await people.fixture.code {
                    try await service.ask(person.person, by: Change(actor: asker))
                }
                #expect(code == .notFound)
            }
        }
    }

    // MARK: Items as sources, departures and deletions

    @Test("An own item shows where a person is while the app is closed", arguments: Engine.allCases)
    func item(engine: Engine) async throws {
        try await withPeople(engine) { people async throws in
            let (item, secret) = try await people.fixture.tracked("My phone", of: people.ada)
            let (other, otherSecret) = try await people.fixture.tracked("Bike", of: people.ada)
            let bens = try await people.fixture.tracked("Bens", of: people.ben).item
            for refused in [bens, try await people.fixture.item("Keys", of: people.ada).item.id] {
                let code = await people.fixture.code {
                    try await people.share(people.ada, with: [people.ben], item: refused)
                }
                #expect(code == .invalid)
            }
            try await people.share(people.ada, with: [people.ben], item: item)
            people.fixture.clock.advance(seconds: 1)
            try await people.move(people.ada, 900)
            #expect(try await people.seen(by: people.ben) == ["Ada": nil], "the item counts")
            let before = try await people.fixture.events().filter { $0.kind == "person" }.count
            try await people.fixture.item(secret, metres: 300, at: people.fixture.now)
            try await people.fixture.item(otherSecret, metres: 400, at: people.fixture.now)
            #expect(try await people.seen(by: people.ben) == ["Ada": 300])
            let events = try await people.fixture.events().filter { $0.kind == "person" }
            #expect(events.count == before + 1 && events.last?.audience == people.ben.person)
            // Ben doesn't see the item itself.
            let code = await people.fixture.code {
                _ = try await people.tracking.items.item(item, for: people.ben)
            }
            #expect(code == .notFound)
            try await people.tracking.itemDeletions.delete(other, by: Change(actor: people.ada))
            #expect(try await people.fixture.count("position_share") == 1)
            try await people.tracking.itemDeletions.delete(item, by: Change(actor: people.ada))
            #expect(try await people.fixture.count("position_share") == 0)
            #expect(try await people.told(people.ada) == ["stopped"])
            #expect(try await people.seen(by: people.ben) == [:])
        }
    }

    @Test("Leaving the household ends everything in both directions", arguments: Engine.allCases)
    func departure(engine: Engine) async throws {
        try await withPeople(engine) { people async throws in
            try await people.share(people.ada, with: [people.ben, people.cleo])
            try await people.share(people.ben, with: [people.ada])
            try await people.share(people.cleo, with: [people.ben], .untilEnded)
            try await people.tracking.people.ask(people.tim.person, by: Change(actor: people.ada))
            let now = people.fixture.now
            let ender = people.tracking.positionShareEnder
            try await people.fixture.database.write { tx in
                try ender.endAll(with: people.ada.person, now: now, in: tx)
            }
            #expect(try await people.fixture.count("position_share") == 1)
            #expect(try await people.fixture.count("position_request") == 0)
            let open = try await people.fixture.events().last { $0.audience == people.tim.person }
            #expect(open?.resource == "/my-position", "an open page no longer shows the request")
            #expect(Set(try await people.told(people.ada)) == ["stopped", "ended"])
            #expect(try await people.told(people.cleo) == ["ended"])
            #expect(try await people.sharedUntil(people.ben) == nil)
            #expect(try await people.sharedUntil(people.cleo) != nil)
        }
    }

    @Test(
        "Export and deletion of an account include its sharing, and no position of others",
        arguments: Engine.allCases)
    func deletion(engine: Engine) async throws {
        try await withPeople(engine) { people async throws in
            try await people.share(people.ada, with: [people.ben])
            try await people.share(people.ben, with: [people.ada])
            try await people.tracking.people.ask(people.tim.person, by: Change(actor: people.ada))
            people.fixture.clock.advance(seconds: 1)
            try await people.move(people.ada, 111)
            try await people.move(people.ben, 222)
            _ = try await people.seen(by: people.ada)
            _ = try await people.seen(by: people.ben)
            let handler = people.tracking.dataHandler
            let files = try await people.fixture.database.read { tx in try handler.export(people.ada.person, in: tx) }
            let file = try #require(files.first { $0.path == "tracking/people.json" })
            let text = String(decoding: file.contents, as: UTF8.self)
            #expect(text.contains("\"Ben\"") && text.contains("\(people.ben.person)"))
            #expect(!text.contains("latitude"))
            let all = files.map { String(decoding: $0.contents, as: UTF8.self) }.joined()
            #expect(!all.contains("\(222 / PeopleFixture.metresPerDegree)"))
            try await people.fixture.database.write { tx in try handler.erase(people.ada.person, in: tx) }
            #expect(text.contains("\"requests\"") && text.contains("\(people.tim.person)"))
            for table: SQL in ["position_share", "position_view", "position_request"] {
                #expect(try await people.fixture.count(table) == 0)
            }
            #expect(try await people.told(people.ben).contains("ended"))
        }
    }
}
