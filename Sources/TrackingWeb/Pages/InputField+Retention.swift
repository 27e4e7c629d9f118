import Kernel
import Tracking
import WebCore

extension InputField {
    /// Returns the field for the retention of an item's past positions.
    static func keepDays(_ typed: ItemFormState, messages: ItemMessages, t: Translator) -> InputField {
        let message = messages.keepDays(t)
        let unit = t("days")
        return InputField(
            id: "keepDays", inputName: "settings.keepDays", label: t("Keep past positions for"),
            value: typed.values.keepDays,
            hint: t(
                "{least} to {most} days; empty keeps them for ever. The last position always stays",
                Limits.keepDays.texts(t)),
            unit: unit, isInvalid: !message.isEmpty, message: message,
            changedTo: typed.changes["settings.keepDays"].map { value in
                let shown = value.isEmpty ? t("for ever") : "\(value)\u{a0}\(unit)"
                return t("Changed elsewhere to {value}", ["value": shown])
            }
        )
    }

    /// Returns the field for the hours of silence after which people are notified.
    static func silentHours(_ typed: ItemFormState, messages: ItemMessages, t: Translator) -> InputField {
        let message = messages.silentHours(t)
        let unit = t("hours")
        return InputField(
            id: "silentHours", inputName: "settings.silentHours", label: t("Notify when silent for"),
            value: typed.values.silentHours,
            hint: t("{least} to {most} hours; empty for no notification", Limits.silentHours.texts(t)),
            unit: unit, isInvalid: !message.isEmpty, message: message,
            changedTo: typed.changes["settings.silentHours"].map { value in
                let shown = value.isEmpty ? t("never") : "\(value)\u{a0}\(unit)"
                return t("Changed elsewhere to {value}", ["value": shown])
            }
        )
    }
}
