import Kernel
import Recurrence
import TestSupport
import Testing

@testable import Tracking

@Suite("The rule about places")
struct GeofenceRuleTests {
    private static let start = Instant(millisecondsSince1970: 1_770_000_000_000)
    private static let metresPerDegree = 111_195.08

    private static func place(_ east: Double, _ north: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: north / metresPerDegree, longitude: east / metresPerDegree))
    }

    private func sample(_ metres: Double, minute: Int) throws -> PositionSample {
        PositionSample(
            at: Self.start.adding(seconds: Int64(minute * 60)), coordinate: try Self.place(0, metres),
            accuracyMetres: 5)
    }

    /// Returns the minutes since which the item is on the new side, for a circle of 100 m.
    private func crossings(dwellMinutes: Int = 0, _ positions: [(minute: Int, metres: Double)]) throws -> [Int] {
        let area = SafeArea(centre: try Self.place(0, 0), radiusMetres: 100)
        let rule = GeofenceRule(area: area, dwellSeconds: Double(dwellMinutes * 60))
        var state = GeofenceRule.State()
        var found: [Int] = []
        for position in positions {
            let step = rule.step(from: state, try sample(position.metres, minute: position.minute))
            state = step.state
            if let crossing = step.crossing { found.append(Int(crossing.since.seconds(since: Self.start)) / 60) }
        }
        return found
    }

    @Test("A position on the other side doesn't wait for hours for its confirmation while others come")
    func oldPending() throws {
        let ignored = stride(from: 10, to: 120, by: 10).map { (minute: $0, metres: 102.0) }
        let first = [(minute: -2, metres: 500.0), (minute: -1, metres: 500), (minute: 0, metres: 20)] + ignored
        #expect(try crossings(first) == [])
        #expect(try crossings(first + [(minute: 120, metres: 20)]) == [0])
        #expect(try crossings(first + [(minute: 121, metres: 20)]) == [])
        #expect(try crossings(first + [(minute: 121, metres: 20), (minute: 122, metres: 20)]) == [121])
    }

    @Test("A position outside for sure, near the border, contradicts an arrival")
    func contradiction() throws {
        let away = [(minute: 0, metres: 500.0), (minute: 1, metres: 500), (minute: 2, metres: 20)]
        #expect(try crossings(away + [(minute: 3, metres: 104), (minute: 4, metres: 20)]) == [2])
        #expect(try crossings(away + [(minute: 3, metres: 108), (minute: 4, metres: 20)]) == [])
        #expect(
            try crossings(away + [(minute: 3, metres: 108), (minute: 4, metres: 20), (minute: 5, metres: 20)]) == [4])
    }

    @Test("Two positions of a tracker that reports rarely are two in a row")
    func rare() throws {
        let day = 24 * 60
        #expect(
            try crossings([
                (minute: 0, metres: 500), (minute: day, metres: 500), (minute: 2 * day, metres: 20),
                (minute: 3 * day, metres: 20),
            ]) == [2 * day])
        let long = [
            (minute: -500, metres: 500.0), (minute: 0, metres: 500), (minute: 10, metres: 20),
            (minute: 220, metres: 20),
            (minute: 430, metres: 20),
        ]
        #expect(try crossings(dwellMinutes: 240, long) == [10])
    }

    @Test("In a polygon whose centre is outside, a position counts by its accuracy")
    func concave() throws {
        // The shape of a U, 40 m wide.
        let outline = try [
            (-100.0, -100.0), (100, -100), (100, 100), (60, 100), (60, -60), (-60, -60), (-60, 100), (-100, 100),
        ].map { try Self.place($0.0, $0.1) }
        let (centre, radius) = try PlaceOutline.circle(around: outline)
        let area = SafeArea(centre: centre, radiusMetres: radius, outline: outline)
        let rule = GeofenceRule(area: area, dwellSeconds: 0)
        func side(_ east: Double, accuracyMetres: Double) throws -> Bool? {
            rule.side(
                of: PositionSample(
                    at: Self.start, coordinate: try Self.place(east, 0), accuracyMetres: accuracyMetres))
        }
        #expect(try side(80, accuracyMetres: 19) == true)
        #expect(try side(80, accuracyMetres: 21) == nil)
        #expect(try side(98, accuracyMetres: 5) == nil)
        #expect(try side(0, accuracyMetres: 19) == false)
    }

    @Test("A position that may be on either side of the nearest border counts for neither, whatever the shape")
    func accuracy() throws {
        func side(_ area: SafeArea, _ east: Double, _ north: Double, accuracyMetres: Double) throws -> Bool? {
            GeofenceRule(area: area, dwellSeconds: 0).side(
                of: PositionSample(
                    at: Self.start, coordinate: try Self.place(east, north), accuracyMetres: accuracyMetres))
        }
        // The centre of this V is 1 m inside, so it says nothing about positions.
        let corners = try [(-200.0, 200.0), (0, 1), (200, 200), (200, -200), (-200, -200)]
            .map { try Self.place($0.0, $0.1) }
        let (centre, radius) = try PlaceOutline.circle(around: corners)
        let shape = SafeArea(centre: centre, radiusMetres: radius, outline: corners)
        #expect(shape.contains(try Self.place(0, 0)))
        #expect(try side(shape, 0, -3, accuracyMetres: 50) == nil)
        #expect(try side(shape, 0, -100, accuracyMetres: 50) == true)
        #expect(try side(shape, 0, -100, accuracyMetres: 101) == nil)
        #expect(try side(shape, 0, 150, accuracyMetres: 300) == nil)
        let small = SafeArea(centre: try Self.place(0, 0), radiusMetres: 20)
        #expect(try side(small, 0, 0, accuracyMetres: 19) == true)
        // No position is inside such a place for sure, so one in the place counts if the place is within its accuracy.
        #expect(try side(small, 0, 0, accuracyMetres: 21) == true)
        #expect(try side(small, 0, 9, accuracyMetres: 30) == true)
        #expect(try side(small, 0, 11, accuracyMetres: 30) == nil)
        #expect(try side(small, 0, 21, accuracyMetres: 60) == nil)
        #expect(try side(small, 0, 60, accuracyMetres: 29) == false)
        #expect(try side(small, 0, 60, accuracyMetres: 41) == nil)
    }

    // MARK: Days and hours

    private func settings(
        _ kind: GeofenceKind, days: [String]? = nil, from: String? = nil, until: String? = nil, by: String? = nil,
        zone: String = "UTC"
    ) throws -> GeofenceSettings {
        let place = ID<SafePlace>(at: Self.start, random: SeededRandom(seed: 1))
        return try GeofenceSettings(
            GeofenceInput(place: place, kind: kind, days: days, from: from, until: until, by: by, timeZone: zone))
    }

    private func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

    @Test("Hours over midnight belong to the day on which they start")
    func overMidnight() throws {
        let friday = try settings(.arrive, days: ["FR"], from: "22:00", until: "02:00", zone: "Europe/Berlin")
        // 2026-03-06 is a Friday, and Berlin is an hour ahead of UTC.
        for (time, isCovered) in [
            ("2026-03-06T00:00:00Z", false), ("2026-03-06T20:59:59Z", false), ("2026-03-06T21:00:00Z", true),
            ("2026-03-07T00:00:00Z", true), ("2026-03-07T00:59:59Z", true), ("2026-03-07T01:00:00Z", false),
            ("2026-03-07T21:30:00Z", false), ("2026-03-08T00:00:00Z", false),
        ] {
            #expect(try friday.covers(instant(time)) == isCovered, "\(time)")
        }
    }

    @Test(
        "There is one deadline on each day, also on the days on which clocks change",
        arguments: [
            ("2026-03-28T00:00:00Z", "02:30", ["2026-03-28T01:30", "2026-03-29T01:30", "2026-03-30T00:30"]),
            ("2026-10-24T00:00:00Z", "02:30", ["2026-10-24T00:30", "2026-10-25T00:30", "2026-10-26T01:30"]),
            ("2026-03-28T00:00:00Z", "08:00", ["2026-03-28T07:00", "2026-03-29T06:00", "2026-03-30T06:00"]),
            ("2026-10-24T00:00:00Z", "08:00", ["2026-10-24T06:00", "2026-10-25T07:00", "2026-10-26T07:00"]),
        ])
    func clockChanges(from start: String, by: String, expected: [String]) throws {
        let rule = try settings(.absent, by: by, zone: "Europe/Berlin")
        var at = try instant(start)
        var found: [String] = []
        for _ in expected {
            at = try #require(rule.nextDeadline(after: at))
            found.append(at.rfc3339)
            #expect(rule.deadline(decidedAt: at) == at)
            #expect(rule.deadline(decidedAt: at.adding(seconds: Limits.pendingArrivalSeconds)) == at)
        }
        #expect(found == expected.map { $0 + ":00.000Z" })
    }
}
