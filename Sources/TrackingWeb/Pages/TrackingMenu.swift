import Kernel
import WebCore

extension AppMenu {
    static let trackingID = "tracking"

    /// Returns Tracking's tab bar.
    static func tracking(_ t: Translator) -> AppMenu {
        AppMenu(
            id: trackingID, name: "Tracking",
            tabs: [
                Tab(id: "items", label: t("Items"), icon: "locate-fixed", url: TrackingPath.items),
                Tab(id: "map", label: t("Map"), icon: "map", url: TrackingPath.map),
                Tab(id: homeID, label: t("Home"), icon: "house", url: "/"),
                Tab(id: "settings", label: t("Settings", context: "narrow button"), icon: "settings", url: "/account"),
            ]
        )
    }

    /// Returns the tab bar of the app from which the settings, and then this page, were opened.
    static func openedFrom(_ context: some WebContext) -> AppMenu { context.appMenu ?? .tracking(context.t) }
}
