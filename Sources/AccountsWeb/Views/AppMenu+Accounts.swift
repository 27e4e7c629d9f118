import Kernel
package import WebCore

extension AppMenu {
    /// The tabs of the pages that belong to no app.
    static func home(_ context: some WebContext) -> AppMenu {
        guard !context.isChild else { return .childs(context.t) }
        return AppMenu(
            id: homeID, name: context.t("Homeward"),
            tabs: [
                // The same three tabs as in Tracking, so that the settings keep the way back.
                Tab(id: "items", label: context.t("Items"), icon: "locate-fixed", url: "/tracking/items"),
                Tab(id: homeID, label: context.t("Home"), icon: "house", url: "/"),
                Tab(
                    id: "settings", label: context.t("Settings", context: "narrow button"), icon: "settings",
                    url: "/account"),
            ]
        )
    }
}

extension AppMenu {
    /// The tabs of the app from which the settings were opened.
    package static func settings(_ context: some WebContext) -> AppMenu {
        guard !context.isChild, let menu = context.appMenu else { return .home(context) }
        return menu
    }

    /// Returns the link from the settings back to the app; `nil` where the settings are a tab of their own.
    func backFromSettings() -> ShellBack? {
        tabs.first { $0.id == "settings" && $0.url != "/account" }.map { ShellBack(url: $0.url, label: $0.label) }
    }

    /// The tabs for a child: only its family.
    private static func childs(_ t: Translator) -> AppMenu {
        AppMenu(
            id: "family", name: t("Family", context: "app"),
            tabs: [
                Tab(id: "family", label: t("Family", context: "app"), icon: "users", url: "/family"),
                Tab(id: "settings", label: t("Profile"), icon: "circle-user", url: "/family/account"),
            ]
        )
    }
}
