import Kernel

extension RecurrenceRule {
    /// Parses the value of an RRULE property (RFC 5545, 3.3.10): `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH`. The parts may
    /// have any order, and names and values are read in capitals and in small letters, as the RFC has it. UNTIL is a
    /// date (`20261231`), a time in UTC (`20261231T180000Z`) or one on the clock (`20261231T180000`). Spaces around
    /// names and values, and semicolons without a part, are left out. A rule that limits each day, week or month is
    /// written as the same dates of a week, month or year: `FREQ=DAILY;BYDAY=MO,TH` is `FREQ=WEEKLY;BYDAY=MO,TH`.
    /// - Throws: Every case of `RecurrenceRuleError`.
    package init(rfc5545 text: String) throws(RecurrenceRuleError) {
        guard text.utf8.count <= Limits.recurrenceRuleBytes else { throw .tooLong }
        let parts = try RecurrenceRuleParts(text)
        guard let frequency = try parts.read(.frequency, Frequency.init(rawValue:)) else {
            throw .missingPart(.frequency)
        }
        let interval = try parts.read(.interval, RecurrenceRuleParts.number) ?? 1
        let setPositions = try parts.readList(.bySetPosition, RecurrenceRuleParts.signedNumber)
        var dates = RuleSelection(
            frequency: frequency, months: try parts.readList(.byMonth, RecurrenceRuleParts.number),
            monthDays: try parts.readList(.byMonthDay, RecurrenceRuleParts.signedNumber),
            weekdays: try parts.readList(.byDay, WeekdayNumber.init(rfc5545:)))
        if interval == 1 { dates.widen(hasSetPositions: !setPositions.isEmpty) }
        try self.init(
            dates.frequency, interval: interval, months: dates.months, monthDays: dates.monthDays,
            weekdays: dates.weekdays, setPositions: setPositions, end: try Self.end(parts),
            weekStart: try parts.read(.weekStart, Weekday.init(code:)) ?? .monday)
    }

    /// The canonical value of an RRULE property: parts in a fixed order, values in ascending order, no defaults.
    /// Parsing it gives the same rule.
    package var rfc5545: String {
        var text = "\(RecurrenceRulePart.frequency.rawValue)=\(frequency.rawValue)"
        func append(_ part: RecurrenceRulePart, _ value: String) { text += ";\(part.rawValue)=\(value)" }
        func append(_ part: RecurrenceRulePart, _ values: [String]) {
            if !values.isEmpty { append(part, values.joined(separator: ",")) }
        }
        switch end {
        case .never: break
        case .count(let count): append(.count, String(count))
        case .date(let date): append(.until, date.rfc5545)
        case .local(let date, let time): append(.until, "\(date.rfc5545)T\(time.text.filter { $0 != ":" })00")
        case .instant(let instant): append(.until, instant.rfc5545)
        }
        if interval != 1 { append(.interval, String(interval)) }
        append(.byMonth, months.map { String($0) })
        append(.byMonthDay, monthDays.map { String($0) })
        append(.byDay, weekdays.map(\.rfc5545))
        append(.bySetPosition, setPositions.map { String($0) })
        if weekStart != .monday { append(.weekStart, weekStart.code) }
        return text
    }

    private static func end(_ parts: RecurrenceRuleParts) throws(RecurrenceRuleError) -> End {
        let count = try parts.read(.count, RecurrenceRuleParts.number)
        let until = try parts.read(.until, Self.until)
        guard let count else { return until ?? .never }
        guard until == nil else { throw .conflict(.count, with: .until) }
        return .count(count)
    }

    private static func until(_ text: String) -> End? {
        if let date = LocalDate(rfc5545: text) { return .date(date) }
        if let (date, time) = LocalTime.local(rfc5545: text) { return .local(date, time) }
        return Instant(rfc5545: text).map(End.instant)
    }
}

/// The parts of a rule by name, in capital letters.
private struct RecurrenceRuleParts {
    private var values: [RecurrenceRulePart: String] = [:]

    init(_ text: String) throws(RecurrenceRuleError) {
        // Some other letters have capitals in ASCII.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { throw .malformed }
        for element in text.split(separator: ";").map({ $0.trimmingBlanks() }) where !element.isEmpty {
            let sides = element.split(separator: "=", omittingEmptySubsequences: false).map { $0.trimmingBlanks() }
            guard sides.count == 2, PropertyLine.isName(sides[0]) else { throw .malformed }
            guard let part = RecurrenceRulePart(rawValue: sides[0].uppercased()) else {
                throw .unknownPart(sides[0].uppercased())
            }
            guard values.updateValue(sides[1].uppercased(), forKey: part) == nil else { throw .repeatedPart(part) }
        }
        if values.isEmpty { throw .malformed }
    }

    /// Returns `nil` without the part.
    func read<Value>(
        _ part: RecurrenceRulePart, _ parse: (String) -> Value?
    ) throws(RecurrenceRuleError) -> Value? {
        guard let text = values[part] else { return nil }
        guard let value = parse(text) else { throw .invalidValue(part) }
        return value
    }

    /// Returns an empty list without the part.
    func readList<Value>(
        _ part: RecurrenceRulePart, _ parse: (String) -> Value?
    ) throws(RecurrenceRuleError) -> [Value] {
        guard let text = values[part] else { return [] }
        var list: [Value] = []
        for element in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let value = parse(String(element.trimmingBlanks())) else { throw .invalidValue(part) }
            list.append(value)
        }
        return list
    }

    static func number(_ text: String) -> Int? { DecimalDigits.number(text.utf8) }

    static func signedNumber(_ text: String) -> Int? {
        if text.hasPrefix("-") { return DecimalDigits.number(text.utf8.dropFirst()).map { -$0 } }
        return DecimalDigits.number(text.hasPrefix("+") ? text.utf8.dropFirst() : text.utf8[...])
    }
}

extension RecurrenceRule.WeekdayNumber {
    /// Parses `MO`, `1MO`, `+1MO` or `-1MO`; returns `nil` for anything else.
    fileprivate init?(rfc5545 text: String) {
        guard let weekday = Weekday(code: text.suffix(2)) else { return nil }
        let digits = text.dropLast(2)
        if digits.isEmpty {
            self.init(weekday)
        } else {
            guard let ordinal = RecurrenceRuleParts.signedNumber(String(digits)) else { return nil }
            self.init(weekday, ordinal: ordinal)
        }
    }

    fileprivate var rfc5545: String { (ordinal.map { String($0) } ?? "") + weekday.code }
}

extension LocalDate {
    /// Parses `20261231` (RFC 5545, 3.3.4); returns `nil` for anything else.
    init?(rfc5545 text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 8, let number = DecimalDigits.number(bytes) else { return nil }
        self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }

    fileprivate var rfc5545: String { text.filter { $0 != "-" } }
}

extension LocalTime {
    /// Parses `20261231T180000` (RFC 5545, 3.3.5, form 1) without its seconds; returns `nil` for anything else.
    static func local(rfc5545 text: String) -> (date: LocalDate, time: LocalTime)? {
        let bytes = Array(text.utf8)
        guard bytes.count == 15, bytes[8] == UInt8(ascii: "T"), let date = LocalDate(rfc5545: text.prefix(8)),
            let number = DecimalDigits.number(bytes[9..<15]), number % 100 < 60,
            let time = LocalTime(hour: number / 10_000, minute: number / 100 % 100)
        else { return nil }
        return (date, time)
    }
}

extension Instant {
    /// Parses `20261231T180000Z` (RFC 5545, 3.3.5, form 2); returns `nil` for anything else, and for a leap second.
    init?(rfc5545 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z"),
            let date = LocalDate(rfc5545: text.prefix(8)), let time = DecimalDigits.number(bytes[9..<15])
        else { return nil }
        let (hour, minute, second) = (time / 10_000, time / 100 % 100, time % 100)
        guard hour < 24, minute < 60, second < 60 else { return nil }
        let seconds = Int64(date.dayNumber) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
        self.init(millisecondsSince1970: seconds * 1_000)
    }

    /// Without the milliseconds, which are zero in a rule.
    fileprivate var rfc5545: String { rfc3339.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z" }
}
