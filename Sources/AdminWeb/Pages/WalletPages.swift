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
    let shell: Shell
    let facts: [AdminFact]
    /// The error message above the form.
    let problem: String?
    /// The page for the proof that payments need; `nil` once it is given.
    let proofURL: String?
    let isProven: Bool
    /// Whether it is the reader's own wallet, and another administrator records its payments.
    let isOwn: Bool
    /// The question before a payment of a browser without scripts; `nil` for none.
    let question: PaymentQuestion?
    /// The form of a payment: the payout of the open request, if there is one. It is shown once the proof is given, and
    /// with what was typed after the proof has expired.
    let paymentForm: PaymentForm?
    /// The form of a top-up beside the open request.
    let topUpForm: PaymentForm?
    let hasPayments: Bool
    let payments: [PaymentRow]
    /// The open payout request; `nil` for none.
    let request: PayoutRequestPart?

    /// - Parameter subject: the payment that the page asks about; `nil` for none.
    init(
        _ context: SignedInContext, _ details: WalletAdministrationService.Details, currency: Currency,
        typed: PaymentFormState = PaymentFormState(), error: AppError? = nil,
        asking subject: PaymentQuestion.Subject? = nil
    ) {
        let t = context.t
        let times = TimeFormatter(t, now: context.web.clock.now)
        let url = AdminPath.wallet(details.summary.person)
        func money(_ minor: Int64) -> String { currency.text(minor, in: t.language) }
        facts = [
            AdminFact(factLabel: t("Balance"), factText: money(details.summary.balance)),
            details.payable == details.summary.balance
                ? nil : AdminFact(factLabel: t("Can be paid out"), factText: money(details.payable)),
            AdminFact(factLabel: t("Held"), factText: money(details.held)),
            details.reference.map { AdminFact(factLabel: t("Reference"), factText: $0) },
        ].compactMap(\.self)
        let errors = FormErrors(error)
        // A proof that has expired is asked for again below.
        problem =
            error.flatMap { $0.fields.isEmpty ? $0.message : nil } ?? errors["request"] ?? errors["idempotencyKey"]
        isOwn = details.permission == .ownWallet
        isProven = details.permission == .granted
        proofURL = details.permission == .unproven ? AdminPath.proof(for: url) : nil
        question = subject.map { PaymentQuestion($0, details, t, currency) }
        let isShown = question == nil && !isOwn && (isProven || !typed.amount.isEmpty || !typed.note.isEmpty)
        let isTopUp = typed.kind == .topUp && details.openRequest != nil
        paymentForm =
            isShown
            ? PaymentForm(
                context, details, currency, isTopUp ? PaymentFormState() : typed, isTopUp ? nil : error,
                pays: details.openRequest) : nil
        topUpForm =
            isShown && details.openRequest != nil
            ? PaymentForm(context, details, currency, isTopUp ? typed : PaymentFormState(), isTopUp ? error : nil)
            : nil
        request =
            question == nil
            ? details.openRequest.map {
                PayoutRequestPart($0, typed: typed.reason, error: errors["reason"], t, times, currency)
            } : nil
        payments = details.payments.map { PaymentRow($0, t, times, currency) }
        hasPayments = !payments.isEmpty
        shell = .admin(
            context, title: details.summary.name, back: ShellBack(url: AdminPath.wallets, label: t("Wallets")))
    }
}

/// The open payout request on the page of a wallet.
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
