import Accounts
import HTTPTypes
import Hummingbird
import Kernel
import Tracking
import WebCore

extension TrackingPages {
    // MARK: This phone

    @Sendable func reportPosition(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let latitude = fields.requireDouble("latitude", in: -90...90)
        let longitude = fields.requireDouble("longitude", in: -180...180)
        let accuracy = fields.double("accuracy")
        let at = fields.instant("at")
        try fields.check()
        guard let latitude, let longitude else { throw AppError.notFound }
        let position = PhonePosition(
            latitude: latitude, longitude: longitude, accuracyMetres: accuracy.value, at: at.value
        )
        try await service.reportPosition(position, by: context.change(fields))
        return Responses.noContent(context)
    }

    // MARK: Sources

    @Sendable func listSources(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let page = try await service.sources(for: context.actor, after: paging.after, limit: paging.limit)
        if context.face == .json {
            let site = context.site
            return try Responses.json(
                context, ListJSON(items: page.items.map { SourceJSON($0, site: site) }, next: page.next)
            )
        }
        let t = context.words
        let isAnyATracker = page.items.contains { $0.itemID != nil }
        let items = isAnyATracker ? try await allItems(context) : []
        let names = Dictionary(items.map { ($0.item.id, $0.item.name) }) { first, _ in first }
        return try Responses.page(
            context, template: "tracking-source-list", fragment: "tracking-source-rows",
            SourceListPage(
                context, sources: page.items, next: page.next, names: names, t: t, formatter: context.formatter(t)
            )
        )
    }

    /// Returns all items of the account, at most ``Limits/itemsPerAccount``.
    private func allItems(_ context: SignedInContext) async throws -> [ItemOverview] {
        var items: [ItemOverview] = []
        var after: String?
        repeat {
            let page = try await service.items(for: context.actor, after: after, limit: Limits.pageSizeMaximum)
            items += page.items
            after = page.next
        } while after != nil && items.count < Limits.itemsPerAccount
        return items
    }

    @Sendable func newSource(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed = SourceFormState()
        typed.itemID = context.query("item") ?? ""
        return try Responses.page(
            context, template: "tracking-source-new",
            NewSourcePage(
                context, items: await allItems(context), typed: typed, error: nil, t: context.words
            )
        )
    }

    @Sendable func addSource(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed = SourceFormState()
        return try await Responses.form(
            context, template: "tracking-source-new",
            page: { error in
                NewSourcePage(
                    context, items: try await allItems(context), typed: typed, error: error, t: context.words
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
                let answer = try await service.addSource(input, by: context.change(fields))
                return try setUp(answer, status: .created, context)
            }
        )
    }

    /// Returns the only response that contains a source's secrets. A repeated request from a browser shows the source's
    /// page instead, which can create new secrets.
    private func setUp(
        _ answer: SecretsResult, status: HTTPResponse.Status, _ context: SignedInContext
    ) throws -> Response {
        if case .shownBefore(let source) = answer, context.face != .json {
            return Responses.seeOther(
                context, to: TrackingPath.source(source.id), toast: ShellToast(context.words.sources.shownBefore)
            )
        }
        let new = try answer.get()
        guard context.face == .json else {
            return try Responses.page(
                context, template: "tracking-source-set-up", status: status,
                SourceSetUpPage(context, new, t: context.words, formatter: context.formatter(context.words))
            )
        }
        var response = try Responses.json(
            context, NewSourceJSON(new, site: context.site), status: status, version: new.source.version
        )
        if status == .created { response.headers[.location] = TrackingPath.source(new.source.id) }
        return response
    }

    @Sendable func showSource(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let source = try await service.source(context.id("id", of: Source.self), for: context.actor)
        if context.face == .json {
            return try Responses.json(context, SourceJSON(source, site: context.site), version: source.version)
        }
        if context.face == .fragment, let since = context.query("since").flatMap({ Int64($0) }) {
            return try arrival(of: source, since: Instant(millisecondsSince1970: since), context)
        }
        var itemName: String?
        if let item = source.itemID { itemName = try await service.item(item, for: context.actor).item.name }
        let t = context.words
        return try Responses.page(
            context, template: "tracking-source", fragment: "tracking-source-status",
            SourcePage(context, source, itemName: itemName, t: t, formatter: context.formatter(t))
        )
    }

    /// Returns the part of the set-up page that shows whether the app has reported.
    private func arrival(of source: Source, since: Instant, _ context: SignedInContext) throws -> Response {
        let t = context.words
        let part = SourceReportStatus(
            source, since: since, assets: context.assets, t: t, formatter: context.formatter(t))
        return try Responses.page(
            context, template: "tracking-source-arrival", fragment: "tracking-source-arrival",
            SourceReportStatusFragment(arrival: part)
        )
    }

    @Sendable func renewSecret(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Source.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let answer = try await service.renewSecret(
            of: id, ifVersion: context.ifMatch(), by: context.change(fields)
        )
        return try setUp(answer, status: .ok, context)
    }

    @Sendable func deleteSource(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Source.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await service.deleteSource(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: TrackingPath.sources, toast: ShellToast(context.words.sources.removed)
        )
    }

    // MARK: Quarantine

    @Sendable func quarantine(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let page = try await service.quarantine(for: context.actor, after: paging.after, limit: paging.limit)
        if context.face == .json {
            return try Responses.json(
                context, ListJSON(items: page.items.map(QuarantineJSON.init), next: page.next)
            )
        }
        let t = context.words
        let names = page.items.isEmpty ? [:] : try await deviceNames(context, t)
        return try Responses.page(
            context, template: "tracking-quarantine",
            QuarantinePage(
                context, entries: page.items, next: page.next, names: names, t: t, formatter: context.formatter(t)
            )
        )
    }

    /// Returns the display names of devices: the item of a tracker, or the app.
    private func deviceNames(_ context: SignedInContext, _ t: TrackingStrings) async throws -> [String: String] {
        var names: [String: String] = [:]
        let sources = try await service.sources(for: context.actor, after: nil, limit: Limits.sourcesPerAccount)
        for source in sources.items { names[source.id.description] = source.kind.title(t) }
        for overview in try await allItems(context) {
            if let tracker = overview.tracker { names[tracker.id] = overview.item.name }
        }
        return names
    }
}

extension SourceFormState {
    init(_ fields: Fields) {
        self.init(
            kind: fields.typed("kind"), itemID: fields.typed("itemId"), speedUnit: fields.typed("speedUnit")
        )
    }
}
