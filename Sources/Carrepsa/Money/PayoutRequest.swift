package import Kernel

/// A person's request to be paid out. It moves no money: an administrator pays outside the app, and records it.
package struct PayoutRequest: Sendable, Hashable {
    /// What became of a request.
    package enum State: String, Sendable, CaseIterable {
        case open
        /// An administrator recorded the payment.
        case paid
        /// An administrator refused it, with a reason.
        case declined
        /// The person withdrew it.
        case withdrawn
    }

    package let id: ID<PayoutRequest>
    package let person: PersonID
    /// Minor units, above 0.
    package let amount: Int64
    /// How the person wants the money: a bank account, or cash.
    package let destination: String
    package let state: State
    /// Why it was declined.
    package let reason: String?
    package let createdAt: Instant
    /// When it was paid, declined or withdrawn.
    package let endedAt: Instant?
    /// Increases by one with each change.
    package let version: Int64
}

/// A request that isn't validated yet.
package struct PayoutRequestInput: Sendable {
    let amount: Int64?
    let destination: String?

    /// - Parameter amount: Minor units; `nil` for no valid amount.
    package init(amount: Int64?, destination: String?) {
        self.amount = amount
        self.destination = destination
    }

    /// - Throws: `AppError.invalid` at `amount` and `destination`.
    package func check() throws { _ = try validated() }

    func validated() throws -> (amount: Int64, destination: String) {
        var problems = FieldErrors<CarrepsaMessage>()
        if !PackageDraft.isAmount(amount) { problems.refuse("amount", .amountOutOfRange) }
        let text = PaymentText.read(destination, "destination", &problems)
        if text == nil { problems.refuse("destination", .destinationMissing) }
        try problems.finish()
        guard let amount, let text else { throw AppError(.invalid, .destinationMissing, field: "destination") }
        return (amount, text)
    }
}

/// An open request as administrators see it.
package struct WaitingPayout: Sendable, Hashable {
    package let request: PayoutRequest
    package let name: String
    /// The person's balance in minor units.
    package let balance: Int64
    /// The part of it that can be paid out. It may be smaller than the requested amount by now.
    package let payable: Int64
}
