import WebCore

/// A field of a form with its message, for the partial `family-field`.
struct FamilyField: Sendable {
    let fieldID: String
    let fieldName: String
    let fieldLabel: String
    /// The input's type.
    let fieldType: String
    let fieldValue: String
    let placeholder: String
    let completion: String
    /// Which keys a phone offers; empty for all.
    let keyboard: String
    /// The earliest day, for dates.
    let earliest: String
    let hasEarliest: Bool
    /// The latest day, for dates.
    let latest: String
    /// Below the field; empty for none.
    let hint: String
    let hasHint: Bool
    let message: String
    let isInvalid: Bool
    let isRequired: Bool

    init(
        _ name: String, id: String? = nil, label: String, type: String = "text", value: String,
        placeholder: String = "", completion: String = "off", keyboard: String = "text", earliest: String = "",
        latest: String = "", hint: String = "", message: String?, isRequired: Bool = true
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
    }
}
