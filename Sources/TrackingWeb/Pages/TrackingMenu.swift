import WebCore

extension AppMenu {
    /// Tracking's tab bar.
    static func tracking(_ t: TrackingStrings) -> AppMenu {
        AppMenu(
            id: "tracking", name: "Tracking",
            tabs: [
                Tab(id: "items", label: t.common.items, icon: "locate-fixed", url: TrackingPath.items),
                Tab(id: "home", label: t.common.home, icon: "house", url: "/"),
                Tab(id: "settings", label: t.common.settings, icon: "settings", url: "/account"),
            ]
        )
    }
}
