import WebCore

/// A form field with its error message, for the partial `family-field`.
struct FamilyField: Sendable {
    let fieldID: String
    let fieldName: String
    let fieldLabel: String
    /// The `type` of the input element.
    let fieldType: String
    let fieldValue: String
    let placeholder: String
    let completion: String
    /// The `inputmode` of the input element; empty for none.
    let keyboard: String
    /// The earliest date of a date field.
    let earliest: String
    let hasEarliest: Bool
    /// The latest date of a date field.
    let latest: String
    /// The text below the field; empty for none.
    let hint: String
    let hasHint: Bool
    let message: String
    let isInvalid: Bool
    let isRequired: Bool
    /// Whether the page starts with the focus in it.
    let isFocused: Bool

    init(
        _ name: String, id: String? = nil, label: String, type: String = "text", value: String,
        placeholder: String = "", completion: String = "off", keyboard: String = "text", earliest: String = "",
        latest: String = "", hint: String = "", message: String?, isRequired: Bool = true,
        isFocused: Bool = false
    ) {
        fieldID = id ?? name
        fieldName = name
        fieldLabel = label
        fieldType = type
        fieldValue = value
        self.placeholder = placeholder
        self.completion = completion
        self.keyboard = keyboard
        self.earliest = earliest
        hasEarliest = !earliest.isEmpty
        self.latest = latest
        self.hint = hint
        hasHint = !hint.isEmpty
        self.message = message ?? ""
        isInvalid = !(message ?? "").isEmpty
        self.isRequired = isRequired
        self.isFocused = isFocused
    }
}
