import Accounts
import Carrepsa
import Hummingbird
import Kernel
import WebCore

/// `/admin/wallets`: the wallets of all people, and payments into and out of them.
struct WalletsController: Sendable {
    let wallets: WalletAdministrationService
    let currency: Currency

    func addRoutes(to routes: RouterGroup<SignedInContext>) {
        routes
            .get(use: index)
            .get("{id}", use: show)
            .post("{id}/payments", use: createPayment)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let search = context.query("search")
        let page = try await wallets.list(
            for: context.actor, search: search, after: paging.after, limit: paging.limit)
        return try Responses.of(
            context, template: "admin-wallets", fragment: "admin-wallets-rows",
            page: { WalletListPage(context, page, search: search ?? "", after: paging.after, currency: currency) },
            json: { ListJSON(items: page.items.map { AdministeredWalletJSON($0, currency) }, next: page.next) }
        )
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let details = try await wallets.details(of: try id(context), for: context.actor)
        return try Responses.of(
            context, template: "admin-wallet",
            page: { WalletAdministrationPage(context, details, currency: currency) },
            json: { WalletDetailsJSON(details, currency) }
        )
    }

    @Sendable func createPayment(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let person = try id(context)
        var fields = try await Fields.read(request, context)
        let kind = fields.requireChoice("kind", of: PaymentKind.self)
        let amount = fields.amount("amount", currency)
        let note = fields.string("note").value
        let request = fields.id("request", of: PayoutRequest.self).value
        let typed = PaymentFormState(
            amount: fields.typed("amount"), note: fields.typed("note"), kind: kind,
            key: fields.typed("idempotencyKey"))
        let isAsking = fields.isForm && fields.typed("ask") == "yes"
        return try await Responses.form(
            context, template: "admin-wallet",
            page: { error in
                WalletAdministrationPage(
                    context, try await wallets.details(of: person, for: context.actor), currency: currency,
                    typed: typed, error: error.translated(to: context.language))
            },
            perform: { [fields] in
                var fields = fields
                try fields.check { try PaymentInput(kind ?? .topUp, amount: amount, note: note).validate() }
                guard let kind else { throw AppError.notFound }
                if isAsking, let amount {
                    return try await ask(PaymentQuestion.Subject(kind, amount, request, typed), of: person, context)
                }
                let details = try await wallets.record(
                    PaymentInput(kind, amount: amount, note: note, request: request), of: person,
                    by: context.changeOnce(fields))
                return try Responses.created(
                    context, location: AdminPath.wallet(person), json: { WalletDetailsJSON(details, currency) },
                    seeOther: AdminPath.wallet(person),
                    toast: ShellToast(kind == .topUp ? context.t("Topped up") : context.t("Paid out")))
            }
        )
    }

    /// Shows the question that scripts ask in a dialog. Records nothing.
    private func ask(
        _ subject: PaymentQuestion.Subject, of person: PersonID, _ context: SignedInContext
    ) async throws -> Response {
        let details = try await wallets.details(of: person, for: context.actor)
        return try Responses.page(
            context, template: "admin-wallet",
            WalletAdministrationPage(context, details, currency: currency, asking: subject))
    }

    private func id(_ context: SignedInContext) throws -> PersonID { try context.id("id", of: Person.self) }
}

/// What was typed into the form of a payment.
struct PaymentFormState: Sendable {
    var amount = ""
    var note = ""
    var kind: PaymentKind?
    /// The idempotency key of the form.
    var key = ""
    /// Why a payout request is declined.
    var reason = ""
}

/// A person with a balance; amounts are in minor units.
struct AdministeredWalletJSON: Encodable {
    let id: PersonID
    let name: String
    @Nullable var email: String?
    let balance: Int64
    let currency: String

    init(_ wallet: WalletAdministrationService.Summary, _ currency: Currency) {
        id = wallet.person
        name = wallet.name
        email = wallet.email
        balance = wallet.balance
        self.currency = currency.code
    }
}

/// A wallet with its latest payments; amounts are in minor units.
struct WalletDetailsJSON: Encodable {
    struct Entry: Encodable {
        let id: String
        let at: Instant
        let kind: String
        let amount: Int64
        let note: String
        @Nullable var recordedBy: PersonID?
        @Nullable var request: ID<PayoutRequest>?
    }

    let id: PersonID
    let name: String
    @Nullable var email: String?
    let balance: Int64
    let payable: Int64
    let held: Int64
    let currency: String
    let payments: [Entry]
    @Nullable var reference: String?
    @Nullable var payoutRequest: RequestedPayoutJSON?

    init(_ details: WalletAdministrationService.Details, _ currency: Currency) {
        id = details.summary.person
        name = details.summary.name
        email = details.summary.email
        balance = details.summary.balance
        payable = details.payable
        held = details.held
        self.currency = currency.code
        payments = details.payments.map {
            Entry(
                id: $0.id.description, at: $0.at, kind: $0.kind.rawValue, amount: $0.amount, note: $0.note,
                recordedBy: $0.recordedBy, request: $0.request)
        }
        reference = details.reference
        payoutRequest = details.openRequest.map(RequestedPayoutJSON.init)
    }
}
