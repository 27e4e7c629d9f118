import Foundation
import Kernel
import Testing

@Suite("Instants")
struct InstantTests {
    struct Reading: Sendable, CustomTestStringConvertible {
        let text: String
        let milliseconds: Int64
        var testDescription: String { text }
    }

    static let readings: [Reading] = [
        Reading(text: "1970-01-01T00:00:00Z", milliseconds: 0),
        Reading(text: "1969-12-31T23:59:59.999Z", milliseconds: -1),
        Reading(text: "2026-03-01T12:00:00Z", milliseconds: 1_772_366_400_000),
        Reading(text: "2026-03-01T12:00:00.25Z", milliseconds: 1_772_366_400_250),
        Reading(text: "2026-03-01T12:00:00.001999999Z", milliseconds: 1_772_366_400_001),
        Reading(text: "2026-03-01T13:00:00+01:00", milliseconds: 1_772_366_400_000),
        Reading(text: "2026-03-01T02:30:00.500-09:30", milliseconds: 1_772_366_400_500),
        Reading(text: "2026-03-01t12:00:00z", milliseconds: 1_772_366_400_000),
        Reading(text: "2026-03-01 12:00:00Z", milliseconds: 1_772_366_400_000),
        Reading(text: "2024-02-29T00:00:00Z", milliseconds: 1_709_164_800_000),
        Reading(text: "2000-02-29T00:00:00Z", milliseconds: 951_782_400_000),
        Reading(text: "2016-12-31T23:59:60Z", milliseconds: 1_483_228_800_000),
        Reading(text: "0000-01-01T00:00:00Z", milliseconds: -62_167_219_200_000),
        Reading(text: "9999-12-31T23:59:59.999Z", milliseconds: 253_402_300_799_999),
    ]

    @Test("An RFC 3339 time is parsed", arguments: readings)
    func reads(reading: Reading) {
        #expect(Instant(rfc3339: reading.text)?.millisecondsSince1970 == reading.milliseconds)
    }

    @Test(
        "The date of an HTTP header is parsed only in its current form (RFC 9110, 5.6.7)",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777_000 as Int64?), ("Sunday, 06-Nov-94 08:49:37 GMT", nil),
            ("Sun Nov  6 08:49:37 1994", nil), ("Sun, 06 Nov 1994 08:49:37", nil),
            ("Sun, 31 Feb 1994 08:49:37 GMT", nil),
            ("", nil),
        ])
    func readsHTTPDates(text: String, milliseconds: Int64?) {
        #expect(Instant(httpDate: text)?.millisecondsSince1970 == milliseconds)
    }

    @Test(
        "Text other than an RFC 3339 time with a zone is rejected",
        arguments: [
            "", "2026-03-01", "2026-03-01T12:00:00", "2026-03-01T12:00Z", "2026-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-04-31T00:00:00Z",
            "2026-03-01T24:00:00Z", "2026-03-01T12:60:00Z", "2026-03-01T12:00:61Z", "2026-03-01T12:00:00.Z",
            "2026-03-01T12:00:00+0100", "2026-03-01T12:00:00+24:00", "2026-03-01T12:00:00Z ", " 2026-03-01T12:00:00Z",
            "26-03-01T12:00:00Z", "12026-03-01T12:00:00Z", "-026-03-01T12:00:00Z", "2026-3-1T12:00:00Z",
            "2026-03-01T12:00:00.５Z", "yesterday", "1772366400",
        ]
    )
    func refuses(text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }

    @Test("Every millisecond is written exactly")
    func writes() {
        #expect(Instant(millisecondsSince1970: 1_772_366_400_001).rfc3339 == "2026-03-01T12:00:00.001Z")
        #expect(Instant(millisecondsSince1970: -1).rfc3339 == "1969-12-31T23:59:59.999Z")
        for step: Int64 in 0..<20_000 {
            let instant = Instant(millisecondsSince1970: 1_700_000_000_000 + step * 86_423_777)
            #expect(Instant(rfc3339: instant.rfc3339) == instant)
        }
    }

    @Test("Foundation formats every day since 1583 the same")
    func calendar() {
        let style = Date.ISO8601FormatStyle()
        for day: Int64 in -141_000..<146_097 {
            let instant = Instant(millisecondsSince1970: day * 86_400_000)
            guard instant.rfc3339.prefix(19) == instant.date.formatted(style).prefix(19) else {
                Issue.record("\(day): \(instant.rfc3339)")
                return
            }
        }
    }

    @Test("Instants outside the format's range are clamped when written")
    func clamps() {
        #expect(Instant(millisecondsSince1970: .max).rfc3339 == "9999-12-31T23:59:59.999Z")
        #expect(Instant(millisecondsSince1970: .min).rfc3339 == "0000-01-01T00:00:00.000Z")
    }

    @Test("Instants compare, move by seconds and measure durations")
    func arithmetic() {
        let early = Instant(millisecondsSince1970: 1_000)
        let late = early.adding(seconds: 90)
        #expect(early < late)
        #expect(late.millisecondsSince1970 == 91_000)
        #expect(late.seconds(since: early) == 90)
        #expect(early.seconds(since: late) == -90)
        #expect(Instant(early.date) == early)
        #expect(Instant(Date(timeIntervalSince1970: 1.0006)).millisecondsSince1970 == 1_001)
    }

    @Test("JSON contains the RFC 3339 form")
    func json() throws {
        let instant = Instant(millisecondsSince1970: 1_772_366_400_250)
        let json = try JSONEncoder().encode([instant])
        #expect(String(decoding: json, as: UTF8.self) == "[\"2026-03-01T12:00:00.250Z\"]")
        #expect(try JSONDecoder().decode([Instant].self, from: json) == [instant])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Instant].self, from: Data("[\"soon\"]".utf8)) }
    }

    @Test("The system clock returns a time in this century")
    func systemClock() {
        let clock = SystemClock()
        let first = clock.now
        #expect(first.rfc3339.hasPrefix("20"))
        #expect(first <= clock.now)
    }
}
