/// A point in time to the millisecond, in UTC, as used in storage, messages and rules.
package struct Instant: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted; negative before it.
    package let millisecondsSince1970: Int64

    package init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

    /// Reads an RFC 3339 time with a zone (`2026-03-01T12:00:00Z`, `…00.250+01:00`); returns `nil` for anything else.
    /// Fractions of a millisecond are cut off; a leap second counts as the second after it.
    package init?(rfc3339 text: some StringProtocol) {
        guard let milliseconds = RFC3339.parse(Array(text.utf8)) else { return nil }
        millisecondsSince1970 = milliseconds
    }

    /// RFC 3339 in UTC with `Z` and milliseconds: `2026-03-01T12:00:00.000Z`. Clamped to the years 0000 to 9999, the
    /// range of the format.
    package var rfc3339: String { RFC3339.format(millisecondsSince1970) }

    /// Returns the instant `seconds` later.
    package func adding(seconds: Int64) -> Instant {
        Instant(millisecondsSince1970: millisecondsSince1970 + seconds * 1000)
    }

    /// Returns the seconds from `earlier` to this instant, with fractions; negative when this instant is earlier.
    package func seconds(since earlier: Instant) -> Double {
        Double(millisecondsSince1970 - earlier.millisecondsSince1970) / 1000
    }

    /// The times that a GPS receiver may have meant whose week counter has ten bits: 1,024 and 2,048 weeks later.
    package var afterWeekRollovers: [Instant] { [1, 2].map { adding(seconds: $0 * 1_024 * 7 * 24 * 60 * 60) } }

    /// Orders by time.
    package static func < (left: Self, right: Self) -> Bool { left.millisecondsSince1970 < right.millisecondsSince1970 }
}
