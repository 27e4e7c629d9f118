package import Accounts
package import Carrepsa
import Hummingbird
import Kernel
package import Ledger
package import Pictures
package import Storage
package import WebCore

/// Carrepsa's pages, fragments and JSON API: one controller for each resource.
package struct CarrepsaModule: WebModule {
    private let carrepsa: CarrepsaServices
    private let accounts: AccountServices
    private let pictures: PictureLibrary
    private let ledger: Ledger
    private let database: Database

    package init(
        services: CarrepsaServices, accounts: AccountServices, pictures: PictureLibrary, ledger: Ledger,
        database: Database
    ) {
        carrepsa = services
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
        return .carrepsa(context.t).withSettings(below: CarrepsaTab.profile.rawValue)
    }

    /// The paths that are cached for offline use: lists and the reader's wallet. Single packages and profiles aren't,
    /// because they show handover codes and contact details.
    package var offlinePaths: [String] {
        [
            "/carrepsa/packages", "/carrepsa/packages/new", "/carrepsa/wallet", "/carrepsa/wallet/entries",
            "/carrepsa/trips",
        ]
    }

    /// Adds the routes below `/carrepsa`, and the recipient's page.
    package func addRoutes(to routes: Routes) {
        let currency = carrepsa.currency
        let responder = PackageActionResponder(packages: carrepsa.packages, currency: currency)
        let maps = RouteFormMaps(trips: carrepsa.trips, findsPlaces: carrepsa.placeSearches.isEnabled)
        routes.open.get("/carrepsa", use: WelcomeController().show)
        SharedOffersController(links: carrepsa.offerLinks, currency: currency).addRoutes(to: routes.open)
        let root = group(routes.signedIn.serving(.app(.carrepsa)))
        // The acts of administrators, the page of the account, and payouts, whose destination a token may not choose.
        let devices = group(routes.signedIn)
        // What administrators open without a phone number or a wallet of their own.
        let administration = group(routes.signedIn, admitsAdministrators: true)
        let cases = group(routes.signedIn.serving(.app(.carrepsa)), admitsAdministrators: true)
        let packages = root.group("packages")
        PackageListController(packages: carrepsa.packages, currency: currency).addRoutes(to: packages)
        PackagesController(
            packages: carrepsa.packages, wallets: carrepsa.wallets, pictures: pictures, responder: responder,
            suggestions: carrepsa.priceSuggestions, links: carrepsa.offerLinks, maps: maps, currency: currency
        ).addRoutes(to: packages, cases: cases.group("packages"), suggestions: root)
        ConfirmationsController(packages: carrepsa.packages, currency: currency).addRoutes(to: packages)
        AcceptancesController(acceptances: carrepsa.acceptances, responder: responder).addRoutes(to: packages)
        HandoverCodesController(
            handovers: carrepsa.handovers, packages: carrepsa.packages, responder: responder, currency: currency
        ).addRoutes(to: packages)
        HandoversController(handovers: carrepsa.handovers, responder: responder).addRoutes(to: packages)
        CancellationRequestsController(cancellations: carrepsa.cancellations, responder: responder)
            .addRoutes(to: packages)
        DisputesController(
            disputes: carrepsa.disputes, pictures: pictures, responder: responder, currency: currency
        ).addRoutes(to: packages, administrators: administration)
        SplitOffersController(disputes: carrepsa.disputes, responder: responder, currency: currency)
            .addRoutes(to: packages)
        TripsController(trips: carrepsa.trips, maps: maps, currency: currency).addRoutes(to: root)
        PlaceSearchesController(searches: carrepsa.placeSearches).addRoutes(to: root)
        ProofsController(proofs: carrepsa.proofs, pictures: pictures, responder: responder).addRoutes(to: packages)
        RecipientsController(recipients: carrepsa.recipients, currency: currency).addRoutes(to: packages)
        DeliveriesController(deliveries: carrepsa.deliveryViews).addRoutes(to: routes.open)
        PaymentGuideController(
            guides: carrepsa.paymentGuides, payouts: carrepsa.payoutRequests, currency: currency
        ).addRoutes(to: devices)
        MessagesController(messages: carrepsa.messages, reports: carrepsa.messageReports, pictures: pictures)
            .addRoutes(to: administration.group("packages"))
        BlocksController(blocks: carrepsa.blocks).addRoutes(to: devices)
        MessageReportsController(reports: carrepsa.messageReports).addRoutes(to: administration)
        ReviewsController(reviews: carrepsa.reviews, responder: responder).addRoutes(to: devices.group("packages"))
        WalletController(wallets: carrepsa.wallets, currency: currency).addRoutes(to: root)
        ProfileController(
            profiles: accounts.profiles, wallets: carrepsa.wallets, reviews: carrepsa.reviews, currency: currency
        )
        .addRoutes(to: devices)
        ContactsController(contacts: carrepsa.contacts).addRoutes(to: cases)
        LedgerController(ledger: ledger, database: database, currency: currency).addRoutes(to: administration)
    }

    private func group(
        _ routes: RouteGroup<SignedInContext>, admitsAdministrators: Bool = false
    ) -> RouterGroup<SignedInContext> {
        routes.group("/carrepsa").add(
            middleware: RequiredProfileMiddleware(
                .carrepsa, root: CarrepsaPath.packages, admitsAdministrators: admitsAdministrators))
    }
}

extension WebContext {
    func carrepsaFormatter(_ currency: Currency) -> CarrepsaFormatter {
        CarrepsaFormatter(currency: currency, t, now: web.clock.now)
    }
}
