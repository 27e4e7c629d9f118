import Accounts
import Kernel

/// One app's name, accent and tab bar.
package struct AppMenu: Sendable {
    /// A place in the tab bar.
    package struct Tab: Sendable {
        /// Names the tab to ``Shell``.
        package let id: String
        /// What it is called.
        package let label: String
        /// An icon of the sprite.
        package let icon: String
        /// Where it leads.
        package let url: String
        /// A short text beside the icon; `nil` for none.
        package let badge: String?

        /// Makes a tab.
        package init(id: String, label: String, icon: String, url: String, badge: String? = nil) {
            self.id = id
            self.label = label
            self.icon = icon
            self.url = url
            self.badge = badge
        }
    }

    /// `tracking`, `family`, `carrepsa` or `home`: decides the accent.
    package let id: String
    /// What the app is called.
    package let name: String
    /// 3 to 5 tabs, or none.
    package let tabs: [Tab]

    /// Makes a menu.
    package init(id: String, name: String, tabs: [Tab]) {
        self.id = id
        self.name = name
        self.tabs = tabs
    }

    /// The same menu for a ``WebModule`` to give away: the settings are found below the tab `id`, which is called
    /// `settings` there, as pages of other modules don't know its name.
    package func withSettings(below id: String) -> AppMenu {
        let renamed = tabs.map { tab in
            tab.id == id
                ? Tab(id: "settings", label: tab.label, icon: tab.icon, url: tab.url, badge: tab.badge) : tab
        }
        return AppMenu(id: self.id, name: name, tabs: renamed)
    }
}

extension AppMenu {
    /// Names the start page and what else belongs to no app.
    package static let homeID = "home"
    /// Of a page that names no app and leads nowhere.
    package static let bare = AppMenu(id: homeID, name: "Homeward", tabs: [])
}

/// What stands around every page. All values are ready to print.
package struct Shell: Sendable {
    /// `en`, `de`.
    package let language: String
    /// `ltr` or `rtl`.
    package let direction: String
    /// The app's id: the accent.
    package let app: String
    /// A children's theme; empty for none.
    package let theme: String
    /// `light` or `dark` where the reader chose one; `nil` follows the device.
    package let scheme: String?
    /// What the browser paints its own bar with then.
    package let barColour: String?
    /// The page's heading.
    package let title: String
    /// The window's title.
    package let documentTitle: String
    /// `/static/VERSION`.
    package let assets: String
    /// A large title above the content; else a small one in the bar.
    package let isLargeTitle: Bool
    /// A narrow, centred page: sign-in, forms.
    package let isNarrow: Bool
    /// Somebody is signed in and not locked, so there is a live stream.
    package let isSignedIn: Bool
    /// Minutes without a request after which the session is locked; `nil` for one that never is by itself.
    package let lockAfterMinutes: String?
    /// Their id, by which scripts keep apart what different people leave in one browser; empty for nobody's.
    package let person: String
    /// The page can be pulled to refresh.
    package let isRefreshable: Bool
    /// The way back.
    package let back: ShellBack?
    /// The bell, on the pages that stand at the root of an app, for who is signed in.
    package let bell: ShellBell?
    /// The one primary action.
    package let action: ShellAction?
    /// Whether the tab bar is shown.
    package let hasTabs: Bool
    /// The tab bar.
    package let tabs: [ShellTab]
    /// The list that stands beside a detail page on wide screens.
    package let pane: ShellPane?
    /// What a wide screen says beside a list while nothing is chosen.
    package let emptyDetail: String?
    /// What a redirect left to say.
    package let toast: ShellToast?
    /// A fresh key for this page's forms.
    package let idempotencyKey: String
    /// This page's path, without its query.
    package let path: String
    /// The strings of shell, components and scripts.
    package let t: ShellStrings
    /// The strings of what is kept without a connection, of updates, and of installing.
    package let offline: OfflineStrings

    /// Makes the shell of a page.
    /// - Parameter tab: the id of the tab that is current.
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
        // Where a word may be parted is for the page to know; a window's title has one line.
        let plainTitle = title.replacing("\u{AD}", with: "")
        documentTitle = plainTitle == menu.name ? plainTitle : "\(plainTitle) – \(menu.name)"
        assets = context.assets
        self.isLargeTitle = isLargeTitle
        self.isNarrow = isNarrow
        let session = context.identity?.session
        isSignedIn = account != nil && session?.isLocked != true
        lockAfterMinutes = session.flatMap { $0.locksByItself ? $0.lock.lockAfterMinutes : nil }.map { "\($0)" }
        person = account?.id.description ?? ""
        self.isRefreshable = isRefreshable
        self.back = back
        let hasBell = account != nil && back == nil && hasTabs
        bell = hasBell ? ShellBell(assets: context.assets, language: language, unread: nil) : nil
        self.action = action
        self.hasTabs = hasTabs && !menu.tabs.isEmpty
        tabs = menu.tabs.map { item in
            ShellTab(url: item.url, label: item.label, icon: item.icon, isCurrent: item.id == tab, badge: item.badge)
        }
        self.pane = pane?.withBell(
            account == nil ? nil : ShellBell(assets: context.assets, language: language, unread: nil))
        self.emptyDetail = emptyDetail
        toast = Flash.toast(context)
        idempotencyKey = context.newIdempotencyKey()
        path = context.path
        t = ShellStrings.of(language)
        offline = OfflineStrings.of(language)
    }
}

/// The way back.
package struct ShellBack: Sendable {
    /// Where to.
    package let url: String
    /// The parent's name, or "Cancel".
    package let label: String
    /// "Cancel" instead of a chevron.
    package let isCancel: Bool

    /// Makes a way back.
    package init(url: String, label: String, isCancel: Bool = false) {
        self.url = url
        self.label = label
        self.isCancel = isCancel
    }
}

/// The one primary action of a page, top right: a link, or the button that sends a form of the page.
package struct ShellAction: Sendable {
    /// What it does.
    package let label: String
    /// An icon of the sprite that stands for the label.
    package let icon: String?
    /// Where a link leads.
    package let url: String?
    /// Which form a button sends.
    package let formID: String?
    /// Bold, as "Save" is.
    package let isStrong: Bool
    /// The sheet of the page that opens instead of following the link, where scripts run.
    package let sheetID: String?
    /// How the page that the link leads to is kept before it was opened (``KeptAhead``).
    package let keptAhead: String?

    /// Makes an action; give `url` or `formID`.
    package init(
        label: String, icon: String? = nil, url: String? = nil, formID: String? = nil, isStrong: Bool = false,
        sheetID: String? = nil, keptAhead: KeptAhead? = nil
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

/// Whether the browser fetches the page of a link while there is a connection, so that it opens without one although it was
/// never opened before. The page must be one of ``WebModule/keptOffline``, and asking for it must change nothing that asking
/// for the page with the link hasn't.
package enum KeptAhead: String, Sendable {
    /// A form for something new: one that is a day old will do.
    case daily
    /// A form that shows what there is: each time that a page which leads to it is loaded.
    case always
}

/// A place in the tab bar.
package struct ShellTab: Sendable {
    /// Where it leads.
    package let url: String
    /// What it is called.
    package let label: String
    /// An icon of the sprite.
    package let icon: String
    /// The page is in this place.
    package let isCurrent: Bool
    /// A short text beside the icon.
    package let badge: String?
}

/// The list that stands beside a detail page on wide screens.
package struct ShellPane: Sendable {
    /// Where its fragment comes from.
    package let url: String
    /// What it is called.
    package let label: String
    /// The link that adds something to the list.
    package let paneAction: PaneAction?
    /// The bell, which the detail page itself doesn't have.
    package let paneBell: ShellBell?

    /// Makes a pane.
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

/// The link that adds something to the list beside a detail page.
package struct PaneAction: Sendable {
    /// Where it leads.
    package let actionURL: String
    /// Its label; it is shown as a plus.
    package let actionLabel: String

    /// Makes a link.
    package init(url: String, label: String) {
        actionURL = url
        actionLabel = label
    }
}
