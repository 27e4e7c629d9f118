import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/children/{id}/wishes`: what a child wishes for in the shop. The child adds and withdraws, a parent
/// declines. A parent grants a wish by adding a reward.
struct WishesController: Sendable {
    let wishes: WishService
    let shop: ShopService
    let responder: ChildActionResponder

    func addRoutes(to shared: RouterGroup<SignedInContext>) {
        shared.get("children/{id}/wishes", use: index)
        shared.post("children/{id}/wishes", use: create)
        shared.get("children/{id}/wishes/{wishId}", use: show)
        shared.delete("children/{id}/wishes/{wishId}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard context.face == .json else { return Responses.seeOther(context, to: FamilyPath.shop) }
        let found = try await wishes.list(of: context.id("id", of: Person.self), for: context.actor)
        return try Responses.json(context, ListJSON(items: found.map(WishJSON.init), next: nil))
    }

    /// The page that a notification links to: the form of a new reward for a parent.
    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let wish = try context.id("wishId", of: Wish.self)
        if context.face == .json {
            return try Responses.json(context, WishJSON(try await wishes.wish(wish, of: id, for: context.actor)))
        }
        return try await responder.redirectingErrors(id, context, to: FamilyPath.shop) {
            let found = try await wishes.wish(wish, of: id, for: context.actor)
            return Responses.seeOther(
                context, to: context.isChild ? FamilyPath.shop : FamilyPath.newReward(granting: found))
        }
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        var typed = ""
        return try await Responses.form(
            context, template: "family-my-shop",
            page: { error in
                guard context.isChild else { throw error }
                return ChildShopPage(
                    context, try await shop.shop(for: context.actor), wish: typed, error: context.translated(error),
                    formatter: context.familyFormatter)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                let name = fields.string("name").value
                typed = fields.typed("name")
                return try await responder.redirectingErrors(id, context, to: FamilyPath.shop, throwsInvalid: true) {
                    [fields] in
                    try fields.check()
                    let wish = try await wishes.add(name, for: id, by: context.change(fields))
                    let path = FamilyPath.wish(wish.id, of: id)
                    return try Responses.created(
                        context, location: path, json: { WishJSON(wish) }, seeOther: FamilyPath.shop,
                        toast: ShellToast(
                            context.t("“{reward}”: a parent will look at it", ["reward": wish.name]),
                            undoURL: path + "?_method=delete", undoLabel: context.t("Undo")))
                }
            })
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let wish = try context.id("wishId", of: Wish.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await responder.redirectingErrors(id, context, to: FamilyPath.shop) {
            try fields.check()
            try await wishes.remove(wish, of: id, by: context.change(fields))
            return Responses.removed(
                context, seeOther: FamilyPath.shop,
                toast: ShellToast(context.isChild ? context.t("Wish withdrawn") : context.t("Wish declined")))
        }
    }
}
