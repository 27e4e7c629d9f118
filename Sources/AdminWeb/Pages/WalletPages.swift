import Accounts
import Carrepsa
import Kernel
import WebCore

/// The view model of the list of wallets.
struct WalletListPage: Sendable {
    let shell: Shell
    let searchText: String
    let reloadURL: String
    let wallets: [WalletRow]
    let isEmpty: Bool
    let moreURL: String?

    init(
        _ context: SignedInContext, _ page: ListPage<WalletAdministrationService.Summary>, search: String,
        after: String?, currency: Currency
    ) {
        let t = context.t
        searchText = search
        reloadURL = AdminPath.reload(AdminPath.wallets, search: search, after: after)
        wallets = page.items.map { WalletRow($0, t, currency) }
        isEmpty = wallets.isEmpty
        moreURL = page.next.map { "\(AdminPath.wallets)?after=\($0)" }
        shell = .admin(context, title: t("Wallets"), isRefreshable: true)
    }
}

/// A person with a balance.
struct WalletRow: Sendable {
    let walletURL: String
    let name: String
    let email: String
    let balanceText: String

    init(_ wallet: WalletAdministrationService.Summary, _ t: Translator, _ currency: Currency) {
        walletURL = AdminPath.wallet(wallet.person)
        name = wallet.name
        email = wallet.email ?? t("No email")
        balanceText = currency.text(wallet.balance, in: t.language)
    }
}

/// The view model of one wallet.
struct WalletAdministrationPage: Sendable {
    private static let exampleMinor: Int64 = 1_250

    let shell: Shell
    let facts: [AdminFact]
    /// The error message above the form.
    let problem: String?
    /// The page for the proof that payments need; `nil` once it is given.
    let proofURL: String?
    let isProven: Bool
    /// Whether the form is shown: once the proof is given, and with what was typed after the proof has expired.
    let showsForm: Bool
    let formURL: String
    let formKey: String
    let amountText: String
    let amountError: String?
    let unit: String
    /// The question before a payment out. A script replaces `{amount}` with the typed amount.
    let payOutQuestion: String
    let noteText: String
    let noteError: String?
    let hasPayments: Bool
    let payments: [PaymentRow]
    /// The open request for a payout; `nil` for none.
    let request: PayoutRequestPart?

    init(
        _ context: SignedInContext, _ details: WalletAdministrationService.Details, currency: Currency,
        typed: PaymentFormState = PaymentFormState(), error: AppError? = nil
    ) {
        let t = context.t
        let times = TimeFormatter(t, now: context.web.clock.now)
        let url = AdminPath.wallet(details.summary.person)
        func money(_ minor: Int64) -> String { currency.text(minor, in: t.language) }
        facts = [
            AdminFact(factLabel: t("Balance"), factText: money(details.summary.balance)),
            AdminFact(factLabel: t("Held"), factText: money(details.held)),
            details.reference.map { AdminFact(factLabel: t("Reference"), factText: $0) },
        ].compactMap(\.self)
        let errors = FormErrors(error)
        if errors["amount"] == nil {
            amountError = nil
        } else if error?.code == .insufficientFunds {
            amountError = t(
                "Not enough money. The balance is {amount}.", ["amount": money(details.summary.balance)])
        } else {
            amountError = t(
                "Enter an amount such as {example}, from {least} to {most}.",
                [
                    "example": currency.decimal(Self.exampleMinor).replacing(".", with: t.language.decimalSeparator),
                    "least": money(1), "most": money(Limits.packageMoneyMinor),
                ])
        }
        noteError = errors["note"]
        // A proof that has expired is asked for again below.
        problem = error.flatMap { $0.fields.isEmpty ? $0.message : nil } ?? errors["idempotencyKey"]
        isProven = details.isProven
        showsForm = details.isProven || !typed.amount.isEmpty || !typed.note.isEmpty
        proofURL = details.isProven ? nil : AdminPath.proof(for: url)
        formURL = "\(url)/payments"
        formKey = context.newIdempotencyKey()
        // A request for a payout is most likely what the payment is for.
        let suggested = details.openRequest.map {
            currency.decimal($0.amount).replacing(".", with: t.language.decimalSeparator)
        }
        amountText = typed.amount.isEmpty ? suggested ?? "" : typed.amount
        noteText = typed.note
        request = details.openRequest.map {
            PayoutRequestPart($0, typed: typed.reason, error: errors["reason"], t, times, currency)
        }
        unit = currency.code
        payOutQuestion = t(
            "Pay {amount} out of {name}’s wallet?",
            ["amount": "{amount}\u{a0}\(currency.code)", "name": details.summary.name])
        payments = details.payments.map { PaymentRow($0, t, times, currency) }
        hasPayments = !payments.isEmpty
        shell = .admin(
            context, title: details.summary.name, back: ShellBack(url: AdminPath.wallets, label: t("Wallets")))
    }
}

/// The open request for a payout on the page of a wallet.
struct PayoutRequestPart: Sendable {
    let requestedText: String
    let destinationText: String
    let requestedMoment: FormattedTime
    let refusalURL: String
    let reasonText: String
    let reasonError: String?

    init(
        _ request: PayoutRequest, typed: String, error: String?, _ t: Translator, _ times: TimeFormatter,
        _ currency: Currency
    ) {
        requestedText = t(
            "{amount} is requested", ["amount": currency.text(request.amount, in: t.language)])
        destinationText = request.destination
        requestedMoment = FormattedTime(request.createdAt, times)
        refusalURL = "\(AdminPath.payoutRequests)/\(request.id)/refusal"
        reasonText = typed
        reasonError = error
    }
}

/// A payment in the list.
struct PaymentRow: Sendable {
    let amountText: String
    let noteText: String
    let byText: String
    let moment: FormattedTime

    init(_ payment: RecordedPayment, _ t: Translator, _ times: TimeFormatter, _ currency: Currency) {
        let amount: KeyValuePairs = ["amount": currency.text(payment.amount, in: t.language)]
        amountText = payment.kind == .topUp ? t("{amount} topped up", amount) : t("{amount} paid out", amount)
        noteText = payment.note
        byText = payment.recorderName ?? t("Former member")
        moment = FormattedTime(payment.at, times)
    }
}
