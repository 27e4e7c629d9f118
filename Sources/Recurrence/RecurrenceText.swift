package import Kernel

/// A recurrence rule as another program writes it: the value of an RRULE property, the property itself, or that and a
/// DTSTART property, in lines that may be folded (RFC 5545, 3.1).
///
/// What it can't express is an error that names the part. Parameters that begin with `X-` have no meaning here, and the
/// RFC (3.2) requires programs to ignore them.
package struct RecurrenceText: Hashable, Sendable {
    /// The value of a DTSTART property.
    package enum Start: Hashable, Sendable {
        case date(LocalDate)
        /// A time on the clock. Its time zone is that of the TZID parameter; `nil` without one.
        case local(LocalDate, LocalTime, LocalTimeZone?)
        /// A time in UTC.
        case instant(Instant)
    }

    package let rule: RecurrenceRule
    /// `nil` without DTSTART.
    package let start: Start?

    /// - Throws: Every case of `RecurrenceRuleError`.
    package init(_ text: String) throws(RecurrenceRuleError) {
        guard text.utf8.count <= Limits.recurrenceTextBytes else { throw .tooLong }
        var (rule, start): (RecurrenceRule?, Start?) = (nil, nil)
        for line in Self.unfolded(text).map({ PropertyLine($0) }) {
            switch line.name {
            case "RRULE":
                guard rule == nil else { throw .repeatedProperty(line.name) }
                if let parameter = line.parameters.first { throw .unknownPart(parameter.name) }
                rule = try RecurrenceRule(rfc5545: line.value)
            case "DTSTART":
                guard start == nil else { throw .repeatedProperty(line.name) }
                start = try Self.start(line)
            default:
                guard PropertyLine.isName(line.name) else { throw .malformed }
                throw .unknownPart(line.name)
            }
        }
        guard let rule else { throw .missingPart(.frequency) }
        (self.rule, self.start) = (rule, start)
    }

    /// Returns the lines with content. A line that begins with a blank continues the one before.
    private static func unfolded(_ text: String) -> [String] {
        var lines: [String] = []
        for line in text.unicodeScalars.split(whereSeparator: { $0 == "\r" || $0 == "\n" }).map(String.init) {
            if !lines.isEmpty, let first = line.first, first == " " || first == "\t" {
                lines[lines.count - 1] += line.dropFirst()
            } else {
                lines.append(line)
            }
        }
        return lines.map { String($0.trimmingBlanks()) }.filter { !$0.isEmpty }
    }

    private static func start(_ line: PropertyLine) throws(RecurrenceRuleError) -> Start {
        var zone: LocalTimeZone?
        for (name, value) in line.parameters {
            switch name {
            case "TZID":
                guard let known = timeZone(value) else { throw .invalidProperty(name) }
                zone = known
            case "VALUE" where ["DATE", "DATE-TIME"].contains(value.uppercased()): break
            case "VALUE": throw .invalidProperty(name)
            default: throw .unknownPart(name)
            }
        }
        let value = line.value.uppercased()
        if let date = LocalDate(rfc5545: value) { return .date(date) }
        if zone == nil, let instant = Instant(rfc5545: value) { return .instant(instant) }
        // A due time has no seconds.
        guard value.hasSuffix("00"), let (date, time) = LocalTime.local(rfc5545: value) else {
            throw .invalidProperty(line.name)
        }
        return .local(date, time, zone)
    }

    /// Returns the time zone of a TZID: a name of the IANA database, or one with a prefix of the program, such as
    /// `/freeassociation.sourceforge.net/Europe/Berlin`.
    private static func timeZone(_ text: String) -> LocalTimeZone? {
        guard text.hasPrefix("/") else { return try? LocalTimeZone(text) }
        let parts = text.split(separator: "/")
        return (1...3).lazy.compactMap { try? LocalTimeZone(parts.suffix($0).joined(separator: "/")) }.first
    }
}

/// A line of the iCalendar format: a name, parameters and a value.
struct PropertyLine {
    /// In capital letters. RRULE for a line that is only a value.
    let name: String
    /// Without those that begin with `X-`. Their names are in capital letters.
    let parameters: [(name: String, value: String)]
    let value: String

    init(_ line: String) {
        // Some programs leave out the name, but not its parameter.
        let isParameter = line.uppercased().hasPrefix("X-") && line.first { ":;=".contains($0) } == "="
        let line = isParameter ? "RRULE;\(line)" : line
        var isQuoted = false
        let colon = line.firstIndex { character in
            if character == "\"" { isQuoted.toggle() }
            return character == ":" && !isQuoted
        }
        guard let colon, let end = line.firstIndex(where: { ":;=".contains($0) }), line[end] != "=",
            end != line.startIndex
        else {
            (name, parameters, value) = ("RRULE", [], line)
            return
        }
        name = line[..<end].trimmingBlanks().uppercased()
        value = String(line[line.index(after: colon)...].trimmingBlanks())
        parameters = line[end..<colon].split(separator: ";").map { parameter in
            let sides = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmingBlanks() }
            let text = sides.count == 2 ? sides[1].filter { $0 != "\"" } : ""
            return (name: sides.first?.uppercased() ?? "", value: text)
        }.filter { !$0.name.hasPrefix("X-") }
    }

    /// Returns whether a text is the name of a property or of a part: letters, digits and hyphens (3.1).
    static func isName(_ text: some StringProtocol) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }
}

extension StringProtocol {
    /// Returns the text without spaces and tabs at its ends.
    func trimmingBlanks() -> SubSequence {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return self[startIndex..<startIndex]
        }
        return self[first...last]
    }
}
