import Foundation
package import Kernel
import Synchronization

/// A time zone of the IANA database, with the rules that Foundation has. Copies share a cache of offsets, so a caller
/// creates the value once for all schedules of a household.
package struct LocalTimeZone: Sendable {
    /// The name in the IANA database: `Europe/Berlin`.
    package let identifier: String

    private let zone: TimeZone
    private let cache = OffsetCache()

    /// Coordinated universal time.
    package static let utc = LocalTimeZone(identifier: "UTC", zone: .gmt)

    /// The names of all time zones that a person can choose, in order.
    package static let identifiers = TimeZone.knownTimeZoneIdentifiers.filter { $0.contains("/") }.sorted() + ["UTC"]

    private init(identifier: String, zone: TimeZone) {
        self.identifier = identifier
        self.zone = zone
    }

    /// - Throws: `unknownTimeZone`.
    package init(_ identifier: String) throws(ScheduleError) {
        guard identifier.utf8.count <= Limits.timeZoneBytes, let zone = TimeZone(identifier: identifier) else {
            throw .unknownTimeZone
        }
        self.identifier = identifier
        self.zone = zone
    }

    /// Returns the instant at which clocks in the zone show this date and time (RFC 5545, 3.3.5).
    ///
    /// A time that doesn't exist, because clocks are set forward over it, is moved forward by the length of the gap. Of
    /// a time that occurs twice, because clocks are set back, the first one is taken.
    package func instant(of date: LocalDate, at time: LocalTime) -> Instant {
        offsets(on: date).instant(of: date, at: time)
    }

    /// Returns the date that calendars in the zone show.
    package func date(at instant: Instant) -> LocalDate {
        let (milliseconds, sinceMidnight) = clock(at: instant)
        return LocalDate(dayNumber: Int((milliseconds - sinceMidnight) / Self.millisecondsPerDay))
    }

    /// Returns the time that clocks in the zone show, without seconds.
    package func time(at instant: Instant) -> LocalTime {
        let minutes = Int(clock(at: instant).sinceMidnight / 60_000)
        return LocalTime(hour: minutes / 60, minute: minutes % 60) ?? .midnight
    }

    private static let millisecondsPerDay: Int64 = 86_400_000

    /// Returns the milliseconds since 1970-01-01 00:00 on the clock, and those since midnight.
    private func clock(at instant: Instant) -> (milliseconds: Int64, sinceMidnight: Int64) {
        let offset = Int64(zone.secondsFromGMT(for: instant.date)) * 1_000
        let milliseconds = instant.millisecondsSince1970 + offset
        // Rounds down, also before 1970.
        let day = Self.millisecondsPerDay
        return (milliseconds, (milliseconds % day + day) % day)
    }

    /// Returns the offsets of the year with the date.
    func offsets(on date: LocalDate) -> ZoneOffsets {
        let year = date.yearMonthDay.year
        if let offsets = cache.offsets(of: year) { return offsets }
        let offsets = ZoneOffsets(year: year, zone: zone)
        cache.insert(offsets, for: year)
        return offsets
    }
}

extension LocalTimeZone: Hashable {
    /// Compares identifiers; two names of the same zone differ.
    package static func == (left: Self, right: Self) -> Bool { left.identifier == right.identifier }

    /// Hashes the identifier.
    package func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

/// The offsets from UTC in one calendar year of a time zone, by the time on the clock.
struct ZoneOffsets: Sendable {
    /// A change of the offset.
    private struct Transition {
        /// The first time on the clock with the new offset, in seconds since 1970-01-01 00:00 on the clock. Times of a
        /// gap and times that occur twice still have the old offset.
        let clockSeconds: Int
        let offsetSeconds: Int
    }

    /// The day numbers of the year.
    let days: Range<Int>
    private let firstOffsetSeconds: Int
    /// In ascending order.
    private let transitions: [Transition]

    /// Offsets are less than a day, and the largest jump so far was a day (Samoa in 2011).
    private static let marginSeconds = 2 * 86_400

    fileprivate init(year: Int, zone: TimeZone) {
        days =
            LocalDate.dayNumber(year: year, month: 1, day: 1)..<LocalDate.dayNumber(year: year + 1, month: 1, day: 1)
        var from = Date(timeIntervalSince1970: Double(days.lowerBound * 86_400 - Self.marginSeconds))
        let end = Date(timeIntervalSince1970: Double(days.upperBound * 86_400 + Self.marginSeconds))
        firstOffsetSeconds = zone.secondsFromGMT(for: from)
        var before = firstOffsetSeconds
        var transitions: [Transition] = []
        while let transition = zone.nextDaylightSavingTimeTransition(after: from), transition > from, transition < end {
            let after = zone.secondsFromGMT(for: transition)
            let seconds = Int(transition.timeIntervalSince1970)
            transitions.append(Transition(clockSeconds: seconds + max(before, after), offsetSeconds: after))
            (from, before) = (transition, after)
        }
        self.transitions = transitions
    }

    /// Returns the instant of a time on the clock; see `LocalTimeZone.instant(of:at:)`. The date is one of `days`.
    func instant(of date: LocalDate, at time: LocalTime) -> Instant {
        let clockSeconds = date.dayNumber * 86_400 + time.minuteOfDay * 60
        let transition = transitions.last { $0.clockSeconds <= clockSeconds }
        let offset = transition?.offsetSeconds ?? firstOffsetSeconds
        return Instant(millisecondsSince1970: Int64(clockSeconds - offset) * 1_000)
    }
}

/// The offsets of the last used years.
private final class OffsetCache: Sendable {
    private let years = Mutex<[Int: ZoneOffsets]>([:])

    func offsets(of year: Int) -> ZoneOffsets? { years.withLock { $0[year] } }

    func insert(_ offsets: ZoneOffsets, for year: Int) {
        years.withLock { years in
            if years.count >= Limits.timeZoneYears { years.removeAll(keepingCapacity: true) }
            years[year] = offsets
        }
    }
}
