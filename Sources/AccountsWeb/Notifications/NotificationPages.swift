package import Accounts
import HTTPTypes
import Hummingbird
import Kernel
package import Notifications
package import WebCore

/// The list of notifications and the notification preferences.
package struct NotificationPages: WebModule {
    let notifications: NotificationService
    let accounts: AccountService
    let feedOffer: (any FeedOfferSource)?

    /// Creates the module. Its templates are in ``AccountsPages``.
    /// - Parameter feedOffer: the source of the offer above the list of notifications.
    package init(
        notifications: NotificationService, accounts: AccountService, feedOffer: (any FeedOfferSource)? = nil
    ) {
        self.notifications = notifications
        self.accounts = accounts
        self.feedOffer = feedOffer
    }

    /// The module has no templates of its own.
    package var embedded: EmbeddedFiles { EmbeddedFiles(plain: [:]) }

    /// Translates the error messages of notifications.
    package func translation(of message: String, to language: Language) -> String? {
        guard language == .german else { return nil }
        return NotificationMessage(rawValue: message)?.german
    }

    /// Adds all routes of this module. Children have all of them too: each person sees their own notifications.
    package func addRoutes(to routes: Routes) {
        routes.everyone.group("notifications")
            .get(use: showFeed)
            .get("bell", use: showBell)
            .put("reading", use: markRead)
            .put("subscription", use: subscribe)
            .delete("subscription", use: unsubscribe)
            .post("test", use: sendTest)
        routes.everyone.group("account")
            .get("notifications", use: showSettings)
            .patch("notifications", use: changeSettings)
    }

    // MARK: The list

    @Sendable private func showFeed(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await context.translating {
            let paging = try context.paging()
            let (items, next) = try await notifications.feed(
                of: context.actor, after: paging.after, limit: paging.limit
            )
            let words = NotificationTextBuilder(language: context.language.rawValue)
            let unread = context.face == .json ? 0 : try await notifications.unreadCount(of: context.actor)
            let offer = context.face == .json ? nil : try await feedOffer?.offer(context)
            return try Responses.of(
                context, template: "notifications-feed", fragment: "notifications-list",
                page: {
                    NotificationListPage(
                        context, items: items, words: words, next: next, hasUnread: unread > 0, offer: offer)
                },
                json: { ListJSON(items: items.map { NotificationJSON($0, words) }, next: next) }
            )
        }
    }

    @Sendable private func showBell(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let unread = try await notifications.unreadCount(of: context.actor)
        let bell = ShellBell(assets: context.assets, language: context.language, unread: unread)
        return try Responses.of(
            context, template: "shell-bell", page: { bell }, json: { UnreadJSON(unread: unread) }
        )
    }

    @Sendable private func markRead(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let id = fields.id("id", of: Notice.self)
        let until = fields.instant("until")
        try fields.check()
        try await notifications.markRead(id.value, until: until.value, by: context.actor)
        return Responses.removed(context, seeOther: "/notifications")
    }

    // MARK: This device

    @Sendable private func subscribe(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let description = PushDescription(
            endpoint: fields.string("endpoint").value, publicKey: fields.string("keys.p256dh").value,
            secret: fields.string("keys.auth").value
        )
        return try await context.translating {
            try fields.check()
            try await notifications.subscribe(description, language: context.language.rawValue, by: context.actor)
            return Responses.noContent(context)
        }
    }

    @Sendable private func unsubscribe(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await notifications.unsubscribe(by: context.actor)
        return Responses.removed(context, seeOther: "/account/notifications")
    }

    @Sendable private func sendTest(_ request: Request, _ context: SignedInContext) async throws -> Response {
        _ = try await Fields.read(request, context, emptyAllowed: true)
        return try await context.translating {
            try await notifications.sendTest(by: context.actor)
            let toast = ShellToast(NotificationStrings.of(context.language).testSent)
            return Responses.removed(context, seeOther: "/account/notifications", toast: toast)
        }
    }

    // MARK: Settings

    @Sendable private func showSettings(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (settings, isOnHere) = try await notifications.settings(of: context.actor)
        let apps = context.face == .json ? [] : try await accounts.usedApps(of: context.actor)
        return try Responses.of(
            context, template: "notifications-settings",
            page: { NotificationSettingsPage(context, settings, apps: apps, publicKey: notifications.publicKey) },
            json: { json(settings, isOnHere: isOnHere, isChild: context.isChild) }
        )
    }

    @Sendable private func changeSettings(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let hides = fields.boolean("hidesDetails")
        let kinds = fields.strings("kinds")
        // A form sends nothing for a switch that is off.
        let hidesDetails = fields.isForm ? hides.value ?? false : hides.value
        let names = fields.isForm ? kinds.value ?? [] : kinds.value
        let offered = NoticeKind.offered(toChild: context.isChild)
        let accepted = NoticeKind.accepted(fromChild: context.isChild)
        // A form changes only the kinds that it shows. JSON contains all of them.
        let named = fields.isForm ? fields.strings("shown").value?.compactMap(NoticeKind.init(rawValue:)) : nil
        let shown = Set(fields.isForm ? named ?? NoticeKind.shownByOldForms : offered)
        let wanted = names.map { names in
            names.compactMap { name -> NoticeKind? in
                let kind = NoticeKind(rawValue: name)
                guard let kind, accepted.contains(kind) else {
                    fields.note("kinds", NotificationStrings.unknownKind(context.language))
                    return nil
                }
                return kind
            }
        }
        try fields.check()
        let settings = try await notifications.changeSettings(by: context.change(fields)) { settings in
            if let hidesDetails { settings.hidesDetails = hidesDetails }
            if let wanted {
                settings.muted = settings.muted.subtracting(shown).subtracting(wanted).union(shown.subtracting(wanted))
            }
        }
        let isOnHere = try await notifications.settings(of: context.actor).isOnHere
        return try Responses.changed(
            context, version: nil, json: { json(settings, isOnHere: isOnHere, isChild: context.isChild) },
            seeOther: "/account/notifications", toast: ShellToast(NotificationStrings.of(context.language).saved)
        )
    }

    private func json(_ settings: NotificationPreferences, isOnHere: Bool, isChild: Bool) -> NotificationSettingsJSON {
        NotificationSettingsJSON(
            kinds: NoticeKind.offered(toChild: isChild).filter { !settings.muted.contains($0) }.map(\.rawValue),
            hidesDetails: settings.hidesDetails, subscribed: isOnHere, publicKey: notifications.publicKey
        )
    }
}

extension NotificationStrings {
    static func unknownKind(_ language: Language) -> String {
        switch language {
        case .english: "There are no such notifications."
        case .german: "Solche Mitteilungen gibt es nicht."
        }
    }
}

extension NoticeKind {
    /// The kinds of a form that doesn't name those that it shows: an open page of the previous version.
    static let shownByOldForms: [NoticeKind] = [
        .itemTooFar, .packageAccepted, .packagePickedUp, .packageDelivered, .packageDeadlineNear, .choreAssigned,
        .levelReached,
    ]

    /// The kinds that only a child receives.
    private static let forChildren: [NoticeKind] = [.choreAssigned, .choreDeclined, .pointsUndone, .contractAdded]

    /// The kinds that a person of the role can receive, for the settings.
    static func offered(toChild isChild: Bool) -> [NoticeKind] {
        isChild ? forChildren + [.levelReached] : allCases.filter { $0 != .test && !forChildren.contains($0) }
    }

    /// The kinds that a change of the settings may name. Open pages of the previous version offered parents a child's
    /// kind.
    static func accepted(fromChild isChild: Bool) -> [NoticeKind] {
        offered(toChild: isChild) + (isChild ? [] : forChildren)
    }

    /// The app whose events the kind reports; `nil` for kinds of no app.
    var app: AppName? {
        switch self {
        case .itemTooFar, .switchNotConfirmed, .historyFull: .tracking
        case .packageAccepted, .packagePickedUp, .packageDelivered, .packageDeadlineNear, .packageCancelled,
            .packageCancellationRequested, .packageDeliveryReported, .packageDisputed, .packageDecided, .packageLapsed,
            .packageNotFunded:
            .carrepsa
        case .choreAssigned, .levelReached, .choreRequested, .choreDeclined, .pointsUndone, .contractAdded,
            .parentJoined, .parentLeft, .parentRemoval, .signInCodeMade, .childSignedIn, .childDeletion:
            .family
        case .test: nil
        }
    }

    /// The kinds for the settings page of a person who uses these apps; a person who uses none yet sees all of them.
    static func shown(toChild isChild: Bool, apps: Set<AppName>) -> [NoticeKind] {
        let offered = offered(toChild: isChild)
        return isChild || apps.isEmpty ? offered : offered.filter { kind in kind.app.map(apps.contains) ?? true }
    }

    /// The name of the icon in the sprite.
    var icon: String {
        switch self {
        case .itemTooFar: "map-pin-off"
        case .switchNotConfirmed: "power"
        case .historyFull: "triangle-alert"
        case .packageAccepted, .packagePickedUp, .packageDelivered: "package"
        case .packageDeadlineNear, .packageLapsed: "clock"
        case .packageCancelled, .packageDecided: "package"
        case .packageDeliveryReported: "circle-check"
        case .packageCancellationRequested, .packageNotFunded: "circle-alert"
        case .packageDisputed: "triangle-alert"
        case .choreAssigned: "star"
        case .levelReached, .contractAdded: "trophy"
        case .choreRequested: "bell"
        case .choreDeclined: "circle-x"
        case .pointsUndone: "undo-2"
        case .parentJoined: "users"
        case .parentLeft: "log-out"
        case .parentRemoval: "triangle-alert"
        case .signInCodeMade: "qr-code"
        case .childSignedIn: "smartphone"
        case .childDeletion: "trash-2"
        case .test: "bell"
        }
    }
}
