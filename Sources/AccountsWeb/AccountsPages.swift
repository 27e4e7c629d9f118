package import Accounts
import Hummingbird
import Kernel
package import Pictures
package import WebCore

/// The start page and everything about accounts: joining, signing in, settings, devices, photos.
package struct AccountsPages: WebModule {
    let accounts: AccountService
    let pictures: PictureLibrary

    /// Makes the module.
    package init(accounts: AccountService, pictures: PictureLibrary) {
        self.accounts = accounts
        self.pictures = pictures
    }

    /// The templates.
    package var embedded: EmbeddedFiles { EmbeddedFiles(Embedded.base64) }

    /// Adds all routes of this module.
    package func addRoutes(to routes: Routes) {
        addDoorRoutes(to: routes)
        addResetRoutes(to: routes)
        addAccountRoutes(to: routes.signedIn.group("account"))
        addEntranceRoutes(to: routes.signedIn.group("account"))
        addPictureRoutes(to: routes.signedIn.group("pictures"))
    }
}

extension AppMenu {
    /// The tabs of the pages that belong to no app.
    static func home(_ language: Language) -> AppMenu {
        let strings = AccountsStrings.of(language)
        return AppMenu(
            id: "home", name: strings.product,
            tabs: [
                // The same three as in Tracking, so that going to the settings loses no way back.
                Tab(id: "items", label: strings.items, icon: "locate-fixed", url: "/tracking/items"),
                Tab(id: "home", label: strings.home, icon: "house", url: "/"),
                Tab(id: "settings", label: strings.settings, icon: "settings", url: "/account"),
            ]
        )
    }
}

extension WebContext {
    var strings: AccountsStrings { AccountsStrings.of(language) }

    /// Runs `work`; what it refuses is said in the reader's language.
    func translating<Result>(_ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch let error as AppError {
            throw error.translated(to: language)
        }
    }
}

extension Field {
    /// What a change of an account makes of the field.
    var edit: Edit<Value> {
        switch self {
        case .absent: .keep
        case .null: .clear
        case .value(let value): .set(value)
        }
    }
}
