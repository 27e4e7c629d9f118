import Kernel

/// The codes that one change of the email may need. They are drawn before the transaction, which may run twice.
struct EmailCodes: Sendable {
    /// Confirms the new address.
    let confirmation: String
    /// Restores the old address.
    let undo: String

    init(random: some RandomSource) {
        confirmation = Token.make(random: random)
        undo = Token.make(random: random)
    }
}
