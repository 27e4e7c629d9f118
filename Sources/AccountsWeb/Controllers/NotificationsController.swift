import Accounts
import Hummingbird
import Kernel
import Notifications
import WebCore

/// `/notifications`: the list of notifications, and the bell.
struct NotificationsController: Sendable {
    let notifications: NotificationService
    let feedOffer: (any FeedOfferSource)?

    func addRoutes(to routes: RouteGroup<SignedInContext>) {
        routes.serving(.scope(.accountRead))
            .get("notifications", use: index)
            .get("notifications/bell", use: showBell)
        routes.put("notifications/reading", use: markRead)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await context.translating {
            let paging = try context.paging()
            let actor = context.actor
            let texts = NotificationTextBuilder(context.t)
            guard context.face != .json else {
                let (items, next) = try await notifications.feed(of: actor, after: paging.after, limit: paging.limit)
                return try Responses.json(
                    context, ListJSON(items: items.map { NotificationJSON($0, texts) }, next: next))
            }
            let listing = try await notifications.listing(of: actor, after: paging.after, limit: paging.limit) {
                [feedOffer] tx in try feedOffer?.hasOffer(for: actor, in: tx) ?? false
            }
            return try Responses.page(
                context, template: "notifications-feed", fragment: "notifications-list",
                NotificationListPage(
                    context, listing, texts: texts, offer: listing.hasOffer ? feedOffer?.offer(context.t) : nil))
        }
    }

    @Sendable func showBell(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let unread = try await notifications.unreadCount(of: context.actor)
        let bell = ShellBell(context.t, unread: unread)
        return try Responses.of(
            context, template: "shell-bell", page: { bell }, json: { UnreadJSON(unread: unread) }
        )
    }

    @Sendable func markRead(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let id = fields.id("id", of: Notice.self)
        let until = fields.instant("until")
        try fields.check()
        try await notifications.markRead(id.value, until: until.value, by: context.actor)
        return Responses.removed(context, seeOther: "/notifications")
    }
}
