package import Accounts

/// A new email address that isn't confirmed yet, for the partial `waiting-email`.
package struct PendingEmailView: Sendable {
    /// The text with the address and the next step.
    package let waitingText: String
    let sendAgainLabel: String
    let cancelChangeLabel: String
    /// The path to return to afterwards.
    let waitingReturn: String

    package init(_ email: String, destination: String, _ words: ProofStrings) {
        waitingText = words.waiting.replacing("EMAIL", with: email)
        sendAgainLabel = words.sendAgain
        cancelChangeLabel = words.cancelChange
        waitingReturn = destination
    }
}

extension ProofField {
    /// The proof that the form asks for; `nil` if there is a stored one.
    package static func beside(
        _ state: ProofState, for act: SensitiveAct = .changeEmail, message: String = "", destination: String,
        _ words: ProofStrings
    ) -> ProofField? {
        guard state != .given else { return nil }
        return ProofField(
            asksPassword: state == .password, for: act, message: message, destination: destination, words)
    }
}
