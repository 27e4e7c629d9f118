import Kernel
import Testing

@testable import Recurrence

@Suite("Local time")
struct LocalTimeZoneTests {
    struct Reading: Sendable, CustomTestStringConvertible {
        let zone: String
        let date: String
        let time: String
        /// In UTC.
        let instant: String
        var testDescription: String { "\(zone) \(date) \(time)" }

        init(_ zone: String, _ date: String, _ time: String, _ instant: String) {
            (self.zone, self.date, self.time, self.instant) = (zone, date, time, instant)
        }
    }

    /// Around clocks that are set forward. The results are zoneinfo's.
    static let gaps = [
        Reading("Europe/Berlin", "2026-03-29", "01:59", "2026-03-29T00:59"),
        Reading("Europe/Berlin", "2026-03-29", "02:00", "2026-03-29T01:00"),
        Reading("Europe/Berlin", "2026-03-29", "02:30", "2026-03-29T01:30"),
        Reading("Europe/Berlin", "2026-03-29", "03:00", "2026-03-29T01:00"),
        Reading("America/New_York", "2026-03-08", "02:30", "2026-03-08T07:30"),
        // Half an hour.
        Reading("Australia/Lord_Howe", "2026-10-04", "02:15", "2026-10-03T15:45"),
        Reading("Australia/Lord_Howe", "2026-10-04", "02:30", "2026-10-03T15:30"),
        // After Ramadan.
        Reading("Africa/Casablanca", "2026-03-22", "02:30", "2026-03-22T02:30"),
        Reading("Africa/Casablanca", "2026-03-22", "03:00", "2026-03-22T02:00"),
        // The day had no midnight.
        Reading("America/Sao_Paulo", "2018-11-04", "00:00", "2018-11-04T03:00"),
        // The zone left out 30 December.
        Reading("Pacific/Apia", "2011-12-29", "10:00", "2011-12-29T20:00"),
        Reading("Pacific/Apia", "2011-12-30", "10:00", "2011-12-30T20:00"),
        Reading("Pacific/Apia", "2011-12-31", "10:00", "2011-12-30T20:00"),
    ]

    /// Around clocks that are set back.
    static let overlaps = [
        Reading("Europe/Berlin", "2026-10-25", "01:59", "2026-10-24T23:59"),
        Reading("Europe/Berlin", "2026-10-25", "02:00", "2026-10-25T00:00"),
        Reading("Europe/Berlin", "2026-10-25", "02:30", "2026-10-25T00:30"),
        Reading("Europe/Berlin", "2026-10-25", "03:00", "2026-10-25T02:00"),
        Reading("America/New_York", "2026-11-01", "01:30", "2026-11-01T05:30"),
        Reading("America/New_York", "2026-11-01", "02:00", "2026-11-01T07:00"),
        Reading("Australia/Lord_Howe", "2026-04-05", "01:29", "2026-04-04T14:29"),
        Reading("Australia/Lord_Howe", "2026-04-05", "01:45", "2026-04-04T14:45"),
        Reading("Australia/Lord_Howe", "2026-04-05", "02:00", "2026-04-04T15:30"),
        // Before Ramadan.
        Reading("Africa/Casablanca", "2026-02-15", "02:30", "2026-02-15T01:30"),
        Reading("Africa/Casablanca", "2026-02-15", "03:00", "2026-02-15T03:00"),
        Reading("America/Havana", "2026-11-01", "00:30", "2026-11-01T04:30"),
    ]

    /// At the end of a year, and without changes.
    static let others = [
        Reading("Asia/Kathmandu", "2026-01-01", "00:00", "2025-12-31T18:15"),
        Reading("UTC", "2026-12-31", "23:59", "2026-12-31T23:59"),
    ]

    @Test(
        "A time in a gap moves forward by the gap, and of two equal times the first is taken",
        arguments: gaps + overlaps + others)
    func instant(reading: Reading) throws {
        let zone = try LocalTimeZone(reading.zone)
        let time = try #require(LocalTime(reading.time))
        #expect(zone.instant(of: try date(reading.date), at: time).rfc3339 == reading.instant + ":00.000Z")
    }

    @Test("A date that exists is the date at its own instants", arguments: ["Europe/Berlin", "Pacific/Chatham", "UTC"])
    func dateAtInstant(identifier: String) throws {
        let zone = try LocalTimeZone(identifier)
        for days in -40_000..<40_000 where days % 7 == 0 {
            let date = LocalDate(dayNumber: days)
            let midnight = zone.instant(of: date, at: .midnight)
            #expect(zone.date(at: midnight) == date)
            #expect(zone.date(at: Instant(millisecondsSince1970: midnight.millisecondsSince1970 - 1)) < date)
        }
    }

    @Test("More years than the cache has give the same instants again")
    func cache() throws {
        let (shared, time) = (try LocalTimeZone("Europe/Berlin"), try #require(LocalTime("12:00")))
        let summers = try (1950..<1950 + 2 * Limits.timeZoneYears).map { try date("\($0)-07-01") }
        let first = summers.map { shared.instant(of: $0, at: time) }
        #expect(summers.map { shared.instant(of: $0, at: time) } == first)
        #expect(try summers.map { try LocalTimeZone("Europe/Berlin").instant(of: $0, at: time) } == first)
    }

    @Test("An unknown time zone is an error", arguments: ["", "Europe/Bielefeld", "+01:00", "Europe/Berlin\n"])
    func unknownZone(identifier: String) {
        #expect(throws: ScheduleError.unknownTimeZone) { try LocalTimeZone(identifier) }
    }

    @Test("An identifier above the limit of bytes is an error")
    func longIdentifier() {
        let long = String(repeating: "x", count: Limits.timeZoneBytes + 1)
        #expect(throws: ScheduleError.unknownTimeZone) { try LocalTimeZone(long) }
    }

    @Test("A time is read and written with two digits each", arguments: ["00:00", "08:05", "23:59"])
    func timeText(text: String) throws {
        #expect(try #require(LocalTime(text)).text == text)
    }

    @Test(
        "Text other than a time of day is rejected",
        arguments: ["", "24:00", "12:60", "8:00", "08:00:00", "+8:00", "08.00", "０8:00", " 8:00"])
    func invalidTime(text: String) {
        #expect(LocalTime(text) == nil)
    }
}
