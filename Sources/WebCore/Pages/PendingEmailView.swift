package import Accounts
package import Kernel

/// A new email address that isn't confirmed yet, for the partial `waiting-email`.
package struct PendingEmailView: Sendable {
    /// The text with the address and the next step.
    package let waitingText: String
    let sendAgainLabel: String
    let cancelChangeLabel: String
    /// The path to return to afterwards.
    let waitingReturn: String

    package init(_ email: String, destination: String, _ t: Translator) {
        waitingText = t("{email} isn’t confirmed yet. Open the link in the mail we sent there.", ["email": email])
        sendAgainLabel = t("Send the link again")
        cancelChangeLabel = t("Keep the current address")
        waitingReturn = destination
    }
}

extension ProofField {
    /// The proof that the form asks for; `nil` if there is a stored one.
    package static func beside(
        _ state: ProofState, for act: SensitiveAct = .changeEmail, message: String = "", destination: String,
        _ t: Translator
    ) -> ProofField? {
        guard state != .given else { return nil }
        return ProofField(
            asksPassword: state == .password, for: act, message: message, destination: destination, t)
    }
}
