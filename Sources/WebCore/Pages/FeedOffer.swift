/// An offer of an app above the list of notifications: one choice, made with one tap.
package struct FeedOffer: Sendable {
    /// A question.
    package let title: String
    /// The effect of the choice.
    package let note: String
    /// The form's address.
    package let action: String
    /// The name of the form's field.
    package let fieldName: String
    /// The value of the form's field.
    package let fieldValue: String
    /// The button's text.
    package let label: String

    /// Makes an offer.
    package init(title: String, note: String, action: String, fieldName: String, fieldValue: String, label: String) {
        self.title = title
        self.note = note
        self.action = action
        self.fieldName = fieldName
        self.fieldValue = fieldValue
        self.label = label
    }
}

/// An app that can have an offer above the list of notifications.
package protocol FeedOfferSource: Sendable {
    /// The offer; `nil` for none.
    func offer(_ context: SignedInContext) async throws -> FeedOffer?
}
