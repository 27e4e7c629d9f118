import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/sources`: position sources, and the pages that set up their apps.
struct SourcesController: Sendable {
    let sources: SourceService
    let items: ItemService

    func addRoutes(to sources: RouterGroup<SignedInContext>) {
        sources.get(use: index)
        sources.post(use: create)
        sources.get("new", use: new)
        sources.get("{id}", use: show)
        sources.put("{id}/secret", use: updateSecret)
        sources.delete("{id}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        if context.face == .json {
            let page = try await sources.list(for: context.actor, after: paging.after, limit: paging.limit)
            let site = context.site
            return try Responses.json(
                context, ListJSON(items: page.items.map { SourceJSON($0, site: site) }, next: page.next)
            )
        }
        let t = context.t
        let (page, names) = try await sources.listWithItemNames(
            for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.page(
            context, template: "tracking-source-list", fragment: "tracking-source-rows",
            SourceListPage(
                context, sources: page.items, next: page.next, names: names, t: t, formatter: context.formatter(t)
            )
        )
    }

    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed = SourceFormState()
        typed.itemID = context.query("item") ?? ""
        return try Responses.page(
            context, template: "tracking-source-new",
            NewSourcePage(
                context, items: await items.owned(by: context.actor), typed: typed, error: nil, t: context.t
            )
        )
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed = SourceFormState()
        return try await Responses.form(
            context, template: "tracking-source-new",
            page: { error in
                NewSourcePage(
                    context, items: try await items.owned(by: context.actor), typed: typed, error: error,
                    t: context.t
                )
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = SourceFormState(fields)
                let kind = fields.requireChoice("kind", of: SourceKind.self)
                let item = fields.id("itemId", of: Item.self)
                let unit = fields.choice("speedUnit", of: SpeedUnit.self)
                try fields.check()
                guard let kind else { throw AppError.notFound }
                let input = SourceInput(
                    kind: kind, itemID: item.value, speedUnit: kind == .osmand ? unit.value : nil
                )
                let result = try await sources.create(input, by: context.change(fields))
                return try setUp(result, status: .created, context)
            }
        )
    }

    /// Returns the only response that contains a source's secrets. A repeated request from a browser shows the source's
    /// page instead, which can create new secrets.
    private func setUp(
        _ result: SecretsResult, status: HTTPResponse.Status, _ context: SignedInContext
    ) throws -> Response {
        if case .shownBefore(let source) = result, context.face != .json {
            return Responses.seeOther(
                context, to: TrackingPath.source(source.id),
                toast: ShellToast(context.t("The secrets were already shown. If you don’t have them, create new ones."))
            )
        }
        let new = try result.get()
        guard context.face == .json else {
            return try Responses.page(
                context, template: "tracking-source-set-up", status: status,
                SourceSetUpPage(context, new, t: context.t, formatter: context.formatter(context.t))
            )
        }
        var response = try Responses.json(
            context, NewSourceJSON(new, site: context.site), status: status, version: new.source.version
        )
        if status == .created { response.headers[.location] = TrackingPath.source(new.source.id) }
        return response
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Source.self)
        let (source, itemName) = try await sources.sourceWithItemName(id, for: context.actor)
        if context.face == .json {
            return try Responses.json(context, SourceJSON(source, site: context.site), version: source.version)
        }
        if context.face == .fragment, let since = context.query("since").flatMap({ Int64($0) }) {
            return try arrival(of: source, since: Instant(millisecondsSince1970: since), context)
        }
        let t = context.t
        return try Responses.page(
            context, template: "tracking-source", fragment: "tracking-source-status",
            SourcePage(context, source, itemName: itemName, t: t, formatter: context.formatter(t))
        )
    }

    /// Returns the part of the set-up page that shows whether the app has reported.
    private func arrival(of source: Source, since: Instant, _ context: SignedInContext) throws -> Response {
        let t = context.t
        let part = SourceReportStatus(source, since: since, t: t, formatter: context.formatter(t))
        return try Responses.page(
            context, template: "tracking-source-arrival", fragment: "tracking-source-arrival",
            SourceReportStatusFragment(arrival: part)
        )
    }

    @Sendable func updateSecret(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Source.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let result = try await sources.renewSecret(
            of: id, ifVersion: context.ifMatch(), by: context.change(fields)
        )
        return try setUp(result, status: .ok, context)
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Source.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await sources.delete(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: TrackingPath.sources, toast: ShellToast(context.t("Disconnected"))
        )
    }
}

extension SourceFormState {
    init(_ fields: Fields) {
        self.init(
            kind: fields.typed("kind"), itemID: fields.typed("itemId"), speedUnit: fields.typed("speedUnit")
        )
    }
}
