import Kernel
import Testing
import Tracking
import TrackerProtocol
import Translations
import WebCore

@testable import TrackingWeb

/// The values that the list's templates look up without reflection.
@Suite("Tracking: template values of a card")
struct TrackingLookupTests {
    @Test("Every stored property is found under its own name only")
    func names() throws {
        let place = try #require(Coordinate(latitude: 1, longitude: 2))
        let now = Instant(millisecondsSince1970: 1_767_225_600_000)
        let item = Item(
            id: ID(at: now, series: 1), owner: ID(at: now, series: 2), name: "Keys", pictureID: ID(at: now, series: 3),
            settings: .standard, version: 1, createdAt: now
        )
        let tracker = TrackerStatus(
            id: "t", kind: .homeward, state: .off, mode: .cellular, batteryPercent: 5, lastSeenAt: now, wanted: .off,
            pending: true, pendingSince: now, timedOut: false, canSwitch: true, canLocate: true,
            offSince: now
        )
        let fix = Fix(id: ID(at: now, series: 4), at: now, coordinate: place, source: .tracker)
        let overview = ItemOverview(
            item: item, tracker: tracker, lastFix: fix, lost: true, distanceMetres: 7, unknownReason: nil,
            isBatteryLow: true, isSilent: true, presence: .lost, place: .inside(name: "Home"), access: .see,
            ownerName: "Ada", isShared: true
        )
        let formatter = TrackingFormatter(Translations.translator(.english), now: now)
        let card = ItemCard(overview, key: "key", t: Translations.translator(.english), formatter: formatter)
        let moment = try #require(card.fixMoment)
        try check(card, card.child)
        try check(card.power, card.power.child)
        try check(moment, moment.child)
    }

    private func check(_ value: some Sendable, _ child: (String) -> Any?) throws {
        for property in Mirror(reflecting: value).children {
            let name = try #require(property.label)
            let found = try #require(child(name), "\(name)")
            let mirror = Mirror(reflecting: property.value)
            let isOptional = mirror.displayStyle == .optional
            let stored = isOptional ? try #require(mirror.children.first).value : property.value
            #expect("\(found)" == "\(stored)", "\(name)")
        }
        let nothing = child("nothing")
        #expect(nothing == nil)
    }
}
