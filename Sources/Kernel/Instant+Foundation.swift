package import Foundation

// In its own file so that `Instant` can be used where there is no Foundation.
extension Instant {
    /// Rounds a Foundation date to the millisecond.
    package init(_ date: Date) {
        self.init(millisecondsSince1970: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }

    /// Reads the date of an HTTP header (IMF-fixdate: RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`. Returns `nil`
    /// for anything else, including the two obsolete forms.
    package init?(httpDate text: String) {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        // The formatter accepts small errors, so the result is compared with the text.
        guard let date = format.date(from: text), format.string(from: date) == text else { return nil }
        self.init(date)
    }

    /// The same instant for Foundation's formatters.
    package var date: Date { Date(timeIntervalSince1970: Double(millisecondsSince1970) / 1000) }
}

extension Instant: Codable {
    /// Reads an RFC 3339 string.
    /// - Throws: `DecodingError.dataCorrupted` when the text is not one.
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

/// The source of the time. Passed to initializers everywhere, so that tests set the time instead of sleeping.
package protocol WallClock: Sendable {
    var now: Instant { get }
}

/// The system's clock.
package struct SystemClock: WallClock {
    package init() {}
    package var now: Instant { Instant(Date()) }
}
