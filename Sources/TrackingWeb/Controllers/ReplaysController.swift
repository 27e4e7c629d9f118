import Accounts
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/items/{id}/replay`: what would have come last month with other settings of the item.
struct ReplaysController: Sendable {
    let replays: ReplayService
    let itemDetails: ItemDetailsService

    func addRoutes(to items: RouterGroup<SignedInContext>) {
        items.post("{id}/replay", use: create)
    }

    /// Shows the form again with what would have come. Stores nothing.
    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        var typed: ItemFormState?
        func page(_ replay: Replay?, _ error: AppError?) async throws -> EditItemPage {
            let (overview, isPictureShared) = try await itemDetails.itemWithPictureUse(
                id, for: context.actor, requires: .own)
            let part = replay.map {
                ReplayPart($0, itemName: overview.item.name, t: context.t, formatter: context.formatter(context.t))
            }
            return EditItemPage(
                context, overview, isPictureShared: isPictureShared, typed: typed ?? ItemFormState(overview.item),
                error: error, replay: part, t: context.t)
        }
        return try await Responses.form(
            context, template: "tracking-item-edit", page: { error in try await page(nil, error) },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = ItemFormState(fields)
                let hours = fields.integer("settings.silentHours").value.map { Int($0) }
                let metres = fields.integer("settings.alertMetres").value.map { Int($0) }
                try fields.check()
                let replay = try await replays.replay(
                    silentHours: hours, alertMetres: metres, of: id, for: context.actor)
                if context.face == .json { return try Responses.json(context, ReplayJSON(replay)) }
                return try Responses.page(context, template: "tracking-item-edit", await page(replay, nil))
            })
    }
}
