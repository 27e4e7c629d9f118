import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/live-links`: the links with which a person shares a position.
struct LiveLinksController: Sendable {
    let liveLinks: LiveLinkService
    let items: ItemService

    func addRoutes(to tracking: RouterGroup<SignedInContext>) {
        let links = tracking.group("live-links")
        links.get(use: index)
        links.post(use: create)
        links.get("new", use: new)
        links.get("{id}", use: show)
        links.delete("{id}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let page = try await liveLinks.list(for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.of(
            context, template: "tracking-live-links", fragment: "tracking-live-link-rows",
            page: { LiveLinkListPage(context, page, t: context.t) },
            json: { ListJSON(items: page.items.map { LiveLinkJSON($0, url: nil) }, next: page.next) }
        )
    }

    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let item = context.query("item").flatMap { ID<Item>($0) }
        return try await page(LiveLinkFormState(item: item?.description ?? ""), error: nil, context)
    }

    private func page(
        _ typed: LiveLinkFormState, error: AppError?, _ context: SignedInContext
    ) async throws -> Response {
        try Responses.page(
            context, template: "tracking-live-link-new", try await form(typed, error: error, context))
    }

    private func form(
        _ typed: LiveLinkFormState, error: AppError?, _ context: SignedInContext
    ) async throws -> NewLiveLinkPage {
        let item: Item? =
            if let id = ID<Item>(typed.itemID) { try await items.item(id, for: context.actor).item } else { nil }
        return NewLiveLinkPage(context, item: item, typed: typed, error: error, t: context.t)
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed = LiveLinkFormState(item: "")
        return try await Responses.form(
            context, template: "tracking-live-link-new",
            page: { error in try await form(typed, error: error, context) },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = LiveLinkFormState(fields)
                let item = fields.id("itemId", of: Item.self).value
                let duration = fields.requireChoice("duration", of: LiveLinkDuration.self)
                let showsName = fields.boolean("showsName").value ?? false
                try fields.check()
                guard let duration else { throw AppError.notFound }
                let input = LiveLinkInput(item: item, duration: duration, showsName: showsName)
                let (entry, secret) = try await liveLinks.create(input, by: context.change(fields))
                let url = TrackingPath.liveLink(entry.link.id)
                return try Responses.created(
                    context, location: url, version: entry.link.version,
                    json: { LiveLinkJSON(entry, url: context.site.url + TrackingPath.live(secret)) }, seeOther: url
                )
            }
        )
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (entry, secret) = try await liveLinks.link(
            context.id("id", of: LiveLink.self), for: context.actor)
        let url = context.site.url + TrackingPath.live(secret)
        return try Responses.of(
            context, template: "tracking-live-link", fragment: "tracking-live-link-status",
            page: { LiveLinkPage(context, entry, url: url, t: context.t) }, json: { LiveLinkJSON(entry, url: url) }
        )
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: LiveLink.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await liveLinks.revoke(id, by: context.change(fields))
        return Responses.removed(
            context,
            seeOther: context.query("item").flatMap { ID<Item>($0) }.map(TrackingPath.item) ?? TrackingPath.liveLinks,
            toast: ShellToast(context.t("Link revoked")))
    }
}
