import Accounts
import Foundation
import Kernel
import Storage
import TestSupport
import Testing
import TrackerProtocol

@testable import Tracking

/// What receivers send that isn't a position of theirs, or not at that time, in the dialect of every sender.
@Suite("Faults of receivers")
struct ReceiverFaultTests {
    /// A way in which an item's positions arrive.
    enum Dialect: String, CaseIterable {
        case osmandQuery, osmandLocation, traccar, ownTracks, ownTracksEncrypted, tracker, hologram
    }

    /// An item with a phone nearby, and the sender of its positions.
    private struct Sender {
        let fixture: TrackingFixture
        let ada: Actor
        let item: ID<Item>
        let send: (_ latitude: Double, _ longitude: Double, _ at: Instant) async throws -> Void
    }

    private func withSender(
        _ engine: Engine, _ dialect: Dialect, _ body: (Sender) async throws -> Void
    ) async throws {
        switch dialect {
        case .tracker:
            try await withTracker(engine) { fixture, ada, item, tracker in
                try await body(
                    Sender(fixture: fixture, ada: ada, item: item) {
                        _ = try await tracker.call(phase: .active, fixes: [try tracker.fix($0, $1, at: $2)])
                    })
            }
        case .hologram:
            try await withCloudFixture(engine) { cloud in
                let fixture = cloud.fixture
                try await body(
                    Sender(fixture: fixture, ada: cloud.ada, item: cloud.item) { latitude, longitude, at in
                        // The frame can't hold a time before 2020, so the tracker doesn't send such a fix.
                        let counter = fixture.now.millisecondsSince1970 % 1_000_000_000
                        let frame = try cloud.frame(latitude, longitude, at: at, counter: counter)
                        try await cloud.post(cloud.delivery([frame]))
                    })
            }
        case .ownTracks, .ownTracksEncrypted:
            try await withFixture(engine) { fixture in
                let ada = try await fixture.person()
                let item = try await fixture.item(of: ada).item.id
                let phone = try await fixture.ownTracks(for: item, of: ada)
                try await body(
                    Sender(fixture: fixture, ada: ada, item: item) {
                        let plain = OwnTracksApp.location($0, $1, at: $2)
                        let passphrase = try #require(phone.source.passphrase)
                        _ = try await phone.send(
                            dialect == .ownTracks ? plain : OwnTracksApp.encrypted(plain, passphrase: passphrase))
                    })
            }
        case .osmandQuery, .osmandLocation, .traccar:
            try await withFixture(engine) { fixture in
                let ada = try await fixture.person()
                let (item, secret) = try await fixture.tracked(of: ada)
                try await body(
                    Sender(fixture: fixture, ada: ada, item: item) { latitude, longitude, at in
                        switch dialect {
                        case .traccar:
                            let json = """
                                {"device_id":"\(secret)","location":{"timestamp":"\(at.rfc3339)",\
                                "coords":{"latitude":\(latitude),"longitude":\(longitude),"accuracy":5}}}
                                """
                            _ = try await fixture.tracking.traccar.ingest(body: Array(json.utf8))
                        case .osmandLocation:
                            _ = try await fixture.tracking.osmAnd.ingest(query: [
                                (name: "id", value: secret), (name: "location", value: "\(latitude),\(longitude)"),
                                (name: "timestamp", value: "\(at.millisecondsSince1970 / 1_000)"),
                            ])
                        default: try await fixture.osmand(secret, latitude, longitude, at: at)
                        }
                    })
            }
        }
    }

    @Test(
        "Zero degrees of both kinds is quarantined, moves nothing and causes no alert",
        arguments: Engine.allCases, Dialect.allCases)
    func nullIsland(engine: Engine, dialect: Dialect) async throws {
        try await withSender(engine, dialect) { sender in
            let fixture = sender.fixture
            try await fixture.tracking.phonePositions.report(
                PhonePosition(latitude: 48.1371, longitude: 11.5754, accuracyMetres: 5), by: sender.ada)
            try await sender.send(48.1371, 11.5754, fixture.now.adding(seconds: -60))
            for place in [(0.0, 0.0), (-0.0, 0.0), (0.000001, -0.000001), (0.00009, 0.00009)] {
                fixture.clock.advance(seconds: 10)
                try await sender.send(place.0, place.1, fixture.now)
            }
            #expect(try await fixture.fixes(of: sender.item, for: sender.ada).count == 1)
            #expect(try await fixture.quarantine(for: sender.ada) == [.noFix, .noFix, .noFix, .noFix])
            let shown = try await fixture.tracking.items.item(sender.item, for: sender.ada)
            #expect(shown.lastFix?.coordinate.latitude == 48.1371)
            #expect(try await fixture.noticeCount() == 0)
            // Real positions: in the Gulf of Guinea, at Greenwich, and 22 m away.
            for place in [(0.0, 6.5), (51.4779, 0.0), (0.0002, 0.0)] {
                fixture.clock.advance(seconds: 10)
                try await sender.send(place.0, place.1, fixture.now)
            }
            #expect(try await fixture.fixes(of: sender.item, for: sender.ada).count == 4)
        }
    }

    @Test("A phone at 0° N 0° E gets 422 with a message of its own", arguments: Engine.allCases)
    func phone(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let error = await refusal {
                try await fixture.tracking.phonePositions.report(PhonePosition(latitude: 0, longitude: 0), by: ada)
            }
            #expect(error?.fields.keys.sorted() == ["latitude"])
            let phone = try await fixture.app(.osmand, of: ada)
            try await fixture.osmand(phone.secret, 0, 0)
            #expect(try await fixture.quarantine(for: ada) == [.noFix])
            #expect(try await fixture.count("phone_position") == 0)
        }
    }

    @Test(
        "The largest dilution of precision is no fix",
        arguments: ["99", "99.9", "99.99", "100.0", "655.35"])
    func dilution(text: String) {
        let pairs = [(name: "lat", value: "48.1"), (name: "lon", value: "11.5"), (name: "hdop", value: text)]
        #expect(OsmAndQuery(pairs).decoded(speedUnit: .knots) == .unusable(.noFix))
    }

    // MARK: Rollovers of the week counter

    private static let weeks: Int64 = 1_024 * 7 * 86_400

    @Test(
        "A time 1,024 or 2,048 weeks back is corrected, and the receiver's order stays",
        arguments: Engine.allCases, Dialect.allCases)
    func rollover(engine: Engine, dialect: Dialect) async throws {
        guard dialect != .hologram else { return }
        try await withSender(engine, dialect) { sender in
            let fixture = sender.fixture
            for rollovers in [Int64(1), 2] {
                for minutes in [Int64(3), 2, 1] {
                    let at = fixture.now.adding(seconds: -minutes * 60 - rollovers * 1_000)
                    try await sender.send(48 + Double(minutes) / 10, 11, at.adding(seconds: -rollovers * Self.weeks))
                }
            }
            let fixes = try await fixture.fixes(of: sender.item, for: sender.ada)
            let expected = [Int64(1), 2].flatMap { rollovers in
                [Int64(1), 2, 3].map { fixture.now.adding(seconds: -$0 * 60 - rollovers * 1_000) }
            }
            #expect(fixes.map(\.at.wholeSeconds) == expected.map(\.wholeSeconds))
            #expect(try await fixture.quarantine(for: sender.ada).isEmpty)
            // The same message once more is known already.
            let at = fixture.now.adding(seconds: -60 - 1_000 - Self.weeks)
            try await sender.send(48.1, 11, at)
            #expect(try await fixture.fixes(of: sender.item, for: sender.ada).count == 6)
        }
    }

    struct Time: Sendable, CustomTestStringConvertible {
        let what: String
        let at: Instant
        /// `nil` for a time that is refused.
        let expected: Instant?
        var testDescription: String { what }
    }

    private static let now = TestClock().now

    private static func before(_ days: Int64, rollovers: Int64 = 0) -> Instant {
        now.adding(seconds: -days * 86_400 - rollovers * weeks)
    }

    @Test(
        "Each wrong clock is corrected or refused, and what was buffered for months or years is as sent",
        arguments: [
            Time(what: "now", at: now, expected: now),
            Time(what: "buffered for 90 days", at: before(90), expected: before(90)),
            Time(what: "sent later from a logger, 8 years back", at: before(2_922), expected: before(2_922)),
            Time(what: "22 years back", at: before(8_035), expected: before(8_035)),
            Time(what: "rolled over", at: before(0, rollovers: 1), expected: now),
            Time(what: "rolled over, a month ago", at: before(30, rollovers: 1), expected: before(30)),
            Time(what: "rolled over, longer ago", at: before(31, rollovers: 1), expected: nil),
            Time(what: "rolled over, a year ago", at: before(366, rollovers: 1), expected: nil),
            Time(what: "rolled over twice", at: before(1, rollovers: 2), expected: before(1)),
            Time(what: "rolled over twice, longer ago", at: before(100, rollovers: 2), expected: nil),
            Time(
                what: "rolled over, with a clock that is ahead", at: before(0, rollovers: 1).adding(seconds: 599),
                expected: now.adding(seconds: 599)),
            Time(what: "Unix' epoch", at: Instant(millisecondsSince1970: 0), expected: nil),
            Time(what: "GPS' epoch", at: Instant(millisecondsSince1970: 315_964_800_000), expected: nil),
            Time(what: "GPS' second epoch", at: Instant(millisecondsSince1970: 935_280_000_000), expected: nil),
            Time(what: "2080", at: Instant(millisecondsSince1970: 3_471_292_800_000), expected: nil),
            Time(what: "a rollover ahead", at: before(0, rollovers: -1), expected: nil),
            Time(
                what: "seconds read as milliseconds",
                at: Instant(millisecondsSince1970: now.millisecondsSince1970 / 1_000), expected: nil),
            Time(
                what: "milliseconds read as seconds",
                at: Instant(millisecondsSince1970: now.millisecondsSince1970 * 1_000), expected: nil),
        ])
    func times(time: Time) {
        #expect(FixAcceptance.time(time.at, receivedAt: Self.now) == time.expected)
    }
}
