import Carrepsa
import Kernel
import WebCore

/// What was entered into the form of a payout.
struct PayoutFormState: Sendable {
    var amount = ""
    var destination = ""
}

/// The view model of the page about money coming in and going out.
struct PaymentGuidePage: Sendable {
    let shell: Shell
    let guideURL: String
    let balanceText: String
    /// What can be paid out, in words; `nil` if it is the whole balance.
    let payableText: String?
    let topUpText: String?
    let transfer: TransferView?
    /// Whether the administrator has explained nothing about topping up.
    let isTopUpUnknown: Bool
    /// The reader's reference, while the administrator has explained nothing about topping up.
    let ownReference: String?
    let payoutText: String?
    let openRequest: PayoutRow?
    let canRequest: Bool
    let formError: String?
    let amountText: String
    let amountError: String?
    let unit: String
    let destinationText: String
    let destinationError: String?
    let pastRequests: [PayoutRow]
    let hasPastRequests: Bool

    init(
        _ context: SignedInContext, _ guide: PaymentGuide, typed: PayoutFormState, error: AppError?, t: Translator,
        formatter: CarrepsaFormatter
    ) throws {
        shell = Shell(
            context, title: t("Money in and out"), menu: .carrepsa(t), tab: CarrepsaTab.profile.rawValue,
            isRefreshable: true, back: ShellBack(url: CarrepsaPath.entries, label: t("Wallet")))
        guideURL = CarrepsaPath.money
        balanceText = formatter.money(guide.wallet.balance)
        payableText = guide.wallet.payableText(t, formatter)
        let payable = formatter.money(guide.wallet.payable)
        let instructions = guide.instructions
        topUpText = instructions.topUpText
        transfer = try instructions.bankAccount.map { try TransferView($0, guide) }
        isTopUpUnknown = topUpText == nil && transfer == nil
        ownReference = isTopUpUnknown ? guide.reference : nil
        payoutText = instructions.payoutText
        openRequest = guide.openRequest.map { PayoutRow($0, t, formatter) }
        canRequest = openRequest == nil && guide.wallet.payable > 0
        let past = guide.requests.filter { $0.state != .open }
        pastRequests = past.map { PayoutRow($0, t, formatter) }
        hasPastRequests = !past.isEmpty
        let shown = error?.translated(to: context.language)
        let fields = shown?.fields ?? [:]
        amountText = typed.amount
        destinationText = typed.destination
        unit = guide.wallet.currency.code
        if fields["amount"] == nil {
            amountError = nil
        } else if error?.code == .insufficientFunds {
            amountError =
                payableText == nil
                ? t("Not enough money. Your balance is {amount}.", ["amount": balanceText])
                : t("Welcome money can’t be paid out. The maximum is {amount}.", ["amount": payable])
        } else {
            amountError = t(
                "Enter an amount such as {example}, from {least} to {most}.",
                ["example": formatter.example, "least": formatter.money(1), "most": payable])
        }
        destinationError = fields["destination"]
        formError = fields["amount"] == nil && fields["destination"] == nil ? shown?.message : nil
    }
}

/// The bank account to which the reader transfers money, with a code for banks' apps.
struct TransferView: Sendable {
    let holderText: String
    let ibanText: String
    let bicText: String?
    let referenceText: String
    /// The EPC code as SVG; `nil` for another currency than euros.
    let qr: String?

    init(_ account: BankAccount, _ guide: PaymentGuide) throws {
        holderText = account.holder
        ibanText = account.iban.grouped
        bicText = account.bic?.text
        referenceText = guide.reference
        qr = try EPCCode.text(
            to: account, amount: nil, reference: guide.reference, currency: guide.wallet.currency
        ).map(QRCode.svg)
    }
}

/// A payout request in the list.
struct PayoutRow: Sendable {
    let payoutAmount: String
    let payoutState: String
    let payoutDestination: String
    let payoutReason: String?
    let payoutMoment: FormattedTime
    let withdrawURL: String

    init(_ request: PayoutRequest, _ t: Translator, _ formatter: CarrepsaFormatter) {
        payoutAmount = formatter.money(request.amount)
        payoutState =
            switch request.state {
            case .open: t("Waits for the administrator")
            case .paid: t("Paid out")
            case .declined: t("Declined", context: "payout")
            case .withdrawn: t("Withdrawn", context: "payout")
            }
        payoutDestination = request.destination
        payoutReason = request.reason
        payoutMoment = FormattedTime(request.endedAt ?? request.createdAt, formatter.times)
        withdrawURL = CarrepsaPath.payoutRequest(request.id) + "?_method=delete"
    }
}
