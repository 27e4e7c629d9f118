import Carrepsa
import Hummingbird
import Kernel
import WebCore

/// `/carrepsa/money`: how money comes into the reader's wallet and goes out of it.
struct PaymentGuideController: Sendable {
    let guides: PaymentGuideService
    let payouts: PayoutRequestService
    let currency: Currency

    func addRoutes(to root: RouterGroup<SignedInContext>) {
        root.get("money", use: show)
        root.post("payout-requests", use: createRequest)
        root.delete("payout-requests/{id}", use: destroyRequest)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let guide = try await guides.guide(for: context.actor)
        return try Responses.of(
            context, template: "carrepsa-money", fragment: "carrepsa-money-rows",
            page: { try page(guide, PayoutFormState(), error: nil, context) },
            json: { PaymentGuideJSON(guide) })
    }

    @Sendable func createRequest(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let amount = fields.amount("amount", currency)
        let input = PayoutRequestInput(amount: amount, destination: fields.string("destination").value)
        let typed = PayoutFormState(amount: fields.typed("amount"), destination: fields.typed("destination"))
        return try await Responses.form(
            context, template: "carrepsa-money",
            page: { error in
                try page(try await guides.guide(for: context.actor), typed, error: error, context)
            },
            perform: { [fields] in
                var fields = fields
                try fields.check { try input.check() }
                let created = try await payouts.create(input, by: context.change(fields))
                return try Responses.created(
                    context, location: CarrepsaPath.payoutRequest(created.id), version: created.version,
                    json: { PayoutRequestJSON(created) }, seeOther: CarrepsaPath.money,
                    toast: ShellToast(context.t("Payout requested")))
            })
    }

    @Sendable func destroyRequest(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: PayoutRequest.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await payouts.withdraw(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: CarrepsaPath.money, toast: ShellToast(context.t("Request withdrawn")))
    }

    private func page(
        _ guide: PaymentGuide, _ typed: PayoutFormState, error: AppError?, _ context: SignedInContext
    ) throws -> PaymentGuidePage {
        try PaymentGuidePage(
            context, guide, typed: typed, error: error, t: context.t,
            formatter: context.carrepsaFormatter(currency))
    }
}
