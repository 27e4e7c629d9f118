import Kernel
import WebCore

/// The texts about the retention of positions, once per language.
struct RetentionStrings: Sendable {
    let keepDays: String
    let hint: String
    let unit: String
    let forEver: String
    let outOfRange: String

    /// Returns the texts of a language.
    static func of(_ language: Language) -> RetentionStrings {
        switch language {
        case .english: english
        case .german: german
        }
    }

    static let english = RetentionStrings(
        keepDays: "Keep past positions for",
        hint: "1 to 3,650 days; empty keeps them for ever. The last position always stays",
        unit: "days",
        forEver: "for ever",
        outOfRange: "Enter a whole number from 1 to 3,650, or nothing."
    )

    static let german = RetentionStrings(
        keepDays: "Frühere Positionen behalten",
        hint: "1 bis 3.650 Tage; leer behält sie für immer. Die letzte Position bleibt in jedem Fall",
        unit: "Tage",
        forEver: "für immer",
        outOfRange: "Gib eine ganze Zahl von 1 bis 3.650 ein, oder nichts."
    )
}

extension InputField {
    /// Returns the field for the retention of an item's past positions.
    static func keepDays(
        _ typed: ItemFormState, messages: ItemMessages, words: RetentionStrings, t: TrackingStrings
    ) -> InputField {
        let message = messages.keepDays(words)
        return InputField(
            id: "keepDays", inputName: "settings.keepDays", label: words.keepDays, value: typed.values.keepDays,
            hint: words.hint, unit: words.unit, isInvalid: !message.isEmpty, message: message,
            changedTo: typed.changes["settings.keepDays"].map { value in
                let shown = value.isEmpty ? words.forEver : "\(value)\u{a0}\(words.unit)"
                return TrackingStrings.fill(t.common.changedTo, ["value": shown])
            }
        )
    }
}
