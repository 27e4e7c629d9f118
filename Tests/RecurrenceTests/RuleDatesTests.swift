import Kernel
import Testing

@testable import Recurrence

@Suite("Cost of recurrence rules")
struct RuleDatesTests {
    private static func ruleDates(_ rule: String, start: String, from first: String) throws -> RuleDates {
        let rule = try RecurrenceRule(rfc5545: rule)
        return RuleDates(
            RulePeriods(rule, start: try date(start)), start: try date(start), from: try date(first), through: .last)
    }

    @Test(
        "The next date long after the start needs one or two periods",
        arguments: [
            ("FREQ=DAILY", "9000-01-01", 1), ("FREQ=DAILY;INTERVAL=7", "9000-01-05", 2),
            ("FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,FR", "9000-01-06", 2), ("FREQ=MONTHLY;BYMONTHDAY=-1", "9000-01-31", 1),
            ("FREQ=MONTHLY;INTERVAL=5;BYDAY=2TU", "9000-02-11", 2), ("FREQ=YEARLY", "9000-05-05", 1),
        ])
    func jump(rule: String, expected: String, periods: Int) throws {
        var dates = try Self.ruleDates(rule, start: "1901-05-05", from: "9000-01-01")
        #expect(dates.next()?.text == expected)
        #expect(dates.periodCount <= periods)
    }

    @Test("A daily rule from 20 years ago computes one period for today")
    func today() throws {
        var dates = try Self.ruleDates("FREQ=DAILY", start: "2006-03-01", from: "2026-03-01")
        #expect(dates.next()?.text == "2026-03-01")
        #expect(dates.periodCount == 1)
    }

    @Test(
        "A rule without dates ends after the 400 years in which the calendar repeats",
        arguments: [
            ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", 400), ("FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29", 400),
            ("FREQ=MONTHLY;BYMONTHDAY=1;BYDAY=2MO", 4_800),
        ])
    func noDates(rule: String, periods: Int) throws {
        var dates = try Self.ruleDates(rule, start: "2025-01-01", from: "2026-01-01")
        #expect(dates.next() == nil)
        #expect(dates.periodCount == periods)
        #expect(try schedule(rule + ";COUNT=3", from: "2025-01-01").dates().isEmpty)
    }

    @Test("The rarest date is found: a Sunday, 29 February, every 12 years from one")
    func rareDate() throws {
        var dates = try Self.ruleDates(
            "FREQ=MONTHLY;INTERVAL=144;BYMONTHDAY=29;BYDAY=SU", start: "2032-02-29", from: "2032-03-01")
        #expect(dates.next()?.text == "2128-02-29")
    }

    static let rules = [
        "FREQ=DAILY;INTERVAL=3", "FREQ=DAILY;COUNT=700", "FREQ=WEEKLY;BYDAY=MO,WE,SU;WKST=WE;INTERVAL=2",
        "FREQ=WEEKLY;INTERVAL=5", "FREQ=MONTHLY;BYMONTHDAY=-1,1,30", "FREQ=MONTHLY;INTERVAL=7;BYDAY=-1FR,2MO",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1,1", "FREQ=YEARLY;BYMONTH=1,2;BYMONTHDAY=29",
        "FREQ=YEARLY;INTERVAL=3;BYMONTHDAY=13", "FREQ=MONTHLY;UNTIL=20310815T120000Z",
    ]

    @Test("Queries of any part of the series agree with the series from its start", arguments: rules)
    func everyPart(rule: String) throws {
        let schedule = try schedule(
            rule, from: "2024-02-29", excluded: ["2026-01-31", "2027-03-01"], additional: ["2025-01-01", "2026-01-30"])
        let begin = try date("2024-01-01")
        let all = schedule.occurrences(in: begin..<begin.adding(days: 10 * 365))
        #expect(all.count > 3)
        var parts: [Occurrence] = []
        for month in 0..<146 {
            let first = begin.adding(days: month * 25)
            parts += schedule.occurrences(in: first..<first.adding(days: 25))
        }
        #expect(parts == all)
        var next: [Occurrence] = []
        while let found = schedule.occurrences(after: next.last?.date ?? begin, limit: 1).first, next.count < all.count
        {
            next.append(found)
        }
        #expect(next == all)
    }
}
