import Kernel
import Testing

@testable import Recurrence

@Suite("Schedules")
struct ScheduleTests {
    @Test("Without a rule, the start is the only occurrence")
    func once() throws {
        let schedule = try schedule(nil, from: "2026-03-01")
        #expect(schedule.dates() == ["2026-03-01"])
        #expect(schedule.dates(after: try date("2026-03-01")).isEmpty)
        #expect(schedule.occurrences(in: try date("2026-02-01")..<date("2026-03-01")).isEmpty)
    }

    @Test("A whole day is due when the next day begins, where the clocks change too")
    func wholeDay() throws {
        let berlin = try schedule("FREQ=DAILY", from: "2026-03-28", at: nil, in: "Europe/Berlin")
        #expect(
            berlin.occurrences(in: try date("2026-03-28")..<date("2026-03-30")).map(\.due.rfc3339) == [
                "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z",
            ])
        // 4 November 2018 began at one o'clock.
        let saoPaulo = try schedule(nil, from: "2018-11-03", at: nil, in: "America/Sao_Paulo")
        #expect(
            saoPaulo.occurrences(after: try date("2018-11-02"), limit: 1).map(\.due.rfc3339) == [
                "2018-11-04T03:00:00.000Z"
            ])
        let lastOfYear = try schedule(nil, from: "2026-12-31", at: nil, in: "UTC")
        #expect(
            lastOfYear.occurrences(after: try date("2026-12-30"), limit: 1).map(\.due.rfc3339) == [
                "2027-01-01T00:00:00.000Z"
            ])
    }

    @Test("29 February repeats in leap years only")
    func leapDay() throws {
        let yearly = try schedule("FREQ=YEARLY", from: "2088-02-29")
        #expect(yearly.dates(limit: 4) == ["2088-02-29", "2092-02-29", "2096-02-29", "2104-02-29"])
        let lastOfFebruary = try schedule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1", from: "2026-01-01")
        #expect(lastOfFebruary.dates(limit: 3) == ["2026-02-28", "2027-02-28", "2028-02-29"])
    }

    @Test(
        "Months without the day are skipped",
        arguments: [
            (29, "2026-01: 29; 2026-03: 29; 2026-04: 29; 2026-05: 29"),
            (30, "2026-01: 30; 2026-03: 30; 2026-04: 30; 2026-05: 30"),
            (31, "2026-01: 31; 2026-03: 31; 2026-05: 31; 2026-07: 31"),
        ])
    func shortMonths(day: Int, expected: String) throws {
        let byMonthDay = try schedule("FREQ=MONTHLY;BYMONTHDAY=\(day)", from: "2026-01-01")
        #expect(byMonthDay.dates(limit: 4) == dates(expected))
        #expect(try schedule("FREQ=MONTHLY", from: "2026-01-\(day)").dates(limit: 4) == dates(expected))
    }

    @Test("The 31st day from the end is the first of a month with 31 days")
    func daysFromTheEnd() throws {
        let schedule = try schedule("FREQ=MONTHLY;BYMONTHDAY=-31,-30", from: "2026-01-01")
        #expect(schedule.dates(limit: 5) == dates("2026-01: 1 2; 2026-03: 1 2; 2026-04: 1"))
    }

    @Test("A month without a fifth weekday is skipped")
    func fifthWeekday() throws {
        #expect(
            try schedule("FREQ=MONTHLY;BYDAY=5MO", from: "2026-01-01").dates(limit: 3)
                == dates("2026-03: 30; 2026-06: 29; 2026-08: 31"))
        #expect(
            try schedule("FREQ=MONTHLY;BYDAY=-5MO", from: "2026-01-01").dates(limit: 3)
                == dates("2026-03: 2; 2026-06: 1; 2026-08: 3"))
    }

    @Test("Weekdays with and without ordinals add up")
    func mixedWeekdays() throws {
        let schedule = try schedule("FREQ=MONTHLY;BYDAY=SU,1MO", from: "2026-02-01")
        #expect(schedule.dates(limit: 5) == dates("2026-02: 1 2 8 15 22"))
    }

    @Test("A start that doesn't match the rule isn't an occurrence and isn't counted")
    func unsynchronizedStart() throws {
        let schedule = try schedule("FREQ=WEEKLY;BYDAY=MO;COUNT=2", from: "2026-03-01")
        #expect(schedule.dates() == ["2026-03-02", "2026-03-09"])
    }

    // MARK: The end

    @Test("A date in UNTIL includes the whole day")
    func untilDate() throws {
        for time in ["23:59", nil] {
            let schedule = try schedule("FREQ=DAILY;UNTIL=20260303", from: "2026-03-01", at: time)
            #expect(schedule.dates() == dates("2026-03: 1 2 3"))
        }
        #expect(try schedule("FREQ=DAILY;UNTIL=20260228", from: "2026-03-01").dates().isEmpty)
    }

    @Test("A time in UNTIL includes an occurrence that is due at that time")
    func untilInstant() throws {
        // Nine o'clock is 14:00 UTC in winter and 13:00 UTC from 8 March.
        for (until, last) in [
            ("20260307T140000Z", 7), ("20260307T135959Z", 6), ("20260308T130000Z", 8), ("20260308T125959Z", 7),
            ("20260308T140000Z", 8), ("20260309T050000Z", 8),
        ] {
            let schedule = try schedule("FREQ=DAILY;UNTIL=\(until)", from: "2026-03-05")
            #expect(schedule.dates() == (5...last).map { "2026-03-0\($0)" }, "\(until)")
        }
    }

    @Test("A time in UNTIL of another date in UTC ends on the local date")
    func untilInstantOnAnotherDate() throws {
        let tokyo = try schedule("FREQ=DAILY;UNTIL=20260301T223000Z", from: "2026-03-01", at: "07:30", in: "Asia/Tokyo")
        #expect(tokyo.dates() == ["2026-03-01", "2026-03-02"])
        let samoa = try schedule(
            "FREQ=DAILY;UNTIL=20111230T200000Z", from: "2011-12-29", at: "10:00", in: "Pacific/Apia")
        #expect(samoa.dates() == ["2011-12-29", "2011-12-30", "2011-12-31"])
    }

    @Test("A time in UNTIL without a time zone is one on the clock of the schedule")
    func untilOnTheClock() throws {
        for (until, last) in [("20260303T090000", 3), ("20260303T085959", 2), ("20260303T235959", 3)] {
            let schedule = try schedule("FREQ=DAILY;UNTIL=\(until)", from: "2026-03-01", at: "09:00")
            #expect(schedule.dates() == (1...last).map { "2026-03-0\($0)" }, "\(until)")
        }
        let day = try schedule("FREQ=DAILY;UNTIL=20260303T000000", from: "2026-03-01", at: nil)
        #expect(day.dates().last == "2026-03-03")
    }

    @Test("Without a due time, a time in UNTIL is compared with the beginning of a date")
    func untilInstantOfWholeDay() throws {
        for (until, last) in [("20260303T120000Z", 3), ("20260302T230000Z", 3), ("20260302T225959Z", 2)] {
            let berlin = try schedule("FREQ=DAILY;UNTIL=\(until)", from: "2026-03-01", at: nil, in: "Europe/Berlin")
            #expect(berlin.dates() == (1...last).map { "2026-03-0\($0)" }, "\(until)")
        }
    }

    @Test("COUNT ends after as many dates, however late the query begins")
    func count() throws {
        let schedule = try schedule("FREQ=MONTHLY;BYMONTHDAY=31;COUNT=\(Limits.recurrenceCount)", from: "2026-01-01")
        #expect(schedule.dates().count == Limits.recurrenceCount)
        let last = try #require(schedule.dates().last)
        #expect(schedule.dates(after: try date(last).adding(days: -1)) == [last])
        #expect(schedule.dates(after: try date(last)).isEmpty)
    }

    // MARK: Exceptions

    @Test("Excluded dates are left out and still count")
    func excluded() throws {
        let schedule = try schedule(
            "FREQ=DAILY;COUNT=4", from: "2026-03-01", excluded: ["2026-03-01", "2026-03-03", "2030-01-01"])
        #expect(schedule.dates() == ["2026-03-02", "2026-03-04"])
    }

    @Test("Additional dates are merged, each date once, before the start and after the end too")
    func additional() throws {
        let schedule = try schedule(
            "FREQ=WEEKLY;COUNT=2", from: "2026-03-02", excluded: ["2026-03-05"],
            additional: ["2026-04-01", "2026-02-01", "2026-03-09", "2026-03-05", "2026-03-03"])
        #expect(schedule.dates() == ["2026-02-01", "2026-03-02", "2026-03-03", "2026-03-09", "2026-04-01"])
        #expect(
            schedule.occurrences(in: try date("2026-03-03")..<date("2026-03-09")).map(\.date.text) == ["2026-03-03"])
        #expect(
            try Recurrence.Schedule(
                start: date("2026-03-02"), exceptions: ScheduleExceptions(additional: [date("2026-03-04")]),
                timeZone: LocalTimeZone("UTC")
            ).dates() == ["2026-03-02", "2026-03-04"])
    }

    @Test("As many exceptions as the limits are allowed, one more is not")
    func exceptionLimits() throws {
        func days(_ count: Int) -> Set<LocalDate> { Set((0..<count).map(LocalDate.init(dayNumber:))) }
        _ = try ScheduleExceptions(
            excluded: days(Limits.scheduleExcludedDates), additional: days(Limits.scheduleAdditionalDates))
        #expect(throws: ScheduleError.tooManyExcludedDates) {
            try ScheduleExceptions(excluded: days(Limits.scheduleExcludedDates + 1))
        }
        #expect(throws: ScheduleError.tooManyAdditionalDates) {
            try ScheduleExceptions(additional: days(Limits.scheduleAdditionalDates + 1))
        }
    }

    // MARK: Queries

    @Test("A key finds its occurrence, and only an occurrence")
    func keys() throws {
        let schedule = try schedule("FREQ=WEEKLY", from: "2026-03-02", excluded: ["2026-03-09"])
        let second = try #require(schedule.occurrences(after: try date("2026-03-02"), limit: 1).first)
        #expect(second.key == "2026-03-16")
        #expect(schedule.occurrence(key: second.key) == second)
        for key in ["2026-03-09", "2026-03-15", "2026-02-23", "2026-3-16", ""] {
            #expect(schedule.occurrence(key: key) == nil, "\(key)")
        }
    }

    @Test("A query returns at most its limit, and at most the limit of all queries")
    func queryLimits() throws {
        let schedule = try schedule("FREQ=DAILY", from: "2026-03-01")
        let start = try date("2026-02-28")
        #expect(schedule.occurrences(after: start, limit: 3).count == 3)
        #expect(schedule.occurrences(after: start, limit: 0).isEmpty)
        #expect(schedule.occurrences(after: start, limit: -1).isEmpty)
        #expect(schedule.occurrences(after: start, limit: .max).count == Limits.scheduleOccurrences)
        #expect(schedule.occurrences(in: start..<start.adding(days: 100_000)).count == Limits.scheduleOccurrences)
        #expect(schedule.occurrences(in: start..<start).isEmpty)
    }

    @Test("Occurrences end with the year 9999")
    func lastYear() throws {
        let schedule = try schedule("FREQ=DAILY", from: "9999-12-30", at: nil)
        #expect(schedule.dates() == ["9999-12-30", "9999-12-31"])
    }
}
