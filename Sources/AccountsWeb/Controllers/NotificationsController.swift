import Accounts
import Hummingbird
import Kernel
import Notifications
import WebCore

/// `/notifications`: the list of notifications, and the bell.
struct NotificationsController: Sendable {
    let notifications: NotificationService
    let feedOffer: (any FeedOfferSource)?

    func addRoutes(to feed: RouterGroup<SignedInContext>) {
        feed
            .get(use: index)
            .get("bell", use: showBell)
            .put("reading", use: markRead)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await context.translating {
            let paging = try context.paging()
            let (items, next) = try await notifications.feed(
                of: context.actor, after: paging.after, limit: paging.limit
            )
            let texts = NotificationTextBuilder(context.t)
            let unread = context.face == .json ? 0 : try await notifications.unreadCount(of: context.actor)
            let offer = context.face == .json ? nil : try await feedOffer?.offer(context)
            return try Responses.of(
                context, template: "notifications-feed", fragment: "notifications-list",
                page: {
                    NotificationListPage(
                        context, items: items, texts: texts, next: next, hasUnread: unread > 0, offer: offer)
                },
                json: { ListJSON(items: items.map { NotificationJSON($0, texts) }, next: next) }
            )
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
