import Carrepsa
import Kernel
import WebCore

/// The view model of the list of payout requests.
struct PayoutRequestListPage: Sendable {
    let shell: Shell
    let reloadURL: String
    let requests: [WaitingPayoutRow]
    let isEmpty: Bool
    let moreURL: String?

    init(_ context: SignedInContext, _ page: ListPage<WaitingPayout>, after: String?, currency: Currency) {
        let t = context.t
        let times = TimeFormatter(t, now: context.web.clock.now)
        shell = .admin(context, title: t("Payout requests"), isRefreshable: true)
        reloadURL = AdminPath.reload(AdminPath.payoutRequests, after: after)
        requests = page.items.map { WaitingPayoutRow($0, t, times, currency) }
        isEmpty = page.items.isEmpty
        moreURL = page.next.map { "\(AdminPath.payoutRequests)?after=\($0)" }
    }
}

/// A person who waits for a payout.
struct WaitingPayoutRow: Sendable {
    let walletURL: String
    let personName: String
    let requestedAmount: String
    /// That less than the amount can be paid out; `nil` while it suffices.
    let shortageText: String?
    let requestMoment: FormattedTime

    init(_ waiting: WaitingPayout, _ t: Translator, _ times: TimeFormatter, _ currency: Currency) {
        walletURL = AdminPath.wallet(waiting.request.person)
        personName = waiting.name
        requestedAmount = currency.text(waiting.request.amount, in: t.language)
        shortageText =
            waiting.payable < waiting.request.amount
            ? t("Only {amount} can be paid out.", ["amount": currency.text(waiting.payable, in: t.language)]) : nil
        requestMoment = FormattedTime(waiting.request.createdAt, times)
    }
}
