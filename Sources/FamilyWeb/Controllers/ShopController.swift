import Accounts
import Family
import Hummingbird
import Kernel
import Pictures
import WebCore

/// `/family/shop` and `/family/shop/{id}`: the rewards that children buy with points. Parents add, edit and delete
/// them.
struct ShopController: Sendable {
    let shop: ShopService
    let wishes: WishService
    let households: HouseholdService
    let pictures: PictureLibrary

    func addRoutes(to parents: RouterGroup<SignedInContext>, shared: RouterGroup<SignedInContext>) {
        shared.get("shop", use: index)
        shared.get("shop/{id}", use: show)
        let shop = parents.group("shop")
        shop.get("new", use: new)
        shop.post(use: create)
        shop.get("{id}/edit", use: edit)
        shop.put("{id}", use: update)
        shop.delete("{id}", use: destroy)
        shop.post("{id}/restoration", use: restore)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let found = try await shop.shop(for: context.actor)
        if context.face == .json { return try Responses.json(context, ShopJSON(found)) }
        guard context.isChild else {
            return try Responses.page(
                context, template: "family-shop", fragment: "family-shop-rows",
                ShopPage(context, found, formatter: context.familyFormatter))
        }
        return try Responses.page(
            context, template: "family-my-shop", fragment: "family-my-shop-rows",
            ChildShopPage(context, found, formatter: context.familyFormatter))
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let reward = try await shop.reward(context.id("id", of: ShopReward.self), for: context.actor)
        guard context.face == .json else {
            return Responses.seeOther(
                context, to: context.isChild ? FamilyPath.shop : FamilyPath.reward(reward.id) + "/edit")
        }
        return try Responses.json(context, ShopRewardJSON(reward), version: reward.version)
    }

    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let children = try await shop.shop(for: context.actor).children
        let starter = context.query("suggestion").flatMap { StarterReward(rawValue: $0) }
        var typed = starter.map { RewardFormState($0, context.t) } ?? RewardFormState()
        if let id = context.query("wish").flatMap({ ID<Wish>($0) }),
            let child = context.query("child").flatMap({ PersonID($0) })
        {
            typed = RewardFormState(try await wishes.wish(id, of: child, for: context.actor))
        }
        return try Responses.page(
            context, template: "family-reward",
            RewardPage(
                context, editing: nil, children: children,
                typed: typed, error: nil))
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed = RewardFormState()
        return try await Responses.form(
            context, template: "family-reward",
            page: { error in
                // A wish that is over doesn't keep the parent from adding the reward.
                if error.code == .conflict, let (wish, child) = typed.granted,
                    (try? await wishes.wish(wish, of: child, for: context.actor)) == nil
                {
                    typed.wish = ""
                    typed.wishChild = ""
                }
                return RewardPage(
                    context, editing: nil, children: try await shop.shop(for: context.actor).children, typed: typed,
                    error: context.translated(error))
            },
            perform: {
                let (input, change) = try await read(request, &typed, context)
                let reward = try await shop.create(input, granting: typed.granted, by: change)
                return try Responses.created(
                    context, location: FamilyPath.reward(reward.id), version: reward.version,
                    json: { ShopRewardJSON(reward) }, seeOther: FamilyPath.shop,
                    toast: ShellToast(context.t("“{name}” is in the shop", ["name": reward.name])))
            })
    }

    @Sendable func edit(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let reward = try await shop.reward(context.id("id", of: ShopReward.self), for: context.actor)
        let children = try await shop.shop(for: context.actor).children
        return try Responses.page(
            context, template: "family-reward",
            RewardPage(context, editing: reward, children: children, typed: RewardFormState(reward), error: nil))
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: ShopReward.self)
        let t = context.t
        var typed = RewardFormState()
        return try await Responses.form(
            context, template: "family-reward",
            page: { error in
                let reward = try await shop.reward(id, for: context.actor)
                var shown = context.translated(error)
                if error.code == .conflict, error.fields.isEmpty, typed.version != reward.version {
                    typed.version = reward.version
                    shown = AppError(
                        .conflict,
                        t(
                            """
                            This was changed elsewhere. You now see the current state with your changes. Save again \
                            to keep them.
                            """
                        ))
                }
                return RewardPage(
                    context, editing: reward, children: try await shop.shop(for: context.actor).children,
                    typed: typed, error: shown)
            },
            perform: {
                let (input, change) = try await read(request, &typed, context)
                let reward = try await shop.update(id, input, by: change)
                return try Responses.changed(
                    context, version: reward.version, json: { ShopRewardJSON(reward) }, seeOther: FamilyPath.shop,
                    toast: ShellToast(t("“{name}” is updated", ["name": reward.name])))
            })
    }

    /// Reads the fields of a reward, and stores its picture.
    private func read(
        _ request: Request, _ typed: inout RewardFormState, _ context: SignedInContext
    ) async throws -> (ShopRewardInput, Change) {
        var fields = try await Fields.read(request, context)
        guard fields.isForm else {
            let input = fields.rewardInput()
            typed.wish = fields.id("wishId", of: Wish.self).value?.description ?? ""
            typed.wishChild = fields.id("wishChildId", of: Person.self).value?.description ?? ""
            try fields.check { try input.check() }
            return (input, try context.change(fields))
        }
        typed = RewardFormState(&fields)
        let upload = fields.file("picture")
        let change = try context.change(fields)
        // Check access before decoding the picture.
        if upload != nil { try await households.createIfMissing(for: context.actor) }
        if let picture = try await fields.store(upload, in: pictures, by: change) {
            typed.picture = picture.description
        }
        let input = typed.input
        try fields.check { try input.check() }
        return (input, change)
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: ShopReward.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let t = context.t
        return try await ParentActionResponder.redirectingErrors(context, to: FamilyPath.shop) {
            let name = try await shop.delete(id, by: context.change(fields))
            return Responses.removed(
                context, seeOther: FamilyPath.shop,
                toast: ShellToast(
                    name.map { t("“{name}” is deleted", ["name": $0]) } ?? t("It is deleted"),
                    undoURL: FamilyPath.reward(id) + "/restoration", undoLabel: t("Undo")))
        }
    }

    @Sendable func restore(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: ShopReward.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let reward = try await shop.restore(id, by: context.change(fields))
        return try Responses.created(
            context, location: FamilyPath.reward(id), version: reward.version, json: { ShopRewardJSON(reward) },
            seeOther: FamilyPath.shop, toast: ShellToast(context.t("“{name}” is back", ["name": reward.name])))
    }
}
