import Kernel
import Recurrence
import Testing

@testable import FamilyWeb

/// The form *Repeats* and recurrence rules.
@Suite("Family: the form of a recurrence rule")
struct RepeatFormTests {
    private let start = LocalDate(dayNumber: 20_513)

    @Test("Every rule that the form makes is shown by the form again")
    func roundTrip() throws {
        var forms: [RepeatForm] = [RepeatForm(.daily), RepeatForm(.weekdays)]
        forms += (1...31).map { day in
            var form = RepeatForm(.monthly)
            form.monthDay = day
            return form
        }
        forms += [[Weekday.monday], [.tuesday, .sunday], Weekday.allCases].flatMap { days in
            [1, 2, 999].map { weeks in
                var form = RepeatForm(.weekly)
                form.weekdays = days
                form.weeks = weeks
                return form
            }
        }
        for var form in forms {
            for until in [nil, start.adding(days: 40)] {
                form.until = until
                let shown = RepeatForm(try form.rule(), start: start)
                #expect(shown.choice == form.choice)
                #expect(try shown.rule() == form.rule())
            }
        }
        #expect(RepeatForm(nil, start: start).choice == .once)
    }

    @Test("A month without the chosen day has its last day")
    func shortMonths() throws {
        var form = RepeatForm(.monthly)
        let zone = try LocalTimeZone("UTC")
        let first = try #require(LocalDate("2027-01-01"))
        for (day, february) in [(28, "2027-02-28"), (29, "2027-02-28"), (30, "2027-02-28"), (31, "2027-02-28")] {
            form.monthDay = day
            let schedule = try Schedule(start: first, rule: form.rule(), timeZone: zone)
            let dates = schedule.occurrences(after: first, limit: 4).map(\.key)
            #expect(dates[0] == "2027-01-\(day)")
            #expect(dates[1] == february)
            #expect(dates[3] == "2027-04-\(min(day, 30))")
        }
    }

    @Test(
        "Rules of other programs aren't shown as something else",
        arguments: [
            "FREQ=DAILY;INTERVAL=2", "FREQ=DAILY;COUNT=3", "FREQ=MONTHLY;BYDAY=1MO", "FREQ=MONTHLY;BYMONTHDAY=31",
            "FREQ=MONTHLY;BYMONTHDAY=1,15", "FREQ=YEARLY", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;WKST=SU",
            "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=1", "FREQ=DAILY;UNTIL=20270301T180000Z",
        ])
    func otherRules(text: String) throws {
        #expect(RepeatForm(try RecurrenceRule(rfc5545: text), start: start).choice == .other)
    }
}
