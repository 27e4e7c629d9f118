import Accounts
import Carrepsa
import Kernel
import WebCore

/// The view model of the form of a payment on the page of a wallet.
struct PaymentForm: Sendable {
    private static let exampleMinor: Int64 = 1_250

    let formID: String
    let formURL: String
    let formKey: String
    let isProven: Bool
    /// The request that the payment pays; `nil` for none.
    let requestID: String?
    let amountID: String
    let amountText: String
    let amountError: String?
    let unit: String
    let noteID: String
    let noteText: String
    let noteError: String?
    /// The question before a top-up; `nil` if the form offers none. A script replaces `{amount}` with what was typed.
    let topUpQuestion: String?
    /// The question before a payout, likewise.
    let payOutQuestion: String?
    /// Whether the form has an error or what was typed.
    let isTyped: Bool

    /// - Parameter request: the request that the form pays. Without it, but with an open request, the form is for
    ///   top-ups only: a payout names the request that it pays.
    init(
        _ context: SignedInContext, _ details: WalletAdministrationService.Details, _ currency: Currency,
        _ typed: PaymentFormState, _ error: AppError?, pays request: PayoutRequest? = nil
    ) {
        let t = context.t
        let isTopUpOnly = request == nil && details.openRequest != nil
        let errors = FormErrors(error)
        formID = isTopUpOnly ? "top-up-form" : "payment-form"
        formURL = "\(AdminPath.wallet(details.summary.person))/payments"
        formKey = context.newIdempotencyKey()
        isProven = details.permission == .granted
        requestID = request?.id.description
        amountID = isTopUpOnly ? "top-up-amount" : "amount"
        noteID = isTopUpOnly ? "top-up-note" : "note"
        let requested = request.map {
            currency.decimal($0.amount).replacing(".", with: t.language.decimalSeparator)
        }
        amountText = typed.amount.isEmpty ? requested ?? "" : typed.amount
        noteText = typed.note
        unit = currency.code
        amountError = errors["amount"] == nil ? nil : Self.amountError(error, details, t, currency)
        noteError = errors["note"]
        let amount = "{amount}\u{a0}\(currency.code)"
        topUpQuestion = request == nil ? PaymentQuestion.text(.topUp, amount, details, t) : nil
        payOutQuestion = isTopUpOnly ? nil : PaymentQuestion.text(.payOut, amount, details, t)
        isTyped = error != nil || !typed.amount.isEmpty || !typed.note.isEmpty
    }

    private static func amountError(
        _ error: AppError?, _ details: WalletAdministrationService.Details, _ t: Translator, _ currency: Currency
    ) -> String {
        func money(_ minor: Int64) -> String { currency.text(minor, in: t.language) }
        guard error?.code == .insufficientFunds else {
            return t(
                "Enter an amount such as {example}, from {least} to {most}.",
                [
                    "example": currency.decimal(exampleMinor).replacing(".", with: t.language.decimalSeparator),
                    "least": money(1), "most": money(Limits.packageMoneyMinor),
                ])
        }
        return details.payable == details.summary.balance
            ? t("Not enough money. The balance is {amount}.", ["amount": money(details.payable)])
            : t("Welcome money can’t be paid out. The maximum is {amount}.", ["amount": money(details.payable)])
    }
}

/// The view model of the question before a payment, for browsers without JavaScript.
struct PaymentQuestion: Sendable {
    /// The payment that is asked about.
    struct Subject: Sendable {
        let kind: PaymentKind
        /// Minor units.
        let amount: Int64
        let request: ID<PayoutRequest>?
        let typed: PaymentFormState

        init(_ kind: PaymentKind, _ amount: Int64, _ request: ID<PayoutRequest>?, _ typed: PaymentFormState) {
            self.kind = kind
            self.amount = amount
            self.request = request
            self.typed = typed
        }
    }

    let questionText: String
    let paymentURL: String
    let keptKey: String
    let keptKind: String
    let keptAmount: String
    let keptNote: String
    let keptRequest: String?
    let yesLabel: String
    let cancelURL: String

    init(
        _ subject: Subject, _ details: WalletAdministrationService.Details, _ t: Translator, _ currency: Currency
    ) {
        questionText = Self.text(subject.kind, currency.text(subject.amount, in: t.language), details, t)
        cancelURL = AdminPath.wallet(details.summary.person)
        paymentURL = "\(cancelURL)/payments"
        keptKey = subject.typed.key
        keptKind = subject.kind.rawValue
        keptAmount = subject.typed.amount
        keptNote = subject.typed.note
        keptRequest = subject.request?.description
        yesLabel = subject.kind == .topUp ? t("Top up") : t("Pay out")
    }

    /// Returns the question before a payment of an amount.
    static func text(
        _ kind: PaymentKind, _ amount: String, _ details: WalletAdministrationService.Details, _ t: Translator
    ) -> String {
        let words: KeyValuePairs = ["amount": amount, "name": details.summary.name]
        return kind == .topUp
            ? t("Add {amount} to {name}’s wallet?", words) : t("Pay {amount} out of {name}’s wallet?", words)
    }
}
