package import Accounts
package import Kernel
package import Storage

/// A suggestion of an app above the list of notifications, accepted with one tap.
package struct NotificationFeedOffer: Sendable {
    package let title: String
    /// The effect of accepting it.
    package let note: String
    /// The URL that the form is sent to.
    package let action: String
    package let fieldName: String
    package let fieldValue: String
    /// The button's text.
    package let label: String

    package init(title: String, note: String, action: String, fieldName: String, fieldValue: String, label: String) {
        self.title = title
        self.note = note
        self.action = action
        self.fieldName = fieldName
        self.fieldValue = fieldValue
        self.label = label
    }
}

/// An app that can show an offer above the list of notifications.
package protocol FeedOfferSource: Sendable {
    /// Returns whether there is an offer for a person, in the transaction that reads the list.
    func hasOffer(for actor: Actor, in tx: Transaction) throws -> Bool
    /// Returns the offer.
    func offer(_ t: Translator) -> NotificationFeedOffer
}
