package import Accounts

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
    /// A new value that is still to be confirmed; empty for none.
    let popupWaiting: String
    let popupProof: PopupProof?
    let popupKey: String

    /// Makes a popup.
    /// - Parameters:
    ///   - message: what is wrong with the value; empty for nothing.
    ///   - destination: the page that it belongs to.
    ///   - key: a fresh key for the change.
    ///   - waiting: says that a new value is still to be confirmed.
    ///   - proof: the proof that the change requires besides the value; `nil` for none.
    package init(
        _ kind: Kind, label: String, value: String, hint: String?, message: String, destination: String, key: String,
        waiting: String = "", proof: PopupProof? = nil
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
        popupWaiting = waiting
        popupProof = proof
        popupKey = key
    }
}

/// The proof that a change requires, for the partial `proof-field`: the password, or a proof given on another page.
package struct PopupProof: Sendable {
    let asksPassword: Bool
    let proofID: String
    let proofLabel: String
    /// The error of the password; empty for none.
    let proofMessage: String
    let isProofInvalid: Bool
    let isProofRequired: Bool
    /// The page for the other ways.
    let proofURL: String
    let proofLink: String

    /// Makes the part of the popup.
    /// - Parameters:
    ///   - asksPassword: whether the password is one of the ways.
    ///   - act: the act that it proves.
    ///   - message: the error of the password; empty for none.
    ///   - destination: where to go from the page for the other ways.
    package init(
        asksPassword: Bool, for act: SensitiveAct = .changeEmail, message: String = "", destination: String,
        _ words: ProofStrings
    ) {
        self.asksPassword = asksPassword
        proofID = "\(act.rawValue)-password"
        // The email's form can be sent without a change of the email.
        isProofRequired = act != .changeEmail
        proofLabel = words.password
        proofMessage = message
        isProofInvalid = !message.isEmpty
        proofURL = "/account/proofs/\(act.rawValue)?return=" + PathSegment.encoded(destination)
        proofLink = asksPassword ? words.anotherWay : words.confirmFirst
    }
}
