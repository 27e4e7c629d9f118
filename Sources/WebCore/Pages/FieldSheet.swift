package import Accounts
package import Kernel

/// A sheet for changing one value of the account, for the partial `field-popup`. Its form goes to `PATCH /account`,
/// which shows the sheet again with a message when the value is rejected.
package struct FieldSheet: Sendable {
    /// The values that a popup can change.
    package enum Kind: String, Sendable, CaseIterable {
        case name
        case phone
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
    /// The path to return to afterwards.
    let popupReturn: String
    /// The text about a new value that isn't confirmed yet; empty for none.
    let popupWaiting: String
    let popupProof: ProofField?
    let popupKey: String

    /// Creates a popup.
    /// - Parameters:
    ///   - message: the error of the value; empty for none.
    ///   - destination: the path of the page that shows the popup.
    ///   - key: a new idempotency key for the change.
    ///   - waiting: the text about a new value that isn't confirmed yet.
    ///   - proof: the proof that the change requires besides the value; `nil` for none.
    package init(
        _ kind: Kind, label: String, value: String, hint: String?, message: String, destination: String, key: String,
        waiting: String = "", proof: ProofField? = nil
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
package struct ProofField: Sendable {
    let asksPassword: Bool
    let proofID: String
    let proofLabel: String
    /// The error of the password; empty for none.
    let proofMessage: String
    let isProofInvalid: Bool
    let isProofRequired: Bool
    /// The page with other kinds of proof.
    let proofURL: String
    let proofLink: String

    /// Creates the part of the popup.
    /// - Parameters:
    ///   - asksPassword: whether the password is an accepted proof.
    ///   - act: the act to authorise.
    ///   - message: the error of the password; empty for none.
    ///   - destination: the path to return to from the page with other kinds of proof.
    package init(
        asksPassword: Bool, for act: SensitiveAct = .changeEmail, message: String = "", destination: String,
        _ t: Translator
    ) {
        self.asksPassword = asksPassword
        proofID = "\(act.rawValue)-password"
        // The email's form can be sent without a change of the email.
        isProofRequired = act != .changeEmail
        proofLabel = t("Your password")
        proofMessage = message
        isProofInvalid = !message.isEmpty
        proofURL = act.proofURL(returningTo: destination)
        proofLink = asksPassword ? t("Confirm in another way") : t("Confirm that it’s you first")
    }
}
