import Carrepsa
import Hummingbird
import Kernel
import WebCore

/// `/admin/payout-requests`: the people who wait for a payout.
struct PayoutRequestsController: Sendable {
    let payouts: PayoutAdministrationService
    let wallets: WalletAdministrationService
    let currency: Currency

    func addRoutes(to requests: RouterGroup<SignedInContext>) {
        requests
            .get(use: index)
            .post("{id}/refusal", use: createRefusal)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let page = try await payouts.list(for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.of(
            context, template: "admin-payout-requests", fragment: "admin-payout-request-rows",
            page: { PayoutRequestListPage(context, page, after: paging.after, currency: currency) },
            json: { ListJSON(items: page.items.map { WaitingPayoutJSON($0, currency) }, next: page.next) })
    }

    /// Declines a request. Its form is on the page of the person's wallet.
    @Sendable func createRefusal(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: PayoutRequest.self)
        var fields = try await Fields.read(request, context)
        let reason = fields.string("reason").value
        let person = try await payouts.person(of: id, for: context.actor)
        let typed = PaymentFormState(reason: fields.typed("reason"))
        return try await Responses.form(
            context, template: "admin-wallet",
            page: { error in
                WalletAdministrationPage(
                    context, try await wallets.details(of: person, for: context.actor), currency: currency,
                    typed: typed, error: error.translated(to: context.language))
            },
            perform: { [fields] in
                let declined = try await payouts.decline(id, reason: reason, by: context.change(fields))
                return try Responses.changed(
                    context, version: declined.version, json: { RequestedPayoutJSON(declined) },
                    seeOther: AdminPath.wallet(person), toast: ShellToast(context.t("Payout declined")))
            })
    }
}

/// A person who waits for a payout; amounts are in minor units.
struct WaitingPayoutJSON: Encodable {
    let id: String
    let person: PersonID
    let name: String
    let amount: Int64
    let balance: Int64
    let payable: Int64
    let currency: String
    let destination: String
    let createdAt: Instant

    init(_ waiting: WaitingPayout, _ currency: Currency) {
        id = waiting.request.id.description
        person = waiting.request.person
        name = waiting.name
        amount = waiting.request.amount
        balance = waiting.balance
        payable = waiting.payable
        self.currency = currency.code
        destination = waiting.request.destination
        createdAt = waiting.request.createdAt
    }
}

/// A payout request; the amount is in minor units.
struct RequestedPayoutJSON: Encodable {
    let id: String
    let amount: Int64
    let destination: String
    let state: String
    @Nullable var reason: String?
    let createdAt: Instant

    init(_ request: PayoutRequest) {
        id = request.id.description
        amount = request.amount
        destination = request.destination
        state = request.state.rawValue
        reason = request.reason
        createdAt = request.createdAt
    }
}
