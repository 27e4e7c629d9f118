import Accounts
import Kernel
import Notifications
import Storage
import TestSupport
import Testing

@testable import Tracking

/// Two adults and a child of one household, and an adult who is chosen by no one.
struct PeopleFixture: Sendable {
    static let metresPerDegree = TrackingFixture.metresPerDegree

    let fixture: TrackingFixture
    let tracking: TrackingServices
    let ada: Actor
    let ben: Actor
    let cleo: Actor
    let tim: Actor
    let eve: Actor

    init(_ fixture: TrackingFixture) async throws {
        self.fixture = fixture
        ada = try await fixture.person("Ada Lovelace")
        ben = try await fixture.person("Ben")
        cleo = try await fixture.person("Cleo")
        tim = try await fixture.child("Tim")
        eve = try await fixture.person("Eve")
        tracking = fixture.node(
            households: TestHousehold(
                adults: [ada.person: "Ada Lovelace", ben.person: "Ben", cleo.person: "Cleo"],
                children: [tim.person: "Tim"]))
    }

    func share(
        _ person: Actor, with viewers: [Actor], _ duration: PositionShareDuration = .hour, item: ID<Item>? = nil,
        zone: String = "UTC"
    ) async throws {
        try await tracking.positionShares.share(
            PositionShareInput(
                viewers: viewers.map { "\($0.person)" }, duration: duration, calendar: DayCalendar(zone), item: item),
            by: Change(actor: person))
    }

    /// Reports a phone's position in metres north of the point 0° 0°, now.
    func move(_ person: Actor, _ metres: Double, accuracyMetres: Double? = 5) async throws {
        try await tracking.positionShares.report(
            PhonePosition(
                latitude: metres / Self.metresPerDegree, longitude: 0, accuracyMetres: accuracyMetres, at: fixture.now),
            by: Change(actor: person))
    }

    /// The people whom the viewer sees, with their distance in metres from 0° 0°; `nil` without a position.
    func seen(by viewer: Actor) async throws -> [String: Int?] {
        let people = try await tracking.people.list(for: viewer).people
        return Dictionary(
            uniqueKeysWithValues: people.map { person in
                (person.name, person.position.map { Int(($0.coordinate.latitude * Self.metresPerDegree).rounded()) })
            })
    }

    func looks(at person: Actor) async throws -> [String] {
        try await tracking.positionShares.overview(for: person).looks.map(\.name)
    }

    /// The events of the notifications about positions, oldest first, with the names of the people who got them.
    func told(_ person: Actor) async throws -> [String] {
        try await fixture.notices().filter { $0.person == person.person }.compactMap { $0.details["event"] }
    }

    func sharedUntil(_ person: Actor) async throws -> Instant? {
        try await fixture.database.read { tx in
            try tx.row("SELECT position_shared_until FROM account WHERE id = \(person.person)")?
                .get("position_shared_until")
        }
    }
}

private struct TestHousehold: HouseholdPeopleReader {
    let adults: [PersonID: String]
    let children: [PersonID: String]

    func adults(with person: PersonID, in tx: Transaction) throws -> [HouseholdPerson] {
        guard adults[person] != nil || children[person] != nil else { return [] }
        return adults.filter { $0.key != person }.map { HouseholdPerson(id: $0.key, name: $0.value) }
    }

    func children(of person: PersonID, in tx: Transaction) throws -> [HouseholdPerson] {
        adults[person] == nil ? [] : children.map { HouseholdPerson(id: $0.key, name: $0.value) }
    }

    func timeZone(of person: PersonID, in tx: Transaction) throws -> String? { nil }
}

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

    @Test("Looks within 15 minutes count as one, and are kept for 30 days", arguments: Engine.allCases)
    func looks(engine: Engine) async throws {
        try await withPeople(engine) { people async throws in
            try await people.share(people.ada, with: [people.ben, people.cleo], .untilEnded)
            _ = try await people.seen(by: people.ben)
            #expect(try await people.looks(at: people.ada) == [], "there was nothing to see")
            try await people.move(people.ada, 100)
            _ = try await people.seen(by: people.ben)
            people.fixture.clock.advance(seconds: 15 * 60 - 1)
            _ = try await people.seen(by: people.ben)
            _ = try await people.tracking.people.person(people.ada.person, for: people.ben)
            #expect(try await people.looks(at: people.ada) == ["Ben"])
            _ = try await people.seen(by: people.cleo)
            people.fixture.clock.advance(seconds: 1)
            _ = try await people.tracking.people.person(people.ada.person, for: people.ben)
            #expect(try await people.looks(at: people.ada) == ["Ben", "Cleo", "Ben"])
            #expect(try await people.looks(at: people.ben) == [])
            people.fixture.clock.advance(seconds: Limits.lookKeptSeconds - 1)
            try await people.tracking.housekeeping.run()
            #expect(try await people.looks(at: people.ada) == ["Ben"])
            people.fixture.clock.advance(seconds: 1)
            try await people.tracking.housekeeping.run()
            #expect(try await people.looks(at: people.ada) == [])
        }
    }

    @Test("The number of looks that are kept is limited")
    func lookLimit() async throws {
        try await withPeople { people async throws in
            try await people.share(people.ada, with: [people.ben], .untilEnded)
            let now = people.fixture.now
            let share = try #require(
                try await people.tracking.positionShares.overview(for: people.ada).entries.first
            ).share
            try await people.fixture.database.write { tx in
                for number in 0..<Limits.looksPerPerson + 5 {
                    let at = now.adding(seconds: Int64(number) * Limits.lookMergeSeconds)
                    _ = try PositionLookStore.insert(share, at: at, in: tx)
                }
            }
            #expect(try await people.fixture.count("position_look") == Limits.looksPerPerson)
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
            try await people.share(people.tim, with: [people.ada], .day, zone: "Europe/Berlin")
            #expect(try await people.sharedUntil(people.tim) == midnight)
            people.fixture.clock.advance(seconds: 1)
            try await people.move(people.tim, 100)
            #expect(try await people.seen(by: people.ada) == ["Tim": 100])
            #expect(try await people.seen(by: people.ben) == [:], "a parent isn't shown more than others")
            #expect(try await people.looks(at: people.tim) == ["Ada Lovelace"])
            let almost = Int64(midnight.seconds(since: people.fixture.now)) - 60
            people.fixture.clock.advance(seconds: almost)
            try await people.share(people.tim, with: [people.ben], .hour, zone: "Europe/Berlin")
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
            try await shares.decline(people.ada.person, by: Change(actor: people.tim))
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
            for table: SQL in ["position_share", "position_look", "position_request"] {
                #expect(try await people.fixture.count(table) == 0)
            }
            #expect(try await people.told(people.ben).contains("ended"))
        }
    }
}
