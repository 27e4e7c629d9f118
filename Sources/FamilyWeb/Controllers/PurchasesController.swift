import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/children/{id}/purchases`: what a child bought. The child buys and cancels; a parent approves, declines and
/// gives points back.
struct PurchasesController: Sendable {
    let purchases: PurchaseService
    let decisions: PurchaseDecisionService
    let responder: ChildActionResponder

    func addRoutes(to parents: RouterGroup<SignedInContext>, shared: RouterGroup<SignedInContext>) {
        let purchase: RouterPath = "children/{id}/purchases/{purchaseId}"
        shared.get("children/{id}/purchases", use: index)
        shared.post("children/{id}/purchases", use: create)
        shared.get(purchase, use: show)
        shared.delete(purchase, use: RoleHandlers(parents: decline, children: cancel).respond)
        parents.post("children/{id}/purchases/{purchaseId}/approval", use: approve)
        parents.post("children/{id}/purchases/{purchaseId}/refund", use: refund)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let paging = try context.paging()
        let entries = try await purchases.listWithChild(
            id, for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.of(
            context, template: "family-purchases", fragment: "family-purchase-rows",
            page: { PurchaseListPage(context, entries, after: paging.after, formatter: context.familyFormatter) },
            json: { ListJSON(items: entries.page.items.map(PurchaseJSON.init), next: entries.page.next) })
    }

    /// The page that a notification links to. Redirects to the list if the purchase doesn't wait any more.
    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (id, purchase) = try ids(context)
        if context.face == .json {
            let details = try await purchases.details(purchase, of: id, for: context.actor)
            return try Responses.json(context, PurchaseJSON(details.purchase))
        }
        return try await responder.redirectingErrors(id, context, to: FamilyPath.shop) {
            let details = try await purchases.details(purchase, of: id, for: context.actor)
            guard !context.isChild, details.purchase.state == .waiting else {
                return Responses.seeOther(context, to: FamilyPath.purchases(of: id))
            }
            return try Responses.page(
                context, template: "family-purchase",
                PurchasePage(context, details, reason: "", error: nil, formatter: context.familyFormatter))
        }
    }

    /// Buys a reward. Without an idempotency key, a repeated request would spend the points again.
    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        var fields = try await Fields.read(request, context)
        let reward = fields.id("rewardId", of: ShopReward.self).value
        let price = fields.integer("price").value
        return try await responder.redirectingErrors(id, context, to: FamilyPath.shop) { [fields] in
            try fields.check()
            let purchase = try await purchases.buy(reward, price: price, for: id, by: context.changeOnce(fields))
            let isWaiting = purchase.state == .waiting
            let text =
                isWaiting
                ? context.t("“{reward}”: a parent decides", ["reward": purchase.name])
                : context.t("“{reward}” is yours", ["reward": purchase.name])
            let path = FamilyPath.purchase(purchase.id, of: id)
            return try Responses.created(
                context, location: path, json: { PurchaseJSON(purchase) }, seeOther: FamilyPath.shop,
                toast: ShellToast(
                    text, undoURL: isWaiting ? path + "?_method=delete" : nil,
                    undoLabel: isWaiting ? context.t("Undo") : nil))
        }
    }

    @Sendable func cancel(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (id, purchase) = try ids(context)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await responder.redirectingErrors(id, context, to: FamilyPath.shop) {
            try fields.check()
            let ended = try await purchases.cancel(purchase, of: id, by: context.change(fields))
            return Responses.removed(
                context, seeOther: FamilyPath.shop,
                toast: ShellToast(
                    context.t(
                        "“{reward}” is cancelled. You got {points} back.",
                        ["reward": ended.name, "points": context.familyFormatter.points(ended.price)])))
        }
    }

    @Sendable func approve(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (id, purchase) = try ids(context)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await responder.redirectingErrors(id, context, to: FamilyPath.shop) {
            try fields.check()
            let approved = try await decisions.approve(purchase, of: id, by: context.change(fields))
            return try Responses.created(
                context, location: FamilyPath.purchase(purchase, of: id), json: { PurchaseJSON(approved) },
                seeOther: FamilyPath.shop,
                toast: ShellToast(context.t("“{reward}” is approved", ["reward": approved.name])))
        }
    }

    @Sendable func decline(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (id, purchase) = try ids(context)
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let reason = fields.string("reason").value
        let typed = fields.typed("reason")
        do {
            return try await responder.redirectingErrors(
                id, context, to: FamilyPath.shop, throwsInvalid: fields.typed("from") == "purchase"
            ) { [fields] in
                try fields.check()
                let declined = try await decisions.decline(
                    purchase, of: id, reason: reason, by: context.change(fields))
                return Responses.removed(
                    context, seeOther: FamilyPath.shop,
                    toast: ShellToast(context.t("“{reward}” is declined", ["reward": declined.name])))
            }
        } catch let error as AppError where context.face != .json && error.code == .invalid {
            let details = try await purchases.details(purchase, of: id, for: context.actor)
            return try Responses.page(
                context, template: "family-purchase", status: .unprocessableContent,
                PurchasePage(
                    context, details, reason: typed, error: context.translated(error),
                    formatter: context.familyFormatter))
        }
    }

    @Sendable func refund(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (id, purchase) = try ids(context)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let path = FamilyPath.purchases(of: id)
        return try await responder.redirectingErrors(id, context, to: path) {
            try fields.check()
            let refunded = try await decisions.refund(purchase, of: id, by: context.change(fields))
            return try Responses.created(
                context, location: FamilyPath.purchase(purchase, of: id), json: { PurchaseJSON(refunded) },
                seeOther: path,
                toast: ShellToast(
                    context.t(
                        "{points} given back", ["points": context.familyFormatter.points(refunded.price)])))
        }
    }

    private func ids(_ context: SignedInContext) throws -> (PersonID, ID<Purchase>) {
        (try context.id("id", of: Person.self), try context.id("purchaseId", of: Purchase.self))
    }
}
