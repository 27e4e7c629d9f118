import Kernel
import Testing

@testable import Tracking

@Suite("Separation of phone and item")
struct SeparationTests {
    private static let now = Instant(millisecondsSince1970: 1_772_366_400_000)

    private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: latitude, longitude: longitude))
    }

    struct Limit: Sendable {
        let distance: Double
        let metres: Int
        let isFarther: Bool
    }

    @Test(
        "isFarther is strict",
        arguments: [
            Limit(distance: 5.0, metres: 5, isFarther: false),
            Limit(distance: 5.1, metres: 5, isFarther: true),
            Limit(distance: 0, metres: 0, isFarther: false),
            Limit(distance: 2_000, metres: 2_000, isFarther: false),
            Limit(distance: 2_000.001, metres: 2_000, isFarther: true),
            Limit(distance: 5.000_000_000_1, metres: 5, isFarther: false),
            Limit(distance: 2_000.000_000_1, metres: 2_000, isFarther: false),
        ])
    func strictness(_ limit: Limit) {
        #expect(Separation.isFarther(limit.distance, thanMetres: limit.metres) == limit.isFarther)
    }

    @Test("a degree of the equator is 111,195 m by the haversine formula on the mean radius")
    func haversine() throws {
        let phone = try place(0, 0)
        let verdict = Separation.verdict(
            lastFix: try place(0, 1), hasTracker: true, phone: phone, lostMetres: 5
        )
        #expect(abs(try #require(verdict.distanceMetres) - 111_195.08) < 0.01)
        #expect(verdict.lost)
        #expect(verdict.unknownReason == nil)
    }

    @Test("Without a distance no item is lost, and the reason is given")
    func unknown() throws {
        let somewhere = try place(1, 1)
        let noTracker = Separation.verdict(lastFix: nil, hasTracker: false, phone: somewhere, lostMetres: 5)
        let noFix = Separation.verdict(lastFix: nil, hasTracker: true, phone: somewhere, lostMetres: 5)
        let noPhone = Separation.verdict(lastFix: somewhere, hasTracker: true, phone: nil, lostMetres: 5)
        #expect(noTracker.unknownReason == .noTracker)
        #expect(noFix.unknownReason == .noFix)
        #expect(noPhone.unknownReason == .noPhonePosition)
        for verdict in [noTracker, noFix, noPhone] {
            #expect(!verdict.lost)
            #expect(verdict.distanceMetres == nil)
        }
    }

    @Test("An item whose tracker was removed keeps its last position")
    func withoutTracker() throws {
        let verdict = Separation.verdict(
            lastFix: try place(0, 0), hasTracker: false, phone: try place(0, 0.001), lostMetres: 5
        )
        #expect(verdict.lost)
    }

    @Test("The requesting session's position counts for 10 minutes, any phone's for 24 hours")
    func whichPhone() throws {
        func known(minutesAgo: Int64, _ latitude: Double) throws -> PhoneFix {
            PhoneFix(at: Self.now.adding(seconds: -minutesAgo * 60), coordinate: try place(latitude, 0))
        }
        let ownFresh = try known(minutesAgo: 10, 1)
        let ownStale = PhoneFix(at: Self.now.adding(seconds: -601), coordinate: ownFresh.coordinate)
        let other = try known(minutesAgo: 1, 2)
        let dayOld = try known(minutesAgo: 24 * 60, 3)
        let tooOld = PhoneFix(at: Self.now.adding(seconds: -86_401), coordinate: dayOld.coordinate)
        #expect(Separation.phone(own: ownFresh, freshest: other, now: Self.now) == ownFresh)
        #expect(Separation.phone(own: ownStale, freshest: other, now: Self.now) == other)
        #expect(Separation.phone(own: nil, freshest: dayOld, now: Self.now) == dayOld)
        #expect(Separation.phone(own: nil, freshest: tooOld, now: Self.now) == nil)
        #expect(Separation.phone(own: ownStale, freshest: nil, now: Self.now) == nil)
    }
}
