/// A point in time to the millisecond, as the store, the wire and the rules use it. Always UTC.
package struct Instant: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted; negative before it.
    package let millisecondsSince1970: Int64

    /// Makes the instant that many milliseconds after the start of 1970.
    package init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

    /// Reads an RFC 3339 time with a zone (`2026-03-01T12:00:00Z`, `…00.250+01:00`); `nil` when it is not one. What is
    /// finer than a millisecond is cut off; a leap second is the second after it.
    package init?(rfc3339 text: some StringProtocol) {
        guard let milliseconds = RFC3339.parse(Array(text.utf8)) else { return nil }
        millisecondsSince1970 = milliseconds
    }

    /// RFC 3339 in UTC with `Z` and milliseconds: `2026-03-01T12:00:00.000Z`. The format ends with the year 9999, and
    /// so do the instants that it shows.
    package var rfc3339: String { RFC3339.format(millisecondsSince1970) }

    /// The instant `seconds` later.
    package func adding(seconds: Int64) -> Instant {
        Instant(millisecondsSince1970: millisecondsSince1970 + seconds * 1000)
    }

    /// Whole and partial seconds from `earlier` to this instant; negative when this one is the earlier.
    package func seconds(since earlier: Instant) -> Double {
        Double(millisecondsSince1970 - earlier.millisecondsSince1970) / 1000
    }

    /// Orders by time.
    package static func < (left: Self, right: Self) -> Bool { left.millisecondsSince1970 < right.millisecondsSince1970 }
}
