import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/items/{id}/fixes`: the history of an item, as pages and files.
struct FixesController: Sendable {
    let histories: HistoryService

    func addRoutes(to items: RouterGroup<SignedInContext>) {
        items.get("{id}/fixes", use: index)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        if let name = context.query("format") { return try await export(id, format: name, context) }
        let paging = try context.paging()
        if context.face == .json {
            let page = try await histories.list(of: id, for: context.actor, after: paging.after, limit: paging.limit)
            return try Responses.json(context, ListJSON(items: page.items.map(FixJSON.init), next: page.next))
        }
        let (item, page, names) = try await histories.itemWithFixes(
            id, for: context.actor, after: paging.after, limit: paging.limit)
        let t = context.t
        return try Responses.page(
            context, template: "tracking-history", fragment: "tracking-history-rows",
            HistoryPage(
                context, item, fixes: page.items, names: names, next: page.next, t: t, formatter: context.formatter(t)
            )
        )
    }

    private func export(_ id: ID<Item>, format name: String, _ context: SignedInContext) async throws -> Response {
        guard let format = ExportFormat(rawValue: name) else {
            let choices = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw AppError.invalid("format", context.t("Choose one of {formats}.", ["formats": choices]))
        }
        let history = try await histories.export(id, format: format, for: context.actor)
        return Responses.stream(context, mediaType: format.mediaType, filename: history.fileName, chunks: history)
    }
}
