import Accounts
import Kernel
import Notifications
import WebCore

/// The view of the list of notifications.
struct NotificationListPage: Sendable {
    let shell: Shell
    let notices: [NotificationRow]
    let isEmpty: Bool
    let hasUnread: Bool
    /// The time of the newest notification on this page. Reading marks all up to it.
    let until: String
    /// The URL of the next page; `nil` at the end.
    let nextURL: String?
    /// An app's offer above the list; `nil` for none.
    let feedOffer: NotificationFeedOffer?

    init(
        _ context: SignedInContext, _ listing: FeedListing, texts: NotificationTextBuilder,
        offer: NotificationFeedOffer?
    ) {
        feedOffer = offer
        notices = listing.items.map { NotificationRow($0, texts, context) }
        isEmpty = listing.items.isEmpty
        hasUnread = listing.unreadCount > 0 && !listing.items.isEmpty
        until = listing.items.first?.notice.at.rfc3339 ?? ""
        nextURL = listing.next.map { "/notifications?after=\(PercentEncoding.encoded($0))" }
        // The bell is at the top of each app.
        let menu = AppMenu.settings(context)
        let home = ShellBack(url: "/", label: context.t("Home"))
        shell = Shell(
            context, title: context.t("Notifications"), menu: menu, isRefreshable: true,
            back: menu.id == AppMenu.homeID ? home : menu.tabs.first.map { ShellBack(url: $0.url, label: $0.label) },
            action: ShellAction(
                label: context.t("Notification settings"), icon: "settings", url: "/account/notifications")
        )
    }
}

/// One notification in the list.
struct NotificationRow: Sendable {
    let id: String
    let url: String
    let icon: String
    let title: String
    /// The text before a time in it, or the whole text.
    let before: String
    /// The time in the text, for scripts; `nil` for none.
    let time: String?
    /// The time in the text, as displayed.
    let timeText: String
    /// The text after the time.
    let after: String
    /// The time of the notification, for scripts.
    let at: String
    /// The time of the notification, as displayed.
    let atText: String
    let isUnread: Bool
    /// The page that explains why it was sent; `nil` for none.
    let whyURL: String?

    init(_ entry: FeedEntry, _ texts: NotificationTextBuilder, _ context: SignedInContext) {
        let notice = entry.notice
        let text = texts.text(of: notice)
        id = notice.id.description
        url = LocalPath(notice.resource)?.text ?? "/notifications"
        icon = notice.kind.icon
        title = text.title
        let parts = text.parts
        before = parts.before
        after = parts.after ?? ""
        time = parts.after == nil ? nil : text.time?.rfc3339
        timeText = text.time.map { DateText.of($0, context.language) } ?? ""
        at = notice.at.rfc3339
        atText = DateText.of(notice.at, context.language)
        isUnread = entry.readAt == nil
        whyURL = notice.explanation.flatMap { LocalPath($0)?.text }
    }
}

/// The view of the notification preferences.
struct NotificationSettingsPage: Sendable {
    let shell: Shell
    /// The VAPID key with which a browser subscribes.
    let publicKey: String
    let kinds: [NotificationKindRow]
    let hidesDetails: Bool

    init(_ context: SignedInContext, _ settings: NotificationPreferences, apps: Set<AppName>, publicKey: String) {
        let t = context.t
        self.publicKey = publicKey
        kinds = NoticeKind.shown(toChild: context.isChild, apps: apps).map { kind in
            NotificationKindRow(name: kind.rawValue, label: kind.label(t), isOn: !settings.muted.contains(kind))
        }
        hidesDetails = settings.hidesDetails
        shell = Shell(
            context, title: t("Notifications"), menu: .settings(context), tab: "settings",
            back: ShellBack(
                url: context.isChild ? "/notifications" : "/account",
                label: context.isChild ? t("Notifications") : t("Settings", context: "narrow button")),
            action: ShellAction(label: t("Save"), formID: "notification-form", isStrong: true)
        )
    }
}

struct NotificationKindRow: Sendable {
    let name: String
    let label: String
    let isOn: Bool
}

/// The notification resource.
struct NotificationJSON: Encodable {
    let id: ID<Notice>
    let kind: String
    let title: String
    let body: String
    let resource: String
    let at: Instant
    @Nullable var readAt: Instant?

    init(_ entry: FeedEntry, _ texts: NotificationTextBuilder) {
        let text = texts.text(of: entry.notice)
        id = entry.notice.id
        kind = entry.notice.kind.rawValue
        title = text.title
        body = text.plainBody
        resource = entry.notice.resource
        at = entry.notice.at
        readAt = entry.readAt
    }
}

/// The number of unread notifications.
struct UnreadJSON: Encodable {
    let unread: Int
}

/// The notification preferences in the API.
struct NotificationSettingsJSON: Encodable {
    /// The kinds that send a push message.
    let kinds: [String]
    let hidesDetails: Bool
    /// Whether the device of this session receives push messages.
    let subscribed: Bool
    /// The server's key for `PushManager.subscribe`.
    let publicKey: String
}
