import WebCore

extension AppMenu {
    /// The tabs of the pages that belong to no app.
    static func home(_ context: some WebContext) -> AppMenu {
        let strings = context.strings
        guard !context.isChild else { return .childs(strings) }
        return AppMenu(
            id: homeID, name: strings.product,
            tabs: [
                // The same three tabs as in Tracking, so that the settings keep the way back.
                Tab(id: "items", label: strings.items, icon: "locate-fixed", url: "/tracking/items"),
                Tab(id: homeID, label: strings.home, icon: "house", url: "/"),
                Tab(id: "settings", label: strings.settings, icon: "settings", url: "/account"),
            ]
        )
    }
}

extension AppMenu {
    /// The tabs of the app from which the settings were opened.
    static func settings(_ context: some WebContext) -> AppMenu {
        guard !context.isChild, let menu = context.appMenu else { return .home(context) }
        return menu
    }

    /// Returns the link from the settings back to the app; `nil` where the settings are a tab of their own.
    func backFromSettings() -> ShellBack? {
        tabs.first { $0.id == "settings" && $0.url != "/account" }.map { ShellBack(url: $0.url, label: $0.label) }
    }

    /// The tabs for a child: only its family.
    private static func childs(_ strings: AccountsStrings) -> AppMenu {
        AppMenu(
            id: "family", name: strings.family,
            tabs: [
                Tab(id: "family", label: strings.family, icon: "users", url: "/family"),
                Tab(id: "settings", label: strings.profile, icon: "circle-user", url: "/family/account"),
            ]
        )
    }
}
