import Foundation
import Kernel

/// The time formats of OsmAnd's protocol: seconds, milliseconds, ISO 8601, and `yyyy-MM-dd HH:mm:ss`. Other servers
/// read the last one in their own time zone; this server reads it in UTC.
enum TimestampText {
    /// Numbers below this are seconds; all others are milliseconds.
    private static let millisecondsFrom = 2_147_483_647.0

    static func instant(_ text: String) -> Instant? {
        if let number = NumberText.value(text) {
            return FixAcceptance.instant(secondsSince1970: number < millisecondsFrom ? number : number / 1_000)
        }
        return text.contains("T") ? iso8601(text) : dateAndTime(text)
    }

    /// Parses ISO 8601 with or without fraction and zone; without a zone the time is UTC.
    static func iso8601(_ text: String) -> Instant? {
        // A plus sign that isn't escaped in a query arrives as a space.
        let repaired = text.replacing(" ", with: "+")
        if let instant = Instant(rfc3339: repaired) { return instant }
        return Instant(rfc3339: repaired + "Z") ?? Instant(rfc3339: withColonInZone(repaired))
    }

    /// Changes `+0100` to `+01:00`.
    private static func withColonInZone(_ text: String) -> String {
        let zone = text.suffix(5)
        guard zone.count == 5, let sign = zone.first, sign == "+" || sign == "-" else { return text }
        guard zone.dropFirst().allSatisfy(\.isNumber) else { return text }
        return text.dropLast(2) + ":" + text.suffix(2)
    }

    private static func dateAndTime(_ text: String) -> Instant? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[1].split(separator: ":").count == 3 else { return nil }
        return Instant(rfc3339: parts[0] + "T" + parts[1] + "Z")
    }
}

/// Parses the numbers that devices send.
enum NumberText {
    /// Parses a decimal number with an optional exponent; rejects hexadecimal numbers and words like `nan`.
    static func value(_ text: some StringProtocol) -> Double? {
        let isNumber = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
        guard isNumber, let value = Double(text), value.isFinite else { return nil }
        return value
    }
}
