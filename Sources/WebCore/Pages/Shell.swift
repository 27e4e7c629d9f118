import Accounts
import Kernel
import Pictures

/// The name, accent and tab bar of one app.
package struct AppMenu: Sendable {
    /// A tab of the tab bar.
    package struct Tab: Sendable {
        package fileprivate(set) var id: String
        package let label: String
        /// The name of an icon in the sprite.
        package let icon: String
        package let url: String
        /// A short text beside the icon; `nil` for none.
        package let badge: String?
        /// Whether the tab looks like a button, because it leads to the app's main action.
        package let isPrimary: Bool

        package init(
            id: String, label: String, icon: String, url: String, badge: String? = nil, isPrimary: Bool = false
        ) {
            self.id = id
            self.label = label
            self.icon = icon
            self.url = url
            self.badge = badge
            self.isPrimary = isPrimary
        }
    }

    /// `tracking`, `family`, `carrepsa` or `home`: selects the accent.
    package let id: String
    package let name: String
    /// 3 to 5 tabs, or none.
    package let tabs: [Tab]

    package init(id: String, name: String, tabs: [Tab]) {
        self.id = id
        self.name = name
        self.tabs = tabs
    }

    /// Returns the menu for use by other modules: the tab `id`, which contains the settings, is renamed to `settings`,
    /// because pages of other modules don't know its id.
    package func withSettings(below id: String) -> AppMenu {
        let renamed = tabs.map { tab in
            var renamed = tab
            if tab.id == id { renamed.id = "settings" }
            return renamed
        }
        return AppMenu(id: self.id, name: name, tabs: renamed)
    }
}

extension AppMenu {
    /// The id for the start page and other pages that belong to no app.
    package static let homeID = "home"
    /// The menu of a page without an app and without links.
    package static let bare = AppMenu(id: homeID, name: "Homeward", tabs: [])
}

/// The view model of the frame around every page. All values are ready to print.
package struct Shell: Sendable {
    /// `en`, `de`.
    package let language: String
    /// `ltr` or `rtl`.
    package let direction: String
    /// The app's id, which selects the accent.
    package let app: String
    /// A child's theme; empty for none.
    package let theme: String
    /// `light` or `dark` if the reader chose one; `nil` follows the device.
    package let scheme: String?
    /// The colour of the browser's bar for that choice.
    package let barColour: String?
    /// The page's heading.
    package let title: String
    /// The window's title.
    package let documentTitle: String
    /// `/static/VERSION`.
    package let assets: String
    /// The name of the app's manifest, below that folder.
    package let manifest: String
    /// Whether a large title is above the content; otherwise a small one is in the bar.
    package let isLargeTitle: Bool
    /// Whether the page is narrow and centred: sign-in, forms.
    package let isNarrow: Bool
    /// Whether a person is signed in and not locked, so that there is a live stream.
    package let isSignedIn: Bool
    /// Minutes without a request until the session is locked; `nil` for a session without automatic lock.
    package let lockAfterMinutes: String?
    /// The signed-in person's id, by which scripts separate the data of several people in one browser; empty for none.
    package let person: String
    /// Whether the page can be pulled to refresh.
    package let isRefreshable: Bool
    package let back: ShellBack?
    /// The bell, on the root pages of an app, for signed-in people.
    package let bell: ShellBell?
    /// The one primary action.
    package let action: ShellAction?
    package let hasTabs: Bool
    package let tabs: [ShellTab]
    /// The list beside a detail page on wide screens.
    package let pane: ShellPane?
    /// The text beside a list on wide screens while no entry is selected.
    package let emptyDetail: String?
    /// The toast of the previous redirect.
    package let toast: ShellToast?
    /// A new idempotency key for this page's forms.
    package let idempotencyKey: String
    /// Whether the person shares their position, which every page shows.
    package var isSharingPosition: Bool
    /// What the sign of it says.
    package let sharingText: String
    /// Whether this page sends the position of a child while the child shares it.
    package let isSendingPosition: Bool
    /// The address for the position of this device.
    package let positionURL: String
    /// This page's path, without its query.
    package let path: String
    /// The largest picture that scripts send, in megabytes.
    package let pictureMegabytes = String(Limits.pictureMegabytes)

    /// - Parameter tab: the id of the current tab.
    package init(
        _ context: some WebContext, title: String, menu: AppMenu, tab: String? = nil, isLargeTitle: Bool = true,
        isNarrow: Bool = false, isRefreshable: Bool = false, hasTabs: Bool = true, back: ShellBack? = nil,
        action: ShellAction? = nil, pane: ShellPane? = nil, emptyDetail: String? = nil
    ) {
        let language = context.language
        let account = context.identity?.account
        self.language = language.rawValue
        direction = "ltr"
        app = menu.id
        theme = account.map { $0.theme == Themes.standard ? "" : $0.theme } ?? ""
        let appearance = account?.appearance ?? .system
        scheme = appearance == .system ? nil : appearance.rawValue
        barColour =
            switch appearance {
            case .system: nil
            case .light: "#f2f2f6"
            case .dark: "#000000"
            }
        self.title = title
        // Soft hyphens are for the page; a window's title has one line.
        let plainTitle = title.replacing("\u{AD}", with: "")
        documentTitle = plainTitle == menu.name ? plainTitle : "\(plainTitle.isolated) – \(menu.name)"
        assets = context.assets
        manifest = WebAppManifest.fileName(app: menu.id, language: language)
        self.isLargeTitle = isLargeTitle
        self.isNarrow = isNarrow
        let session = context.identity?.session
        isSignedIn = account != nil && session?.isLocked != true
        lockAfterMinutes = session.flatMap { $0.locksAutomatically ? $0.lock.lockAfterMinutes : nil }.map { "\($0)" }
        person = account?.id.description ?? ""
        self.isRefreshable = isRefreshable
        self.back = back
        let hasBell = account != nil && back == nil && hasTabs
        bell = hasBell ? ShellBell(context.t, unread: nil) : nil
        self.action = action
        self.hasTabs = hasTabs && !menu.tabs.isEmpty
        tabs = menu.tabs.map { item in
            ShellTab(
                url: item.url, label: item.label, icon: item.icon, isCurrent: item.id == tab, badge: item.badge,
                isPrimary: item.isPrimary
            )
        }
        self.pane = pane?.withBell(account == nil ? nil : ShellBell(context.t, unread: nil))
        self.emptyDetail = emptyDetail
        toast = Flash.toast(context)
        idempotencyKey = context.newIdempotencyKey()
        let isSharing = isSignedIn && account?.sharesPosition(now: context.web.clock.now) == true
        isSharingPosition = isSharing
        sharingText = context.isChild ? context.t("You show where you are") : context.t("You share your position")
        isSendingPosition = isSignedIn && context.isChild && context.path != "/my-position"
        positionURL = context.isChild ? "/my-position" : "/tracking/position"
        path = context.path
    }
}

/// The link to the parent page.
package struct ShellBack: Sendable {
    package let url: String
    /// The parent's name, or "Cancel".
    package let label: String
    /// Whether the link shows "Cancel" instead of a chevron.
    package let isCancel: Bool

    package init(url: String, label: String, isCancel: Bool = false) {
        self.url = url
        self.label = label
        self.isCancel = isCancel
    }
}

/// The one primary action of a page, top right: a link, or the button that sends a form of the page.
package struct ShellAction: Sendable {
    package let label: String
    /// The name of an icon in the sprite that replaces the label.
    package let icon: String?
    /// The URL of a link.
    package let url: String?
    /// The id of the form that a button sends.
    package let formID: String?
    /// Whether the label is bold, as for "Save".
    package let isStrong: Bool
    /// The id of the page's sheet that opens instead of following the link, if scripts run.
    package let sheetID: String?
    /// The ``Prefetch`` value of the page that the link leads to.
    package let keptAhead: String?

    /// Creates an action; pass `url` or `formID`.
    package init(
        label: String, icon: String? = nil, url: String? = nil, formID: String? = nil, isStrong: Bool = false,
        sheetID: String? = nil, keptAhead: Prefetch? = nil
    ) {
        self.label = label
        self.icon = icon
        self.url = url
        self.formID = formID
        self.isStrong = isStrong
        self.sheetID = sheetID
        self.keptAhead = keptAhead?.rawValue
    }
}

/// Whether the browser fetches the page of a link in advance, so that it opens without a connection although it was
/// never opened. The page must be one of ``WebModule/offlinePaths``, and requesting it must have no effect that
/// requesting the page with the link didn't already have.
package enum Prefetch: String, Sendable {
    /// A form for a new entity: refreshed once a day.
    case daily
    /// A form with current values: refreshed each time a page with the link is loaded.
    case always
}

/// A tab of the tab bar.
package struct ShellTab: Sendable {
    package let url: String
    package let label: String
    /// The name of an icon in the sprite.
    package let icon: String
    /// Whether the page belongs to this tab.
    package let isCurrent: Bool
    /// A short text beside the icon.
    package let badge: String?
    /// Whether the tab looks like a button.
    package let isPrimary: Bool
}

/// The list beside a detail page on wide screens.
package struct ShellPane: Sendable {
    /// The URL of the list's fragment.
    package let url: String
    package let label: String
    /// The link that adds an entry to the list.
    package let paneAction: PaneAction?
    /// The bell, which the detail page itself doesn't have.
    package let paneBell: ShellBell?

    package init(url: String, label: String, action: PaneAction? = nil) {
        self.init(url: url, label: label, action: action, bell: nil)
    }

    private init(url: String, label: String, action: PaneAction?, bell: ShellBell?) {
        self.url = url
        self.label = label
        paneAction = action
        paneBell = bell
    }

    fileprivate func withBell(_ bell: ShellBell?) -> ShellPane {
        ShellPane(url: url, label: label, action: paneAction, bell: bell)
    }
}

/// The link that adds an entry to the list beside a detail page.
package struct PaneAction: Sendable {
    package let actionURL: String
    /// The accessible label; the link is shown as a plus.
    package let actionLabel: String

    package init(url: String, label: String) {
        actionURL = url
        actionLabel = label
    }
}
