import Kernel
import Testing

@testable import Recurrence

@Suite("Text of recurrence rules")
struct RuleTextTests {
    @Test(
        "A rule is written in its canonical form",
        arguments: [
            ("FREQ=DAILY", "FREQ=DAILY"),
            ("freq=daily;interval=1", "FREQ=DAILY"),
            ("INTERVAL=010;FREQ=DAILY", "FREQ=DAILY;INTERVAL=10"),
            ("FREQ=WEEKLY;WKST=MO;BYDAY=SU,MO,SU", "FREQ=WEEKLY;BYDAY=MO,SU"),
            ("FREQ=WEEKLY;WKST=SU;COUNT=8;INTERVAL=2;BYDAY=TU", "FREQ=WEEKLY;COUNT=8;INTERVAL=2;BYDAY=TU;WKST=SU"),
            ("FREQ=MONTHLY;BYMONTHDAY=+15,-1,2", "FREQ=MONTHLY;BYMONTHDAY=-1,2,15"),
            ("FREQ=MONTHLY;BYDAY=TU,+1MO,-1FR", "FREQ=MONTHLY;BYDAY=-1FR,TU,1MO"),
            ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
            ("FREQ=YEARLY;BYMONTH=12,1;BYDAY=5SU", "FREQ=YEARLY;BYMONTH=1,12;BYDAY=5SU"),
            ("FREQ=DAILY;UNTIL=20261231", "FREQ=DAILY;UNTIL=20261231"),
            ("FREQ=DAILY;UNTIL=19971224T000000Z", "FREQ=DAILY;UNTIL=19971224T000000Z"),
            ("FREQ=DAILY;UNTIL=20261231T205959", "FREQ=DAILY;UNTIL=20261231T205900"),
            // Blanks, and semicolons without a part.
            (" FREQ = WEEKLY ; BYDAY = MO, th ;", "FREQ=WEEKLY;BYDAY=MO,TH"),
            (";FREQ=DAILY;;", "FREQ=DAILY"), ("FREQ=DAILY;\t", "FREQ=DAILY"),
            // Limits of a short period are those of a longer one.
            ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
            ("FREQ=DAILY;BYMONTHDAY=1,15", "FREQ=MONTHLY;BYMONTHDAY=1,15"),
            ("FREQ=DAILY;BYMONTHDAY=13;BYDAY=FR", "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR"),
            ("FREQ=DAILY;BYMONTH=7,8;BYDAY=SA", "FREQ=YEARLY;BYMONTH=7,8;BYDAY=SA"),
            ("FREQ=WEEKLY;BYMONTH=6,7,8;BYDAY=MO", "FREQ=YEARLY;BYMONTH=6,7,8;BYDAY=MO"),
            ("FREQ=MONTHLY;BYMONTH=3;BYDAY=-1SU", "FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU"),
            ("FREQ=MONTHLY;BYMONTH=3;BYDAY=SU;BYSETPOS=-1", "FREQ=YEARLY;BYMONTH=3;BYDAY=SU;BYSETPOS=-1"),
            ("FREQ=YEARLY;BYDAY=MO", "FREQ=WEEKLY;BYDAY=MO"),
            ("FREQ=YEARLY;BYMONTHDAY=13;BYDAY=FR", "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR"),
        ])
    func canonicalText(text: String, canonical: String) throws {
        let rule = try RecurrenceRule(rfc5545: text)
        #expect(rule.rfc5545 == canonical)
        #expect(try RecurrenceRule(rfc5545: canonical) == rule)
    }

    @Test("The longest rule is within the limit of bytes and is read again")
    func longestRule() throws {
        let ordinals = [nil] + (1...5).flatMap { [Optional($0), -$0] }
        let rule = try RecurrenceRule(
            .yearly, interval: Limits.recurrenceInterval, months: Array(1...12),
            monthDays: Array(-31 ... -1) + (1...31),
            weekdays: Weekday.allCases.flatMap { day in
                ordinals.map { RecurrenceRule.WeekdayNumber(day, ordinal: $0) }
            },
            setPositions: Array((-366 ... -1).prefix(Limits.recurrenceSetPositions)),
            end: .instant(try #require(Instant(rfc3339: "9999-12-31T23:59:59Z"))), weekStart: .sunday)
        #expect(rule.rfc5545.utf8.count <= Limits.recurrenceRuleBytes)
        #expect(try RecurrenceRule(rfc5545: rule.rfc5545) == rule)
    }

    static let errors: [(String, RecurrenceRuleError)] = [
        ("", .malformed), (" ; ", .malformed), ("FREQ", .malformed), ("=DAILY", .malformed),
        ("FREQ=DAILY=1", .malformed), ("FREQ=DAıLY", .malformed), ("ﬀreq=DAILY", .malformed),
        ("FREQ=DAILY;BYHOUR=9", .unknownPart("BYHOUR")), ("FREQ=YEARLY;BYWEEKNO=20", .unknownPart("BYWEEKNO")),
        ("FREQ=YEARLY;BYYEARDAY=1", .unknownPart("BYYEARDAY")), ("X-PART=1;FREQ=DAILY", .unknownPart("X-PART")),
        ("FREQ=DAILY;byhour=9", .unknownPart("BYHOUR")), ("FREQ=DAILY;RSCALE=HEBREW", .unknownPart("RSCALE")),
        ("FREQ=DAILY;BY HOUR=9", .malformed),
        ("FREQ=DAILY;FREQ=DAILY", .repeatedPart(.frequency)), ("FREQ=DAILY;COUNT=1;count=1", .repeatedPart(.count)),
        ("INTERVAL=2", .missingPart(.frequency)),
        ("FREQ=HOURLY", .invalidValue(.frequency)), ("FREQ=", .invalidValue(.frequency)),
        ("FREQ=DAILY;INTERVAL=0", .invalidValue(.interval)), ("FREQ=DAILY;INTERVAL=1000", .invalidValue(.interval)),
        ("FREQ=DAILY;INTERVAL=-1", .invalidValue(.interval)), ("FREQ=DAILY;INTERVAL=+1", .invalidValue(.interval)),
        ("FREQ=DAILY;INTERVAL=", .invalidValue(.interval)), ("FREQ=DAILY;INTERVAL=1.5", .invalidValue(.interval)),
        ("FREQ=DAILY;INTERVAL=9999999999999999999999", .invalidValue(.interval)),
        ("FREQ=DAILY;COUNT=0", .invalidValue(.count)), ("FREQ=DAILY;COUNT=1001", .invalidValue(.count)),
        ("FREQ=DAILY;UNTIL=20260229", .invalidValue(.until)), ("FREQ=DAILY;UNTIL=2026-01-01", .invalidValue(.until)),
        ("FREQ=DAILY;UNTIL=20260101T006000", .invalidValue(.until)),
        ("FREQ=YEARLY;UNTIL=2019-03-29T00:59:59+01:00", .invalidValue(.until)),
        ("FREQ=DAILY;UNTIL=20260101T240000Z", .invalidValue(.until)),
        ("FREQ=DAILY;UNTIL=20260101T006000Z", .invalidValue(.until)),
        ("FREQ=DAILY;UNTIL=20161231T235960Z", .invalidValue(.until)),
        ("FREQ=DAILY;UNTIL=", .invalidValue(.until)),
        ("FREQ=YEARLY;BYMONTH=0", .invalidValue(.byMonth)), ("FREQ=YEARLY;BYMONTH=13", .invalidValue(.byMonth)),
        ("FREQ=YEARLY;BYMONTH=1,,2", .invalidValue(.byMonth)), ("FREQ=YEARLY;BYMONTH=-1", .invalidValue(.byMonth)),
        ("FREQ=MONTHLY;BYMONTHDAY=0", .invalidValue(.byMonthDay)),
        ("FREQ=MONTHLY;BYMONTHDAY=32", .invalidValue(.byMonthDay)),
        ("FREQ=MONTHLY;BYMONTHDAY=-32", .invalidValue(.byMonthDay)),
        ("FREQ=MONTHLY;BYMONTHDAY=--1", .invalidValue(.byMonthDay)),
        ("FREQ=MONTHLY;BYDAY=0MO", .invalidValue(.byDay)), ("FREQ=MONTHLY;BYDAY=6MO", .invalidValue(.byDay)),
        ("FREQ=MONTHLY;BYDAY=-6MO", .invalidValue(.byDay)), ("FREQ=MONTHLY;BYDAY=XX", .invalidValue(.byDay)),
        ("FREQ=MONTHLY;BYDAY=", .invalidValue(.byDay)), ("FREQ=MONTHLY;BYDAY=M", .invalidValue(.byDay)),
        ("FREQ=MONTHLY;BYDAY=1 MO", .invalidValue(.byDay)),
        ("FREQ=MONTHLY;BYMONTHDAY=1;BYSETPOS=0", .invalidValue(.bySetPosition)),
        ("FREQ=MONTHLY;BYMONTHDAY=1;BYSETPOS=367", .invalidValue(.bySetPosition)),
        ("FREQ=WEEKLY;WKST=XX", .invalidValue(.weekStart)), ("FREQ=WEEKLY;WKST=1MO", .invalidValue(.weekStart)),
        ("FREQ=DAILY;COUNT=1;UNTIL=20260101", .conflict(.count, with: .until)),
        ("FREQ=DAILY;INTERVAL=2;BYDAY=MO", .conflict(.byDay, with: .frequency)),
        ("FREQ=DAILY;BYDAY=1MO", .conflict(.byDay, with: .frequency)),
        ("FREQ=DAILY;INTERVAL=2;BYMONTH=1", .conflict(.byMonth, with: .frequency)),
        ("FREQ=WEEKLY;BYMONTH=1", .conflict(.byMonth, with: .frequency)),
        ("FREQ=MONTHLY;INTERVAL=2;BYMONTH=1", .conflict(.byMonth, with: .frequency)),
        ("FREQ=MONTHLY;BYMONTH=1,2;BYDAY=MO;BYSETPOS=1", .conflict(.byMonth, with: .frequency)),
        ("FREQ=DAILY;INTERVAL=2;BYMONTHDAY=1", .conflict(.byMonthDay, with: .frequency)),
        ("FREQ=WEEKLY;BYMONTHDAY=1", .conflict(.byMonthDay, with: .frequency)),
        ("FREQ=WEEKLY;BYDAY=1MO", .conflict(.byDay, with: .frequency)),
        ("FREQ=WEEKLY;BYDAY=MO;BYSETPOS=1", .conflict(.bySetPosition, with: .frequency)),
        ("FREQ=YEARLY;BYDAY=20MO", .invalidValue(.byDay)),
        ("FREQ=YEARLY;BYDAY=1MO", .requires(.byDay, other: .byMonth)),
        ("FREQ=MONTHLY;BYSETPOS=1", .requires(.bySetPosition, other: .byDay)),
    ]

    @Test("An invalid rule names the part at fault", arguments: errors)
    func error(text: String, expected: RecurrenceRuleError) {
        #expect(throws: expected) { try RecurrenceRule(rfc5545: text) }
    }

    @Test("Each part is the subject of an error")
    func everyPartHasAnError() {
        let named = Self.errors.compactMap { _, error in
            if case .invalidValue(let part) = error { part } else { nil }
        }
        #expect(Set(named) == Set(RecurrenceRulePart.allCases))
    }

    @Test("A text above the limit of bytes is rejected before it is read")
    func tooLong() {
        let text = "FREQ=DAILY;" + String(repeating: "X", count: Limits.recurrenceRuleBytes)
        #expect(throws: RecurrenceRuleError.tooLong) { try RecurrenceRule(rfc5545: text) }
    }

    @Test("The limits of INTERVAL, COUNT and BYSETPOS are allowed, one more is not")
    func limits() throws {
        #expect(try RecurrenceRule(.daily, interval: Limits.recurrenceInterval).interval == Limits.recurrenceInterval)
        #expect(throws: RecurrenceRuleError.invalidValue(.interval)) {
            try RecurrenceRule(.daily, interval: Limits.recurrenceInterval + 1)
        }
        _ = try RecurrenceRule(.daily, end: .count(Limits.recurrenceCount))
        #expect(throws: RecurrenceRuleError.invalidValue(.count)) {
            try RecurrenceRule(.daily, end: .count(Limits.recurrenceCount + 1))
        }
        let positions = Array(1...Limits.recurrenceSetPositions)
        _ = try RecurrenceRule(.yearly, monthDays: [1], setPositions: positions)
        #expect(throws: RecurrenceRuleError.invalidValue(.bySetPosition)) {
            try RecurrenceRule(.yearly, monthDays: [1], setPositions: positions + [-1])
        }
    }

    @Test("UNTIL that a rule's text can't express is rejected")
    func inexpressibleUntil() {
        for end in [
            RecurrenceRule.End.instant(Instant(millisecondsSince1970: 1)), .date(LocalDate.last.adding(days: 1)),
            .instant(Instant(millisecondsSince1970: 253_402_300_800_000)),
        ] {
            #expect(throws: RecurrenceRuleError.invalidValue(.until)) { try RecurrenceRule(.daily, end: end) }
        }
    }
}
