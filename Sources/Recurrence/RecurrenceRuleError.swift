/// The parts of a recurrence rule that Homeward supports (RFC 5545, 3.3.10), by their names there.
package enum RecurrenceRulePart: String, CaseIterable, Sendable {
    case frequency = "FREQ"
    case until = "UNTIL"
    case count = "COUNT"
    case interval = "INTERVAL"
    case byMonth = "BYMONTH"
    case byMonthDay = "BYMONTHDAY"
    case byDay = "BYDAY"
    case bySetPosition = "BYSETPOS"
    case weekStart = "WKST"
}

/// Why a recurrence rule is invalid.
package enum RecurrenceRuleError: Error, Hashable {
    /// The text is longer than `Limits.recurrenceRuleBytes`.
    case tooLong
    /// An element isn't `NAME=value`.
    case malformed
    /// The part or the property isn't in RFC 5545, or not supported.
    case unknownPart(String)
    /// The part occurs more than once.
    case repeatedPart(RecurrenceRulePart)
    /// The rule has no such part, which every rule needs.
    case missingPart(RecurrenceRulePart)
    /// The part's value is out of range, not supported or not in its format.
    case invalidValue(RecurrenceRulePart)
    /// The text has several properties of this name.
    case repeatedProperty(String)
    /// The value of the property or of its parameter isn't supported, or not in its format.
    case invalidProperty(String)
    /// The first part isn't allowed with the second, or with its value.
    case conflict(RecurrenceRulePart, with: RecurrenceRulePart)
    /// The first part isn't allowed without the second.
    case requires(RecurrenceRulePart, other: RecurrenceRulePart)
}
