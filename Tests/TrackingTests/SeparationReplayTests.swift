import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Tracking

@Suite("Which separation alerts would have come")
struct SeparationReplayTests {
    /// The times of the alerts that a person got.
    private func given(_ fixture: TrackingFixture, _ item: ID<Item>, _ actor: Actor) async throws -> [Instant] {
        try await fixture.alerts(about: item, of: actor).filter { $0.kind == .separation }.map(\.at).reversed()
    }

    private func replayed(
        _ fixture: TrackingFixture, _ item: ID<Item>, _ actor: Actor, metres: Int? = nil
    ) async throws -> [Instant] {
        try await fixture.tracking.separationReplays.replay(alertMetres: metres, of: item, for: actor).alerts.map(\.at)
    }

    private func settings(
        _ fixture: TrackingFixture, _ mode: AlertMode, place: Bool, of actor: Actor
    ) async throws {
        try await fixture.tracking.alerts.setMode(mode, by: Change(actor: actor))
        guard place else { return }
        _ = try await fixture.tracking.safePlaces.create(
            SafePlaceInput(name: "Start", latitude: 50.7753, longitude: 6.0839, radiusMetres: 300),
            by: Change(actor: actor))
    }

    /// Sends a walk's positions in the order of their arrival.
    private func send(_ walk: RecordedWalk, _ fixture: TrackingFixture, _ secret: String, of actor: Actor) async throws
    {
        for (number, event) in walk.events.enumerated() {
            fixture.clock.set(RecordedWalk.instant(event.second))
            try await send(event, fixture, secret, of: actor)
            if number % 40 == 0 { try await fixture.tracking.separationHistories.storeDue() }
        }
    }

    private func send(
        _ event: RecordedWalk.Event, _ fixture: TrackingFixture, _ secret: String, of actor: Actor
    ) async throws {
        let place = event.sighting.coordinate
        switch event.who {
        case .item:
            let accuracy = event.sighting.accuracyMetres.map { ["accuracy": "\($0)"] } ?? [:]
            try await fixture.osmand(secret, place.latitude, place.longitude, at: event.sighting.at, accuracy)
        case .phone:
            try await fixture.tracking.phonePositions.report(
                PhonePosition(
                    latitude: place.latitude, longitude: place.longitude,
                    accuracyMetres: event.sighting.accuracyMetres, at: event.sighting.at), by: actor)
        }
    }

    struct Walk: Sendable, CustomTestStringConvertible {
        let scenario: RecordedWalk.Scenario
        let mode: AlertMode
        let seed: UInt64
        let hasPlace: Bool

        var testDescription: String { "\(scenario.rawValue), \(mode), \(seed), \(hasPlace)" }

        static let all: [Walk] = [RecordedWalk.Scenario.tram, .forgotten, .forgottenTwice, .taken, .slow].flatMap {
            scenario in
            AlertMode.allCases.flatMap { mode in
                [(1, false), (2, true)].map { Walk(scenario: scenario, mode: mode, seed: $0, hasPlace: $1) }
            }
        }
    }

    @Test("A replay with the settings of that time lists exactly the alerts that came", arguments: Walk.all)
    func sameSettings(walk: Walk) async throws {
        try await withFixture(.sqlite) { fixture in
            fixture.clock.set(RecordedWalk.start.adding(seconds: -60))
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            try await settings(fixture, walk.mode, place: walk.hasPlace, of: ada)
            try await send(RecordedWalk(walk.scenario, seed: walk.seed), fixture, secret, of: ada)
            let came = try await given(fixture, item, ada)
            #expect(try await replayed(fixture, item, ada) == came)
            if walk.scenario != .tram, !walk.hasPlace { #expect(!came.isEmpty) }
            let other: AlertMode = walk.mode == .everyTime ? .whenSure : .everyTime
            let modes = try await fixture.tracking.separationReplays.replayModes(for: ada)
            #expect(modes[walk.mode]?.alerts.map(\.at) == came)
            // Trying the settings is the same as having had them.
            try await fixture.tracking.alerts.setMode(other, by: Change(actor: ada))
            #expect(try await replayed(fixture, item, ada) == modes[other]?.alerts.map(\.at))
        }
    }

    @Test("Comparisons of two nodes are repeated in the order in which they happened", arguments: Engine.allCases)
    func twoNodes(engine: Engine) async throws {
        for (mode, seed) in [(AlertMode.everyTime, 1), (.whenSure, 2), (.everyTime, 3)] as [(AlertMode, UInt64)] {
            try await withFixture(engine) { fixture in
                fixture.clock.set(RecordedWalk.start.adding(seconds: -60))
                let ada = try await fixture.person()
                let (item, secret) = try await fixture.tracked(of: ada)
                try await settings(fixture, mode, place: false, of: ada)
                let other = try fixture.otherNode()
                for (number, event) in RecordedWalk(.forgottenTwice, seed: seed).events.enumerated() {
                    fixture.clock.set(RecordedWalk.instant(event.second))
                    // The tracker reports at one node, and the phone at the other.
                    switch event.who {
                    case .item: try await send(event, fixture, secret, of: ada)
                    case .phone:
                        let place = event.sighting.coordinate
                        try await other.phonePositions.report(
                            PhonePosition(
                                latitude: place.latitude, longitude: place.longitude,
                                accuracyMetres: event.sighting.accuracyMetres, at: event.sighting.at), by: ada)
                    }
                    guard number % 40 == 0 else { continue }
                    for node in [fixture.tracking, other] { try await node.separationHistories.storeDue() }
                }
                try await other.separationHistories.storeAll()
                let came = try await given(fixture, item, ada)
                #expect(try await replayed(fixture, item, ada) == came, "\(mode) \(seed)")
                #expect(!came.isEmpty)
            }
        }
    }

    @Test("Two people get the alerts of a replay with their own distances and modes", arguments: Engine.allCases)
    func shared(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            fixture.clock.set(RecordedWalk.start.adding(seconds: -60))
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            let ben = try await fixture.sharing(item, by: ada)
            try await settings(fixture, .whenSure, place: false, of: ada)
            _ = try await fixture.tracking.itemMembers.updateMembership(
                of: item, ItemMembershipPatch(alertMetres: .set(25)), by: Change(actor: ben))
            let walk = RecordedWalk(.forgottenTwice, seed: 3)
            // Ben is with the item until it is left behind the first time, and far away then.
            for event in walk.events {
                fixture.clock.set(RecordedWalk.instant(event.second))
                try await send(event, fixture, secret, of: ada)
                guard event.who == .phone, event.second / 30 % 2 == 0 else { continue }
                let metres = event.second < 1_500 ? 0.0 : 900
                let place = event.sighting.coordinate
                try await fixture.tracking.phonePositions.report(
                    PhonePosition(
                        latitude: place.latitude + metres / TrackingFixture.metresPerDegree,
                        longitude: place.longitude, accuracyMetres: 8, at: event.sighting.at), by: ben)
            }
            for (name, person) in [("Ada", ada), ("Ben", ben)] {
                let came = try await given(fixture, item, person)
                #expect(try await replayed(fixture, item, person) == came, "\(name)")
                #expect(!came.isEmpty, "\(name)")
            }
            #expect(try await replayed(fixture, item, ben, metres: 50_000).isEmpty)
        }
    }

    @Test("Other distances, modes and safe places change what is listed, and nothing is stored")
    func otherSettings() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            for (metres, phone) in [(0.0, 0.0), (0, 40), (0, 0), (0, 400), (0, 0)] {
                fixture.clock.advance(seconds: 60)
                try await fixture.phone(of: ada, metres: phone, accuracyMetres: 5)
                try await fixture.item(secret, metres: metres, at: fixture.now, ["accuracy": "5"])
            }
            let replays = fixture.tracking.separationReplays
            // Also the first replay has comparisons that aren't stored yet.
            #expect(try await replays.replayModes(for: ada)[.everyTime]?.alerts.count == 2)
            #expect(try await replayed(fixture, item, ada).count == 2)
            #expect(try await replayed(fixture, item, ada, metres: 100).count == 1)
            #expect(try await replayed(fixture, item, ada, metres: 500).isEmpty)
            #expect(try await replays.replayModes(for: ada)[.whenSure]?.alerts == [])
            let home = SafePlaceInput(name: "Home", latitude: 0, longitude: TrackingFixture.meridian, radiusMetres: 50)
            let safe = try await replays.replay(home, replacing: nil, for: ada)
            #expect(safe.alerts.isEmpty && safe.comparisonCount == 9)
            let away = SafePlaceInput(name: "Away", latitude: 1, longitude: TrackingFixture.meridian)
            #expect(
                try await replays.replay(away, replacing: nil, for: ada).alerts.map(\.itemName) == ["Bike", "Bike"])
            let whole = try await fixture.tracking.replays.replay(
                silentHours: nil, alertMetres: 100, of: item, for: ada)
            #expect(whole.alerts.map(\.kind) == [.separation] && whole.fixCount == 5)
            #expect(try await fixture.count("safe_place") == 0)
            let error = await #expect(throws: AppError.self) {
                _ = try await fixture.tracking.replays.replay(silentHours: 0, alertMetres: 0, of: item, for: ada)
            }
            #expect(error?.fields.keys.sorted() == ["settings.alertMetres", "settings.silentHours"])
            let eve = try await fixture.person("Eve")
            let foreign = await #expect(throws: AppError.self) {
                _ = try await replays.replay(alertMetres: nil, of: item, for: eve)
            }
            #expect(foreign?.code == .notFound)
        }
    }

    @Test("Turning the item off ends a separation in a replay, too")
    func reset() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            for _ in 0..<2 {
                for _ in 0..<2 {
                    fixture.clock.advance(seconds: 60)
                    try await fixture.phone(of: ada, metres: 400)
                    try await fixture.item(secret, metres: 0, at: fixture.now)
                }
                try await fixture.database.write { tx in try AlertStore.reset(item, in: tx) }
            }
            #expect(try await given(fixture, item, ada).count == 2)
            #expect(try await replayed(fixture, item, ada) == given(fixture, item, ada))
        }
    }

    @Test("A position writes no comparison; they are stored together, without the phone's position")
    func coalesced() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            let histories = fixture.tracking.separationHistories
            func report() async throws {
                fixture.clock.advance(seconds: 10)
                try await fixture.phone(of: ada, metres: 123_456, accuracyMetres: 7)
                try await fixture.item(secret, metres: 20, at: fixture.now)
            }
            for _ in 0..<5 { try await report() }
            try await histories.storeDue()
            #expect(try await fixture.count("separation_history") == 0)
            fixture.clock.advance(seconds: Limits.separationHistorySeconds)
            try await histories.storeDue()
            #expect(try await fixture.count("separation_history") == 1)
            for _ in 0..<40 { try await report() }
            try await histories.storeDue()
            #expect(try await fixture.count("separation_history") == 3)
            try await histories.storeDue()
            #expect(try await fixture.count("separation_history") == 3)
            let texts = try await fixture.database.read { tx in
                try tx.rows("SELECT contents FROM separation_history").map { try $0.get("contents", as: String.self) }
            }
            #expect(texts.allSatisfy { !$0.contains("1.1102") && $0.contains("123436") })
            let exported = try await fixture.export(of: ada, "tracking/distances.json")
            #expect(exported.contains("\"distanceMetres\":123436") && !exported.contains("1.1102"))
            #expect(try await replayed(fixture, item, ada) == given(fixture, item, ada))
        }
    }

    @Test("Comparisons go with the access, with the item, and after 30 days", arguments: Engine.allCases)
    func deletion(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            let ben = try await fixture.sharing(item, by: ada)
            let histories = fixture.tracking.separationHistories
            func compare() async throws {
                fixture.clock.advance(seconds: 60)
                for person in [ada, ben] { try await fixture.phone(of: person, metres: 0) }
                try await fixture.item(secret, metres: 0, at: fixture.now)
            }
            try await compare()
            try await histories.storeAll()
            #expect(try await fixture.count("separation_history") == 2)
            // Ben's waiting comparisons aren't stored after the end of the access.
            try await compare()
            try await fixture.tracking.itemMembers.remove(ben.person, from: item, by: Change(actor: ada))
            try await histories.storeAll()
            #expect(try await fixture.count("separation_history") == 2)
            let owners = try await fixture.database.read { tx in
                try tx.rows("SELECT DISTINCT account_id FROM separation_history")
                    .map { try $0.get("account_id", as: PersonID.self) }
            }
            #expect(owners == [ada.person])
            fixture.clock.advance(seconds: Limits.replayDays * 24 * 60 * 60 - 30)
            try await compare()
            try await histories.storeAll()
            try await fixture.tracking.housekeeping.run()
            #expect(try await fixture.count("separation_history") == 1)
            try await compare()
            try await fixture.tracking.itemDeletions.delete(item, by: Change(actor: ada))
            try await histories.storeAll()
            #expect(try await fixture.count("separation_history") == 0)
        }
    }

    @Test("A replay lists when a parked item moved", arguments: Engine.allCases)
    func parking(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            func report(_ places: [Double]) async throws {
                for metres in places {
                    fixture.clock.advance(seconds: 60)
                    try await fixture.item(secret, metres: metres, at: fixture.now, ["accuracy": "5"])
                }
            }
            try await report([0, 0])
            try await fixture.tracking.parking.park(item, by: Change(actor: ada))
            try await report([3, 5, 300, 4, 300, 310, 310])
            // A person ends this one before it moves.
            try await fixture.tracking.parking.park(item, by: Change(actor: ada))
            try await report([310])
            fixture.clock.advance(seconds: 5)
            try await fixture.tracking.parking.end(item, by: Change(actor: ada))
            try await report([900, 900])
            // This one starts with the next position.
            fixture.clock.advance(seconds: Limits.parkingPositionSeconds + 60)
            try await fixture.tracking.parking.park(item, by: Change(actor: ada))
            try await report([905, 2_000, 2_000])
            let moved = try await fixture.alerts(about: item, of: ada).filter { $0.kind == .moved }.map(\.at)
            #expect(moved.count == 2)
            let replay = try await fixture.tracking.replays.replay(silentHours: nil, of: item, for: ada)
            #expect(replay.alerts.filter { $0.kind == .moved }.map(\.at) == moved.reversed())
            try await fixture.tracking.parking.park(item, by: Change(actor: ada))
            fixture.clock.advance(seconds: Limits.replayDays * 24 * 60 * 60 + 60)
            try await fixture.tracking.housekeeping.run()
            #expect(try await fixture.count("parking") == 1)
        }
    }
}

extension TrackingFixture {
    /// Shares an item with a new person.
    fileprivate func sharing(_ item: ID<Item>, by owner: Actor) async throws -> Actor {
        let person = try await person("Ben")
        let now = now
        try await database.write { tx in
            try ItemMemberStore.insert(person.person, .see, to: item, now: now, in: tx)
        }
        return person
    }

    /// Returns the text of an attachment of a person's export.
    fileprivate func export(of actor: Actor, _ path: String) async throws -> String {
        let attachments = try await tracking.dataHandler.attachments(of: actor.person)
        guard let found = try await attachments.first(where: { $0.path == path })?.open() else { return "" }
        var bytes: [UInt8] = []
        for try await piece in found { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }
}
