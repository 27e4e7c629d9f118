import Kernel
import Testing

@testable import Recurrence

@Suite("Rules as other programs write them")
struct RecurrenceTextTests {
    @Test(
        "The property, its parameters, and folded lines are read like the value",
        arguments: [
            // Google Calendar's list "recurrence", Home Assistant, Nextcloud Tasks, Outlook and Apple.
            ("RRULE:FREQ=WEEKLY;BYDAY=FR", "FREQ=WEEKLY;BYDAY=FR"),
            (
                "RRULE:FREQ=WEEKLY;WKST=SU;UNTIL=20261231T225959Z;BYDAY=TU,TH",
                "FREQ=WEEKLY;UNTIL=20261231T225959Z;BYDAY=TU,TH;WKST=SU"
            ),
            ("rrule:freq=daily;interval=1;count=10", "FREQ=DAILY;COUNT=10"),
            ("RRULE:FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
            ("RRULE:FREQ=MONTHLY;BYDAY=+1MO", "FREQ=MONTHLY;BYDAY=1MO"),
            (
                "RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=-1",
                "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=-1"
            ),
            (
                "RRULE;X-EVOLUTION-ENDDATE=20260901T000000Z:FREQ=WEEKLY;COUNT=3;BYDAY=MO",
                "FREQ=WEEKLY;COUNT=3;BYDAY=MO"
            ),
            ("RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,W\r\n E,TH\r\n", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH"),
            ("RRULE:FREQ=WEEKLY;\n\tBYDAY=SA;\n", "FREQ=WEEKLY;BYDAY=SA"),
            ("  FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24  ", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24"),
            // From reports about rrule.js, libical, Odoo and Home Assistant.
            (
                "X-EVOLUTION-ENDDATE=20260901T000000Z:FREQ=WEEKLY;COUNT=3;BYDAY=MO",
                "FREQ=WEEKLY;COUNT=3;BYDAY=MO"
            ),
            ("RRULE:FREQ=DAILY;UNTIL=20221203T210000", "FREQ=DAILY;UNTIL=20221203T210000"),
            ("FREQ=WEEKLY;WKST=SU;BYday=SU", "FREQ=WEEKLY;BYDAY=SU;WKST=SU"),
            ("RRULE:FREQ=WEEKLY;INTERVAL=1;BYDAY=MO;", "FREQ=WEEKLY;BYDAY=MO"),
            ("RRULE:FREQ=DAILY;UNTIL=20220730T190000Z;INTERVAL=1", "FREQ=DAILY;UNTIL=20220730T190000Z"),
        ])
    func rules(text: String, canonical: String) throws {
        let read = try RecurrenceText(text)
        #expect(read.rule.rfc5545 == canonical)
        #expect(read.start == nil)
        #expect(try RecurrenceText(canonical).rule == read.rule)
    }

    @Test("DTSTART has a date, a time on the clock with or without a time zone, or a time in UTC")
    func starts() throws {
        let date = try #require(LocalDate("2026-03-01"))
        let time = try #require(LocalTime("18:30"))
        func start(_ text: String) throws -> RecurrenceText.Start? {
            try RecurrenceText("\(text)\nRRULE:FREQ=DAILY").start
        }
        #expect(try start("DTSTART;VALUE=DATE:20260301") == .date(date))
        #expect(try start("dtstart:20260301") == .date(date))
        #expect(try start("DTSTART:20260301T183000") == .local(date, time, nil))
        let berlin = try LocalTimeZone("Europe/Berlin")
        for zone in [
            "Europe/Berlin", "\"Europe/Berlin\"", "/freeassociation.sourceforge.net/Europe/Berlin",
            "/mozilla.org/20050126_1/Europe/Berlin",
        ] {
            #expect(try start("DTSTART;X-A=1;TZID=\(zone):20260301T183000") == .local(date, time, berlin), "\(zone)")
        }
        #expect(
            try start("DTSTART:20260301T173000Z") == .instant(try #require(Instant(rfc3339: "2026-03-01T17:30:00Z"))))
    }

    private static let refusals: [(String, RecurrenceRuleError)] = [
        ("RRULE:FREQ=HOURLY", .invalidValue(.frequency)),
        ("RRULE:FREQ=DAILY;BYHOUR=9;BYMINUTE=0", .unknownPart("BYHOUR")),
        ("RRULE:FREQ=YEARLY;BYWEEKNO=20", .unknownPart("BYWEEKNO")),
        ("RRULE:FREQ=YEARLY;BYEASTER=0", .unknownPart("BYEASTER")),
        ("RRULE:FREQ=DAILY;X-FOO=1", .unknownPart("X-FOO")),
        ("RRULE:FREQ=DAILY;RSCALE=GREGORIAN;SKIP=OMIT", .unknownPart("RSCALE")),
        ("FREQ=WEEKLY;WKST=SU;BYday=SU;EXDATE=20191229T000000Z", .unknownPart("EXDATE")),
        ("DTSTART;TZID=(no TZ description):20220713T210000\nRRULE:FREQ=DAILY", .invalidProperty("TZID")),
        ("RDATE;TZID=Asia/Bangkok:20230317T080000,20240404T080000", .unknownPart("RDATE")),
        ("RRULE;FOO=1:FREQ=DAILY", .unknownPart("FOO")),
        ("RRULE:FREQ=DAILY\nEXDATE:20260303T180000Z", .unknownPart("EXDATE")),
        ("RRULE:FREQ=DAILY\nRDATE:20260303", .unknownPart("RDATE")),
        ("EXRULE:FREQ=WEEKLY\nRRULE:FREQ=DAILY", .unknownPart("EXRULE")),
        ("X-WR-TIMEZONE:America/New_York\nRRULE:FREQ=DAILY", .unknownPart("X-WR-TIMEZONE")),
        ("BEGIN:VEVENT\nRRULE:FREQ=DAILY\nEND:VEVENT", .unknownPart("BEGIN")),
        ("RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY", .repeatedProperty("RRULE")),
        ("DTSTART:20260301\nDTSTART:20260302\nRRULE:FREQ=DAILY", .repeatedProperty("DTSTART")),
        ("DTSTART;TZID=W. Europe Standard Time:20260301T180000\nRRULE:FREQ=DAILY", .invalidProperty("TZID")),
        ("DTSTART;TZID=Europe/Berlin:20260301T180000Z\nRRULE:FREQ=DAILY", .invalidProperty("DTSTART")),
        ("DTSTART;VALUE=PERIOD:20260301\nRRULE:FREQ=DAILY", .invalidProperty("VALUE")),
        ("DTSTART:20260301T180030\nRRULE:FREQ=DAILY", .invalidProperty("DTSTART")),
        ("DTSTART:20260301T250000\nRRULE:FREQ=DAILY", .invalidProperty("DTSTART")),
        ("DTSTART:2026-03-01\nRRULE:FREQ=DAILY", .invalidProperty("DTSTART")),
        ("DTSTART:20260301", .missingPart(.frequency)), ("RRULE:", .malformed), ("", .missingPart(.frequency)),
        ("every day", .malformed), ("0 18 * * 1", .malformed), ("P1D", .malformed),
    ]

    @Test("What can't be expressed is an error that names the part", arguments: refusals)
    func errors(text: String, expected: RecurrenceRuleError) {
        #expect(throws: expected) { try RecurrenceText(text) }
    }

    @Test("A text above the limit of bytes is rejected before it is read")
    func tooLong() {
        let text = "RRULE:FREQ=DAILY" + String(repeating: "\r\n ", count: Limits.recurrenceTextBytes)
        #expect(throws: RecurrenceRuleError.tooLong) { try RecurrenceText(text) }
    }
}
