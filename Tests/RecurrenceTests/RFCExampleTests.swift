import Kernel
import Testing

@testable import Recurrence

/// The examples of RFC 5545, 3.8.5.3, that the subset covers. Where the RFC ends with "...", so does the example.
@Suite("Examples of RFC 5545")
struct RFCExampleTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let start: String
        let rule: String
        var excluded: [String] = []
        /// The dates in the short form of `dates(_:)`.
        let expected: String
        /// Whether the rule has no more dates.
        let isComplete: Bool

        init(_ start: String, _ rule: String, excluded: [String] = [], _ expected: String, andMore: Bool = false) {
            (self.start, self.rule, self.excluded, self.expected) = (start, rule, excluded, expected)
            isComplete = !andMore
        }

        var testDescription: String { "\(start) \(rule)" }
    }

    static let daily = [
        Example("1997-09-02", "FREQ=DAILY;COUNT=10", "1997-09: 2 3 4 5 6 7 8 9 10 11"),
        Example(
            "1997-09-02", "FREQ=DAILY;UNTIL=19971224T000000Z",
            """
            1997-09: 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30;
            1997-10: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31;
            1997-11: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30;
            1997-12: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
            """),
        Example(
            "1997-09-02", "FREQ=DAILY;INTERVAL=2",
            """
            1997-09: 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30; 1997-10: 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30;
            1997-11: 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29; 1997-12: 1 3
            """, andMore: true),
        Example("1997-09-02", "FREQ=DAILY;INTERVAL=10;COUNT=5", "1997-09: 2 12 22; 1997-10: 2 12"),
    ]

    static let weekly = [
        Example(
            "1997-09-02", "FREQ=WEEKLY;COUNT=10", "1997-09: 2 9 16 23 30; 1997-10: 7 14 21 28; 1997-11: 4"),
        Example(
            "1997-09-02", "FREQ=WEEKLY;UNTIL=19971224T000000Z",
            "1997-09: 2 9 16 23 30; 1997-10: 7 14 21 28; 1997-11: 4 11 18 25; 1997-12: 2 9 16 23"),
        Example(
            "1997-09-02", "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
            """
            1997-09: 2 16 30; 1997-10: 14 28; 1997-11: 11 25; 1997-12: 9 23; 1998-01: 6 20; 1998-02: 3 17
            """, andMore: true),
        Example(
            "1997-09-02", "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
            "1997-09: 2 4 9 11 16 18 23 25 30; 1997-10: 2"),
        Example(
            "1997-09-02", "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
            "1997-09: 2 4 9 11 16 18 23 25 30; 1997-10: 2"),
        Example(
            "1997-09-01", "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
            """
            1997-09: 1 3 5 15 17 19 29; 1997-10: 1 3 13 15 17 27 29 31; 1997-11: 10 12 14 24 26 28;
            1997-12: 8 10 12 22
            """),
        Example(
            "1997-09-02", "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
            "1997-09: 2 4 16 18 30; 1997-10: 2 14 16"),
        Example("1997-08-05", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997-08: 5 10 19 24"),
        Example("1997-08-05", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997-08: 5 17 19 31"),
    ]

    static let monthly = [
        Example(
            "1997-09-05", "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
            """
            1997-09: 5; 1997-10: 3; 1997-11: 7; 1997-12: 5; 1998-01: 2; 1998-02: 6; 1998-03: 6; 1998-04: 3;
            1998-05: 1; 1998-06: 5
            """),
        Example(
            "1997-09-05", "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR",
            "1997-09: 5; 1997-10: 3; 1997-11: 7; 1997-12: 5"),
        Example(
            "1997-09-07", "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
            "1997-09: 7 28; 1997-11: 2 30; 1998-01: 4 25; 1998-03: 1 29; 1998-05: 3 31"),
        Example(
            "1997-09-22", "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
            "1997-09: 22; 1997-10: 20; 1997-11: 17; 1997-12: 22; 1998-01: 19; 1998-02: 16"),
        Example(
            "1997-09-28", "FREQ=MONTHLY;BYMONTHDAY=-3",
            "1997-09: 28; 1997-10: 29; 1997-11: 28; 1997-12: 29; 1998-01: 29; 1998-02: 26", andMore: true),
        Example(
            "1997-09-02", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
            "1997-09: 2 15; 1997-10: 2 15; 1997-11: 2 15; 1997-12: 2 15; 1998-01: 2 15"),
        Example(
            "1997-09-30", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
            "1997-09: 30; 1997-10: 1 31; 1997-11: 1 30; 1997-12: 1 31; 1998-01: 1 31; 1998-02: 1"),
        Example(
            "1997-09-10", "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
            "1997-09: 10 11 12 13 14 15; 1999-03: 10 11 12 13"),
        Example(
            "1997-09-02", "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
            "1997-09: 2 9 16 23 30; 1997-11: 4 11 18 25; 1998-01: 6 13 20 27; 1998-03: 3 10 17 24 31", andMore: true),
        Example(
            "1997-09-02", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", excluded: ["1997-09-02"],
            "1998-02: 13; 1998-03: 13; 1998-11: 13; 1999-08: 13; 2000-10: 13", andMore: true),
        Example(
            "1997-09-13", "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
            """
            1997-09: 13; 1997-10: 11; 1997-11: 8; 1997-12: 13; 1998-01: 10; 1998-02: 7; 1998-03: 7; 1998-04: 11;
            1998-05: 9; 1998-06: 13
            """, andMore: true),
        Example(
            "1997-09-04", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "1997-09: 4; 1997-10: 7; 1997-11: 6"),
        Example(
            "1997-09-29", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
            "1997-09: 29; 1997-10: 30; 1997-11: 27; 1997-12: 30; 1998-01: 29; 1998-02: 26; 1998-03: 30", andMore: true),
        Example(
            "2007-01-15", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "2007-01: 15 30; 2007-02: 15; 2007-03: 15 30"),
    ]

    static let yearly = [
        Example(
            "1998-01-01", "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
            [1998, 1999, 2000].map { year in
                "\(year)-01: " + (1...31).map { String($0) }.joined(separator: " ")
            }.joined(separator: ";")),
        Example(
            "1997-06-10", "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
            (1997...2001).map { "\($0)-06: 10; \($0)-07: 10" }.joined(separator: ";")),
        Example(
            "1997-03-10", "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
            "1997-03: 10;"
                + [1999, 2001, 2003].map { "\($0)-01: 10; \($0)-02: 10; \($0)-03: 10" }.joined(separator: ";")),
        Example(
            "1997-03-13", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
            "1997-03: 13 20 27; 1998-03: 5 12 19 26; 1999-03: 4 11 18 25", andMore: true),
        Example(
            "1997-06-05", "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
            """
            1997-06: 5 12 19 26; 1997-07: 3 10 17 24 31; 1997-08: 7 14 21 28;
            1998-06: 4 11 18 25; 1998-07: 2 9 16 23 30; 1998-08: 6 13 20 27;
            1999-06: 3 10 17 24; 1999-07: 1 8 15 22 29; 1999-08: 5 12 19 26
            """, andMore: true),
        Example(
            "1996-11-05", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
            "1996-11: 5; 2000-11: 7; 2004-11: 2", andMore: true),
    ]

    @Test("The dates are those of the RFC", arguments: daily + weekly + monthly + yearly)
    func dates(example: Example) throws {
        let schedule = try schedule(example.rule, from: example.start, excluded: example.excluded)
        let expected = RecurrenceTests.dates(example.expected)
        if example.isComplete {
            #expect(schedule.dates() == expected)
        } else {
            #expect(schedule.dates(limit: expected.count) == expected)
        }
    }

    @Test("Nine o'clock in New York stays nine o'clock when daylight saving time ends")
    func wallClock() throws {
        let schedule = try schedule("FREQ=DAILY;UNTIL=19971224T000000Z", from: "1997-09-02")
        let due = schedule.occurrences(in: try date("1997-10-25")..<date("1997-10-28")).map(\.due.rfc3339)
        #expect(due == ["1997-10-25T13:00:00.000Z", "1997-10-26T14:00:00.000Z", "1997-10-27T14:00:00.000Z"])
    }
}
