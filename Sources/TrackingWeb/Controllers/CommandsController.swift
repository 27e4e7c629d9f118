import Accounts
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/items/{id}/commands`: commands to the item's tracker.
struct CommandsController: Sendable {
    let commands: CommandService
    let items: ItemService
    let details: ItemDetailsResponder

    func addRoutes(to items: RouterGroup<SignedInContext>) {
        items.get("{id}/commands", use: index)
        items.post("{id}/commands", use: create)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        let paging = try context.paging()
        guard context.face == .json else { return Responses.seeOther(context, to: TrackingPath.item(id)) }
        let page = try await commands.list(of: id, for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.json(context, ListJSON(items: page.items.map(CommandJSON.init), next: page.next))
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        var fields = try await Fields.read(request, context)
        // *Undo* in a toast names the command in its URL.
        let undone = context.query("undo").flatMap(OwnerCommand.init(rawValue:))
        let kind = undone ?? fields.requireChoice("kind", of: OwnerCommand.self)
        let view = CommandView(rawValue: fields.typed("view")) ?? (undone == nil ? .details : .card)
        try fields.check()
        guard let kind else { throw AppError.notFound }
        do {
            let command = try await commands.create(id, kind: kind.kind, by: context.change(fields))
            if context.face == .json {
                return try Responses.accepted(
                    context, version: command.version, json: { CommandJSON(command) }, seeOther: TrackingPath.items
                )
            }
            return try await afterCommand(id, from: view, problem: nil, asked: kind, context)
        } catch let error as AppError where error.code == .conflict && context.face != .json {
            let problem = error.translated(to: context.language).message
            return try await afterCommand(id, from: view, problem: problem, asked: nil, context)
        }
    }

    /// Returns the page on which the command was given, with the new state and a message.
    private func afterCommand(
        _ id: ID<Item>, from view: CommandView, problem: String?, asked: OwnerCommand?, _ context: SignedInContext
    ) async throws -> Response {
        let t = context.t
        func toast(for item: Item) -> ShellToast? {
            asked?.toast(for: item, t) ?? problem.map { ShellToast($0, isProblem: true) }
        }
        if context.face == .fragment, view == .details {
            let shown = try await details.read(id, context)
            return try details.page(shown, context).with(toast(for: shown.overview.item))
        }
        let overview = try await items.item(id, for: context.actor)
        guard context.face == .fragment else {
            return Responses.seeOther(context, to: view.path(of: id), toast: toast(for: overview.item))
        }
        guard view == .card else {
            return try Responses.page(context, template: "tracking-tracker", TrackerPage(overview, context))
                .with(toast(for: overview.item))
        }
        let card = ItemCard(overview, key: context.newIdempotencyKey(), t: t, formatter: context.formatter(t))
        return try Responses.page(
            context, template: "tracking-item-card-fragment", fragment: "tracking-item-card-fragment",
            ItemCardFragment(card: card)
        ).with(toast(for: overview.item))
    }
}

extension Response {
    /// Returns the response with a toast; `nil` for none.
    fileprivate func with(_ toast: ShellToast?) -> Response {
        guard let toast else { return self }
        var response = self
        response.toast(toast)
        return response
    }
}
