package import Accounts
package import Carrepsa
import Hummingbird
import Kernel
package import Ledger
package import Pictures
package import Storage
package import WebCore

/// Carrepsa's pages, fragments and JSON API.
package struct CarrepsaPages: WebModule {
    let service: CarrepsaService
    let accounts: AccountService
    let pictures: PictureLibrary
    let ledger: Ledger
    let database: Database

    package init(
        service: CarrepsaService, accounts: AccountService, pictures: PictureLibrary, ledger: Ledger,
        database: Database
    ) {
        self.service = service
        self.accounts = accounts
        self.pictures = pictures
        self.ledger = ledger
        self.database = database
    }

    package var embedded: EmbeddedFiles { EmbeddedFiles(Embedded.base64) }

    package var appID: String? { AppMenu.carrepsaSignedOut.id }

    /// Returns Carrepsa's tabs; none for signed-out visitors.
    package func menu(_ context: AppContext) -> AppMenu? {
        guard context.identity != nil else { return .carrepsaSignedOut }
        return .carrepsa(context.carrepsaStrings).withSettings(below: CarrepsaTab.profile.rawValue)
    }

    /// Returns the translation of a Carrepsa error message.
    package func translation(of message: String, to language: Language) -> String? {
        CarrepsaMessage.translation(of: message, to: language)
    }

    /// Adds the routes below `/carrepsa`.
    package func addRoutes(to routes: Routes) {
        routes.open.get("/carrepsa", use: welcome)
        let carrepsa = routes.signedIn.group("/carrepsa")
        carrepsa.add(middleware: RequiredProfileMiddleware(.carrepsa, root: CarrepsaPath.packages))
        addPackageRoutes(to: carrepsa.group("packages"))
        carrepsa.get("profile", use: showProfile)
        carrepsa.get("wallet", use: showWallet)
        carrepsa.get("wallet/entries", use: showEntries)
        carrepsa.get("people/{id}", use: showPerson)
        carrepsa.get("disputes", use: listDisputes)
        carrepsa.get("ledger", use: showLedger)
    }

    private func addPackageRoutes(to packages: RouterGroup<SignedInContext>) {
        packages.get(use: listPackages)
        packages.post(use: postPackage)
        packages.get("new", use: newPackage)
        packages.get("{id}", use: showPackage)
        packages.delete("{id}", use: withdraw)
        packages.get("{id}/questions/{action}", use: showConfirmation)
        packages.post("{id}/acceptance", use: accept)
        packages.delete("{id}/acceptance", use: cancelAcceptance)
        packages.post("{id}/handover-codes", use: makeHandoverCode)
        packages.post("{id}/pickup", use: confirmPickup)
        packages.post("{id}/delivery", use: confirmDelivery)
        packages.post("{id}/delivery-report", use: reportDelivery)
        packages.post("{id}/cancellation-request", use: requestCancellation)
        packages.delete("{id}/cancellation-request", use: retractCancellation)
        packages.post("{id}/dispute", use: dispute)
        packages.post("{id}/statements", use: addStatement)
        packages.post("{id}/decision", use: decide)
    }

    func formatter(_ context: some WebContext) -> CarrepsaFormatter {
        CarrepsaFormatter(currency: service.currency, language: context.language, now: context.web.clock.now)
    }

    /// Shows the start page to signed-out visitors; redirects others to the search.
    @Sendable func welcome(_ request: Request, _ context: AppContext) async throws -> Response {
        try context.requireAdult()
        if context.identity != nil { return Responses.seeOther(context, to: CarrepsaPath.packages) }
        return try Responses.page(
            context, template: "carrepsa-welcome", WelcomePage(context, t: context.carrepsaStrings))
    }
}

extension WebContext {
    /// The strings in the reader's language.
    var carrepsaStrings: CarrepsaStrings { .of(language) }
}
