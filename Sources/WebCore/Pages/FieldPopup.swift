/// A sheet in which one value of one's account is changed, for the partial `field-popup`. Its form goes to
/// `PATCH /account`, which shows the same again with a message when the value can't be taken.
package struct FieldPopup: Sendable {
    /// Which value.
    package enum Kind: String, Sendable, CaseIterable {
        /// The name.
        case name
        /// The phone number.
        case phone
        /// The mail address.
        case email

        fileprivate var inputType: String {
            switch self {
            case .name: "text"
            case .phone: "tel"
            case .email: "email"
            }
        }

        fileprivate var completion: String {
            switch self {
            case .name: "name"
            case .phone: "tel"
            case .email: "email"
            }
        }
    }

    let popupField: String
    let popupLabel: String
    let popupType: String
    let popupValue: String
    let popupCompletion: String
    let popupHint: String
    let popupMessage: String
    let isPopupInvalid: Bool
    /// Where to go when it is done.
    let popupReturn: String
    let popupKey: String

    /// Makes a popup.
    /// - Parameters:
    ///   - message: what is wrong with the value; empty for nothing.
    ///   - destination: the page that it belongs to.
    ///   - key: a fresh key for the change.
    package init(
        _ kind: Kind, label: String, value: String, hint: String?, message: String, destination: String, key: String
    ) {
        popupField = kind.rawValue
        popupLabel = label
        popupType = kind.inputType
        popupValue = value
        popupCompletion = kind.completion
        popupHint = hint ?? ""
        popupMessage = message
        isPopupInvalid = !message.isEmpty
        popupReturn = destination
        popupKey = key
    }
}
