package import Foundation

// Apart from the rest, so that an instant can do without Foundation where there is none.
extension Instant {
    /// Makes the instant of a Foundation date, rounded to the millisecond.
    package init(_ date: Date) {
        self.init(millisecondsSince1970: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }

    /// Reads the date of an HTTP header (IMF-fixdate: RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`; `nil` when it is
    /// not one. The two older forms, which nothing may send any more, are not read.
    package init?(httpDate text: String) {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        // The formatter overlooks small faults.
        guard let date = format.date(from: text), format.string(from: date) == text else { return nil }
        self.init(date)
    }

    /// The same instant for Foundation's formatters.
    package var date: Date { Date(timeIntervalSince1970: Double(millisecondsSince1970) / 1000) }
}

extension Instant: Codable {
    /// Reads an RFC 3339 string.
    /// - Throws: `DecodingError.dataCorrupted` when it is none.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let instant = Self(rfc3339: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 time")
        }
        self = instant
    }

    /// Writes ``rfc3339``.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rfc3339)
    }
}

/// Where the time comes from; a constructor argument everywhere, so that tests set it instead of sleeping.
package protocol WallClock: Sendable {
    /// The present instant.
    var now: Instant { get }
}

/// The machine's clock.
package struct SystemClock: WallClock {
    /// Makes the machine's clock.
    package init() {}
    /// The present instant by the machine's clock.
    package var now: Instant { Instant(Date()) }
}
