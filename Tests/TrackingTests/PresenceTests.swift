import Accounts
import Kernel
import TestSupport
import Testing
import TrackerProtocol

@testable import Tracking

@Suite("Near, apart, lost and no news")
struct PresenceTests {
    private static let place = Coordinate(latitude: 0, longitude: 0)

    private func presence(
        metres: Double?, state: TrackerState? = .active, isApart: Bool = false, isSilent: Bool = false,
        mode: AlertMode = .everyTime, isSafe: Bool = false
    ) -> Presence? {
        let tracker = state.map {
            TrackerStatus(
                id: "t", kind: .homeward, state: $0, mode: .cellular, batteryPercent: nil, lastSeenAt: nil, wanted: .on,
                pending: false, pendingSince: nil, timedOut: false, canSwitch: true, canLocate: true
            )
        }
        let circles = Self.place.map { [SafeArea(centre: $0, radiusMetres: 50)] } ?? []
        return PresenceRule.presence(
            Separation.Verdict(
                distanceMetres: metres, lost: metres.map { $0 > 5 } ?? false,
                unknownReason: metres == nil ? .noPhonePosition : nil
            ),
            lastPlace: Self.place, tracker: tracker, apartSince: isApart ? Instant(millisecondsSince1970: 1) : nil,
            isSilent: isSilent, alerts: PresenceRule.Alerts(mode: mode, safePlaces: isSafe ? circles : [])
        )
    }

    @Test("The distance decides between near and lost")
    func distance() {
        #expect(presence(metres: 5) == .near)
        #expect(presence(metres: 5.1) == .lost)
        #expect(presence(metres: nil) == nil)
    }

    @Test("A safe place, or positions that prove no separation, make a far item apart")
    func apart() {
        #expect(presence(metres: 60, isSafe: true) == .apart)
        #expect(presence(metres: 60, mode: .whenSure) == .apart)
        #expect(presence(metres: 60, isApart: true, mode: .whenSure) == .lost)
        for mode in AlertMode.allCases {
            #expect(presence(metres: 60, isApart: true, mode: mode, isSafe: true) == .apart)
        }
    }

    @Test("Silence alone makes no item lost", arguments: AlertMode.allCases)
    func noNews(mode: AlertMode) {
        for metres in [nil, 1, 5_000] as [Double?] {
            #expect(presence(metres: metres, isSilent: true, mode: mode) == .noNews)
            #expect(presence(metres: metres, state: nil, mode: mode) == .noNews)
        }
        #expect(presence(metres: 5_000, isApart: true, isSilent: true, mode: mode) == .lost)
        #expect(presence(metres: 1, isApart: true, isSilent: true, mode: mode) == .noNews)
        #expect(presence(metres: 5_000, state: .off, mode: mode) == nil)
    }

    private static func shown(_ fixture: TrackingFixture, _ actor: Actor) async throws -> Presence? {
        try await fixture.tracking.items.page(for: actor, after: nil, limit: 10).items.first?.presence
    }

    @Test(
        "The list follows positions, alert mode and silence; the key lost stays the distance",
        arguments: Engine.allCases)
    func list(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let (item, secret) = try await fixture.tracked(of: ada)
            #expect(try await Self.shown(fixture, ada) == nil)
            try await fixture.phone(of: ada, metres: 0)
            try await fixture.item(secret, metres: 3)
            #expect(try await Self.shown(fixture, ada) == .near)
            fixture.clock.advance(seconds: 10)
            try await fixture.item(secret, metres: 8)
            #expect(try await Self.shown(fixture, ada) == .lost)
            try await fixture.tracking.alerts.setMode(.whenSure, by: Change(actor: ada))
            #expect(try await Self.shown(fixture, ada) == .apart)
            try await fixture.tracking.alerts.setMode(.everyTime, by: Change(actor: ada))
            let home = SafePlaceInput(name: "Home", latitude: 0, longitude: TrackingFixture.meridian)
            _ = try await fixture.tracking.safePlaces.create(home, by: Change(actor: ada))
            #expect(try await Self.shown(fixture, ada) == .apart)
            // The phone moves while the tracker is silent.
            fixture.clock.advance(seconds: 31 * 60)
            try await fixture.phone(of: ada, metres: 900)
            #expect(try await Self.shown(fixture, ada) == .noNews)
            #expect(try await fixture.tracking.items.item(item, for: ada).lost)
        }
    }
}

@Suite("The offer of *Only when sure*")
struct AlertOfferTests {
    @Test(
        "The owner is asked once, after the first tracker, and again with the first alerts only",
        arguments: Engine.allCases)
    func offers(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person(alertMode: nil)
            let tracking = fixture.tracking
            _ = try await fixture.item("Lamp", of: ada)
            #expect(try await fixture.offer(to: ada) == nil)
            let (_, secret) = try await fixture.tracked(of: ada)
            #expect(try await fixture.offer(to: ada) == .firstChoice)
            #expect(try await !fixture.isOfferedInFeed(of: ada), "no alert yet")
            #expect(try await tracking.alerts.mode(for: ada) == .everyTime, "the default stays the literal rule")
            try await tracking.alerts.setMode(.everyTime, by: Change(actor: ada))
            #expect(try await fixture.offer(to: ada) == nil)
            for round in 1...(Limits.alertsWithOffer + 1) {
                fixture.clock.advance(seconds: 10)
                try await fixture.phone(of: ada, metres: 0)
                try await fixture.item(secret, metres: 0)
                fixture.clock.advance(seconds: 10)
                try await fixture.item(secret, metres: 400)
                #expect(try await fixture.noticeCount() == round)
                let isOffered = round <= Limits.alertsWithOffer
                #expect(try await fixture.offer(to: ada) == (isOffered ? .afterAlerts : nil))
                #expect(try await fixture.isOfferedInFeed(of: ada) == isOffered)
            }
            let eve = try await fixture.person("Eve", alertMode: nil)
            #expect(try await fixture.offer(to: eve) == nil)
            _ = try await fixture.tracked(of: eve)
            try await tracking.alerts.setMode(.whenSure, by: Change(actor: eve))
            #expect(try await fixture.offer(to: eve) == nil)
        }
    }
}
