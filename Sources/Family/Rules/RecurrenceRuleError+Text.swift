import Kernel
import Recurrence

extension RecurrenceRuleError {
    /// The English message for a program that sent the rule. It names the part at fault.
    var text: String {
        let t = Translator.english
        return switch self {
        case .tooLong, .malformed: FamilyMessage.scheduleRuleInvalid.text
        case .unknownPart(let name): t("The rule can’t be used: {part} isn’t supported.", ["part": name])
        case .repeatedPart(let part): Self.repeated(part.rawValue, t)
        case .repeatedProperty(let name): Self.repeated(name, t)
        case .missingPart(let part): t("The rule can’t be used: {part} is missing.", ["part": part.rawValue])
        case .invalidValue(let part): Self.invalid(part.rawValue, t)
        case .invalidProperty(let name): Self.invalid(name, t)
        case .conflict(let part, let other):
            t(
                "The rule can’t be used: {part} isn’t supported together with this {other}.",
                ["part": part.rawValue, "other": other.rawValue])
        case .requires(let part, let other):
            t(
                "The rule can’t be used: {part} isn’t supported without {other}.",
                ["part": part.rawValue, "other": other.rawValue])
        }
    }

    private static func repeated(_ name: String, _ t: Translator) -> String {
        t("The rule can’t be used: it has {part} more than once.", ["part": name])
    }

    private static func invalid(_ name: String, _ t: Translator) -> String {
        t("The rule can’t be used: this value of {part} isn’t supported.", ["part": name])
    }
}
