import Accounts
import Kernel
import Notifications
import Storage
import Synchronization
import TestSupport

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
    let household: TestHousehold

    init(_ fixture: TrackingFixture) async throws {
        self.fixture = fixture
        ada = try await fixture.person("Ada Lovelace")
        ben = try await fixture.person("Ben")
        cleo = try await fixture.person("Cleo")
        tim = try await fixture.child("Tim")
        eve = try await fixture.person("Eve")
        household = TestHousehold(
            adults: [ada.person: "Ada Lovelace", ben.person: "Ben", cleo.person: "Cleo"],
            children: [tim.person: "Tim"])
        tracking = fixture.node(households: household)
    }

    func share(
        _ person: Actor, with viewers: [Actor], _ duration: PositionShareDuration = .hour, item: ID<Item>? = nil,
        zone: String? = "UTC"
    ) async throws {
        try await tracking.positionShares.share(
            PositionShareInput(
                viewers: viewers.map { "\($0.person)" }, duration: duration, timeZone: zone, item: item),
            by: Change(actor: person))
    }

    /// Reports a phone's position in metres north of the point 0° 0°, now.
    func move(_ person: Actor, _ metres: Double, accuracyMetres: Double? = 5) async throws {
        try await tracking.positionShares.report(
            PhonePosition(
                latitude: metres / Self.metresPerDegree, longitude: TrackingFixture.meridian,
                accuracyMetres: accuracyMetres, at: fixture.now),
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

    /// The views of a person's position, one entry for each viewer and day, the latest first.
    func views(of person: Actor) async throws -> [String] {
        try await tracking.positionShares.overview(for: person).views.map { "\($0.name) \($0.count)" }
    }

    /// Starts the next day of UTC.
    func startDay() {
        let calendar = DayCalendar("UTC")
        let end = calendar.span(of: calendar.date(at: fixture.now)).upperBound
        fixture.clock.advance(seconds: Int64(end.seconds(since: fixture.now).rounded(.up)))
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

final class TestHousehold: HouseholdPeopleReader {
    private struct State {
        var adults: [PersonID: String]
        var timeZone: String?
    }

    private let state: Mutex<State>
    private let children: [PersonID: String]

    private var adults: [PersonID: String] { state.withLock(\.adults) }

    init(adults: [PersonID: String], children: [PersonID: String]) {
        state = Mutex(State(adults: adults))
        self.children = children
    }

    /// Removes an adult without the end of what is shared.
    func remove(_ person: PersonID) { state.withLock { $0.adults[person] = nil } }

    func setTimeZone(_ name: String) { state.withLock { $0.timeZone = name } }

    func adults(with person: PersonID, in tx: Transaction) throws -> [HouseholdPerson] {
        guard adults[person] != nil || children[person] != nil else { return [] }
        return adults.filter { $0.key != person }.map { HouseholdPerson(id: $0.key, name: $0.value) }
    }

    func children(of person: PersonID, in tx: Transaction) throws -> [HouseholdPerson] {
        adults[person] == nil ? [] : children.map { HouseholdPerson(id: $0.key, name: $0.value) }
    }

    func timeZone(of person: PersonID, in tx: Transaction) throws -> String? { state.withLock(\.timeZone) }
}
