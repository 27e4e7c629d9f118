package import Accounts
import Hummingbird
import Kernel
package import Pictures
package import WebCore

/// The start page and the account pages: sign-up, sign-in, settings, devices, photos.
package struct AccountsPages: WebModule {
    let accounts: AccountService
    let pictures: PictureLibrary
    let providers: ProviderSignIn
    let passkeys: Passkeys

    /// Creates the module.
    /// - Parameter providers: the sign-in by providers; `nil` for a server without providers.
    package init(accounts: AccountService, pictures: PictureLibrary, providers: ProviderSignIn? = nil) {
        self.accounts = accounts
        self.pictures = pictures
        let providers = providers ?? ProviderSignIn(accounts: accounts)
        self.providers = providers
        passkeys = Passkeys(accounts: accounts, usableProviders: Set(providers.faces.map(\.name)))
    }

    package var embedded: EmbeddedFiles { EmbeddedFiles(Embedded.base64) }

    /// Translates the error messages of accounts and of the lock.
    package func translation(of message: String, to language: Language) -> String? {
        AccountMessage.translation(of: message, to: language) ?? LockMessage.translation(of: message, to: language)
    }

    /// Adds all routes of this module.
    package func addRoutes(to routes: Routes) {
        addSignInRoutes(to: routes)
        addProviderRoutes(to: routes)
        addPasskeyRoutes(to: routes)
        addResetRoutes(to: routes)
        addLockRoutes(to: routes)
        addProfileRoutes(to: routes.everyone.group("account"))
        addAccountRoutes(to: routes.signedIn.group("account"))
        addIdentityRoutes(to: routes.signedIn.group("account"))
        addRequiredProfileRoutes(to: routes.signedIn.group("account"))
        addPictureRoutes(to: routes.everyone.group("pictures"))
    }
}

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

extension WebContext {
    var strings: AccountsStrings { AccountsStrings.of(language) }

    /// Runs `work`, and translates its errors, including those of an app, into the reader's language.
    func translating<Result>(_ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch let error as AppError {
            throw web.translated(error, to: language)
        }
    }
}

extension Field {
    /// The edit that the JSON or form field requests.
    var edit: Edit<Value> {
        switch self {
        case .absent: .keep
        case .null: .clear
        case .value(let value): .set(value)
        }
    }
}
