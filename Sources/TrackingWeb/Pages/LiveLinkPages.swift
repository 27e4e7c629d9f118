import Accounts
import Kernel
import Tracking
import WebCore

/// The page with a person's live links.
struct LiveLinkListPage: Sendable {
    let shell: Shell
    let rows: [LiveLinkRow]
    let isEmpty: Bool
    let addURL: String
    let moreURL: String?

    init(_ context: SignedInContext, _ page: ListPage<LiveLinkEntry>, t: Translator) {
        let formatter = context.formatter(t)
        shell = Shell(
            context, title: t("Live links"), menu: .openedFrom(context), tab: "settings", isRefreshable: true,
            back: ShellBack(url: TrackingPath.settings, label: t("Settings")),
            action: ShellAction(label: t("Share my position"), icon: "plus", url: TrackingPath.newLiveLink)
        )
        rows = page.items.map { LiveLinkRow($0, t: t, formatter: formatter) }
        isEmpty = page.items.isEmpty
        addURL = TrackingPath.newLiveLink
        moreURL = page.next.map { TrackingPath.liveLinks + "?after=" + PercentEncoding.encoded($0) }
    }
}

/// One live link of the list.
struct LiveLinkRow: Sendable {
    let linkURL: String
    let linkName: String
    /// What became of the link, or the number of pages that have it open.
    let linkState: String
    /// The time until which the link is open; `nil` for one that has ended.
    let untilMoment: FormattedTime?

    init(_ entry: LiveLinkEntry, t: Translator, formatter: TrackingFormatter) {
        linkURL = TrackingPath.liveLink(entry.link.id)
        linkName = entry.itemName ?? t("My position")
        linkState = entry.stateText(t)
        untilMoment = entry.state == .open ? FormattedTime(entry.link.expiresAt, formatter.times) : nil
    }
}

extension LiveLinkEntry {
    /// Returns the state in words.
    func stateText(_ t: Translator) -> String {
        switch state {
        case .open: t("{n} person has it open", plural: "{n} people have it open", count: viewerCount)
        case .expired: t("Expired")
        case .revoked: t("Revoked")
        case .met: t("Ended: you met")
        }
    }
}

/// An open live link on the page of its item.
struct OpenLiveLinkRow: Sendable {
    let linkTitle: String
    let linkUntil: FormattedTime
    /// The page of an own link; `nil` for the link of another person.
    let ownLinkURL: String?
    /// Where the owner of the item ends another person's link; `nil` for others.
    let endAction: String?

    init(
        _ entry: ItemLiveLink, for reader: PersonID, isOwner: Bool, t: Translator, formatter: TrackingFormatter
    ) {
        let isOwn = entry.link.owner == reader
        let url = TrackingPath.liveLink(entry.link.id)
        let item = entry.link.item.map { "&item=\($0)" } ?? ""
        linkTitle =
            isOwn ? t("Your live link is open") : t("{name}’s live link is open", ["name": entry.ownerName])
        linkUntil = FormattedTime(entry.link.expiresAt, formatter.times)
        ownLinkURL = isOwn ? url : nil
        endAction = isOwner && !isOwn ? url + "?_method=delete" + item : nil
    }
}

/// The page that creates a live link.
struct NewLiveLinkPage: Sendable {
    struct Choice: Sendable {
        let value: String
        let choiceLabel: String
        let choiceNote: String?
        let isChosen: Bool
    }

    let shell: Shell
    let formAction: String
    let itemID: String
    let leadText: String
    let durations: [Choice]
    let durationMessage: String
    let isNameShown: Bool
    let formError: String?

    init(_ context: SignedInContext, item: Item?, typed: LiveLinkFormState, error: AppError?, t: Translator) {
        shell = Shell(
            context, title: t("Share live"), menu: .openedFrom(context), isLargeTitle: false, isNarrow: true,
            hasTabs: false,
            back: ShellBack(
                url: item.map { TrackingPath.item($0.id) } ?? TrackingPath.liveLinks, label: t("Cancel"), isCancel: true
            ),
            action: ShellAction(label: t("Create", context: "live link"), formID: "link-form", isStrong: true)
        )
        formAction = TrackingPath.liveLinks
        itemID = item?.id.description ?? ""
        leadText =
            item.map { t("Everyone with the link sees where {name} is, without an account.", ["name": $0.name]) }
            ?? t("Everyone with the link sees where you are, without an account.")
        durations = LiveLinkDuration.allCases.map { duration in
            Choice(
                value: duration.rawValue, choiceLabel: duration.label(t),
                choiceNote: duration == .untilMet
                    ? t(
                        "Ends when the recipient is near and allows a position, and after {n} day",
                        plural: "Ends when the recipient is near and allows a position, and after {n} days",
                        count: Int(LiveLinkDuration.untilMet.seconds / (24 * 60 * 60)))
                    : nil,
                isChosen: duration.rawValue == typed.duration)
        }
        isNameShown = typed.showsName
        let shown = error?.translated(to: context.language)
        durationMessage = shown?.fields["duration"] ?? ""
        formError = shown.flatMap { $0.fields["duration"] == nil ? $0.message : nil }
    }
}

extension LiveLinkDuration {
    /// Returns the label of the choice.
    func label(_ t: Translator) -> String {
        switch self {
        case .quarterHour: t("{n} minute", plural: "{n} minutes", count: 15)
        case .hour: t("{n} hour", plural: "{n} hours", count: 1)
        case .fourHours: t("{n} hour", plural: "{n} hours", count: 4)
        case .day: t("{n} day", plural: "{n} days", count: 1)
        case .threeDays: t("{n} day", plural: "{n} days", count: 3)
        case .week: t("{n} day", plural: "{n} days", count: 7)
        case .untilMet: t("Until we meet")
        }
    }
}

/// The submitted form of a live link.
struct LiveLinkFormState: Sendable {
    let itemID: String
    let duration: String
    let showsName: Bool

    init(item: String) {
        itemID = item
        duration = LiveLinkDuration.hour.rawValue
        showsName = false
    }

    init(_ fields: Fields) {
        itemID = fields.typed("itemId")
        duration = fields.typed("duration")
        showsName = fields.typed("showsName") == "on"
    }
}

/// The page of one live link, for its owner.
struct LiveLinkPage: Sendable {
    /// The address of an open link.
    struct Address: Sendable {
        let link: String
    }

    let shell: Shell
    let reloadURL: String
    let linkName: String
    let linkState: String
    let untilMoment: FormattedTime?
    let address: Address?
    let shareTitle: String
    let isOwnPosition: Bool
    let revokeAction: String?

    init(_ context: SignedInContext, _ entry: LiveLinkEntry, url: String, t: Translator) {
        let formatter = context.formatter(t)
        let path = TrackingPath.liveLink(entry.link.id)
        shell = Shell(
            context, title: t("Live link"), menu: .openedFrom(context), isLargeTitle: false, isNarrow: true,
            hasTabs: false, back: ShellBack(url: TrackingPath.liveLinks, label: t("Live links"))
        )
        reloadURL = path
        linkName = entry.itemName ?? t("My position")
        linkState = entry.stateText(t)
        let isOpen = entry.state == .open
        untilMoment = isOpen ? FormattedTime(entry.link.expiresAt, formatter.times) : nil
        address = isOpen ? Address(link: url) : nil
        shareTitle = t("A live position")
        isOwnPosition = isOpen && entry.link.item == nil
        revokeAction = isOpen ? path + "?_method=delete" : nil
    }
}

/// The page of a live link, for its recipient.
struct LivePage: Sendable {
    struct Position: Sendable {
        let moment: FormattedTime
        let placeText: String
        let accuracyText: String
    }

    let shell: Shell
    /// What is shared, and with what name.
    let sharedText: String
    let untilMoment: FormattedTime
    let untilMet: Bool
    let position: Position?
    /// Navigation to the position. The reader has no account that knows their maps app. Hidden without a position.
    let apps: [MapsAppLink]
    let eventsURL: String
    /// The address for the recipient's position; `nil` for a link that doesn't end by a meeting.
    let meetingURL: String?
    let startJSON: String
    let tiles: MapTilesView

    init(_ context: AppContext, _ view: LiveLinkView, secret: String) {
        let t = context.t
        let formatter = context.formatter(t)
        let title = view.name.map { t("{name} shares a position", ["name": $0]) } ?? t("A shared position")
        shell = Shell(context, title: title, menu: .bare, isNarrow: true, hasTabs: false)
        sharedText = Self.sharedText(view, t)
        untilMoment = FormattedTime(view.link.expiresAt, formatter.times)
        untilMet = view.link.untilMet
        position = view.position.map {
            Position(
                moment: FormattedTime($0.at, formatter.times), placeText: formatter.place($0.coordinate),
                accuracyText: $0.accuracyMetres.map(formatter.accuracy) ?? "")
        }
        apps = MapsAppLink.all(to: view.position?.coordinate, t)
        let url = TrackingPath.live(PercentEncoding.encoded(secret))
        eventsURL = url + "/events"
        meetingURL = view.link.untilMet ? url + "/position" : nil
        startJSON = view.position.map { String(decoding: JSONText($0).bytes, as: UTF8.self) } ?? "null"
        tiles = MapTilesView(context)
    }

    private static func sharedText(_ view: LiveLinkView, _ t: Translator) -> String {
        let isItem = view.link.item != nil
        guard let name = view.name else {
            return isItem
                ? t("You can see where an item is for as long as the link is open.")
                : t("You can see where a person is for as long as the link is open.")
        }
        return isItem
            ? t("You can see where one of {name}’s items is for as long as the link is open.", ["name": name])
            : t("You can see where {name} is for as long as the link is open.", ["name": name])
    }
}

/// A link that opens navigation to a position in a maps app.
struct MapsAppLink: Sendable {
    let appURL: String
    let appLabel: String

    /// - Parameter place: `nil` before the first position: the script of the page fills it in.
    static func all(to place: Coordinate?, _ t: Translator) -> [MapsAppLink] {
        guard let place = place ?? Coordinate(latitude: 0, longitude: 0) else { return [] }
        return MapsApp.allCases.map { app in
            let link = NavigationLink(app: app, destination: place, distanceMetres: nil, walkMetres: 0)
            return MapsAppLink(appURL: link.url, appLabel: app.navigationLabel(t))
        }
    }
}

extension MapsApp {
    fileprivate func navigationLabel(_ t: Translator) -> String {
        switch self {
        case .apple: t("Navigate with Apple Maps")
        case .google: t("Navigate with Google Maps")
        }
    }
}

/// The page of a live link that doesn't exist or has ended.
struct LiveGonePage: Sendable {
    let shell: Shell

    init(_ context: AppContext) {
        shell = Shell(
            context, title: context.t("This link isn’t open"), menu: .bare, isNarrow: true, hasTabs: false)
    }
}
