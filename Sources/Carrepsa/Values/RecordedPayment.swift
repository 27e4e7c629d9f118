import Accounts
package import Kernel
package import Ledger

/// The direction of a payment outside the app.
package enum PaymentKind: String, Sendable, CaseIterable {
    /// The administrator received money.
    case topUp = "top_up"
    /// The administrator paid money out.
    case payOut = "pay_out"

    var transferKind: TransferKind { self == .topUp ? .topUp : .payOut }
}

/// A payment that an administrator recorded in the app.
package struct RecordedPayment: Sendable, Equatable {
    /// The id of the transfer.
    package let id: ID<Transfer>
    package let at: Instant
    package let kind: PaymentKind
    /// Minor units, above 0.
    package let amount: Int64
    package let note: String
    /// The administrator; `nil` if the account was deleted.
    package let recordedBy: PersonID?
    package let recorderName: String?
    /// The request that it paid; `nil` for none.
    package let request: ID<PayoutRequest>?
}

/// A payment that isn't validated yet.
package struct PaymentInput: Sendable {
    let kind: PaymentKind
    /// Minor units; `nil` for no valid amount.
    let amount: Int64?
    let note: String?
    let request: ID<PayoutRequest>?

    /// - Parameter request: the request that a payout pays; `nil` for none.
    package init(_ kind: PaymentKind, amount: Int64?, note: String?, request: ID<PayoutRequest>? = nil) {
        self.kind = kind
        self.amount = amount
        self.note = note
        self.request = request
    }

    /// - Throws: `AppError.invalid` at `amount` and `note`.
    package func validate() throws { _ = try validated() }

    func validated() throws -> (amount: Int64, note: String) {
        var problems = FieldErrors<CarrepsaMessage>()
        if !PackageDraft.isAmount(amount) { problems.refuse("amount", .amountOutOfRange) }
        var text: String?
        do throws(TextValidation.Failure) {
            text = try TextValidation.lines(
                note, characters: Limits.paymentNoteCharacters, bytes: Limits.paymentNoteBytes)
            if text == nil { problems.refuse("note", .paymentNoteMissing) }
        } catch {
            switch error {
            case .empty: problems.refuse("note", .paymentNoteMissing)
            case .tooLong: problems.refuse("note", .paymentNoteTooLong)
            case .tooManyBytes: problems.refuse("note", .tooManyBytes)
            case .controlCharacter: problems.refuse("note", .textUnreadable)
            }
        }
        try problems.finish()
        guard let amount, let text else { throw AppError(.invalid, .paymentNoteMissing, field: "note") }
        return (amount, text)
    }
}
