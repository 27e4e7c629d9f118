package import Accounts
import Hummingbird
import Kernel
package import Pictures
package import Tracking
package import WebCore

/// Tracking's pages, fragments and JSON API, and the endpoints for trackers and apps: one controller for each resource.
package struct TrackingModule: WebModule {
    private let tracking: TrackingServices
    private let profiles: ProfileService
    private let proofs: ProofService
    private let pictures: PictureLibrary

    /// The public key for push subscriptions; `nil` when the server has push notifications disabled.
    private let pushKey: String?

    package init(
        services: TrackingServices, profiles: ProfileService, proofs: ProofService, pictures: PictureLibrary,
        pushKey: String? = nil
    ) {
        tracking = services
        self.profiles = profiles
        self.proofs = proofs
        self.pictures = pictures
        self.pushKey = pushKey
    }

    package var embedded: EmbeddedFiles { EmbeddedFiles(Embedded.base64) }

    package var appID: String? { AppMenu.trackingID }

    /// Returns Tracking's tab bar, without tabs unless the client is signed in.
    package func menu(_ context: AppContext) -> AppMenu? {
        let menu = AppMenu.tracking(context.t)
        return context.identity == nil ? AppMenu(id: menu.id, name: menu.name, tabs: []) : menu
    }

    /// The pages with alert modes, safe places and the defaults of new items.
    package var settingsPaths: [String] {
        [
            TrackingPath.alerts, TrackingPath.safePlaces, TrackingPath.itemSettings, TrackingPath.liveLinks,
            TrackingPath.myPosition,
        ]
    }

    /// The pages of items and their positions. Excludes the pages that pair trackers and sources, because they show
    /// secrets.
    package var offlinePaths: [String] {
        [
            "/tracking/items", "/tracking/items/new", "/tracking/items/{id}", "/tracking/items/{id}/edit",
            "/tracking/items/{id}/fixes", "/tracking/items/{id}/days", "/tracking/items/{id}/days/{date}",
            "/tracking/items/{id}/stays", "/tracking/map",
        ]
    }

    /// Adds all routes below `/tracking`, the page for finders, and the device endpoints below `/trackers` and
    /// `/ingest`.
    package func addRoutes(to routes: Routes) {
        FoundItemsController(foundItems: tracking.foundItems, pictures: pictures).addRoutes(to: routes.open)
        LiveLinkViewsController(views: tracking.liveLinkViews, hub: tracking.liveLinkHub).addRoutes(to: routes.open)
        let root = routes.signedIn.serving(.app(.tracking)).group("/tracking")
            .add(middleware: TrackingErrorMiddleware())
        // Credentials of trackers and phone apps, and the access of other people, outlive an access token, and the
        // phone's position belongs to a device.
        let devices = routes.signedIn.group("/tracking").add(middleware: TrackingErrorMiddleware())
        devices.get { _, context in Responses.seeOther(context, to: TrackingPath.items) }
        MapController(items: tracking.items).addRoutes(to: devices)
        PeopleController(people: tracking.people, shares: tracking.positionShares).addRoutes(to: devices)
        PersonRulesController(rules: tracking.personRules, people: tracking.people).addRoutes(to: devices)
        MyPositionController(shares: tracking.positionShares)
            .addRoutes(to: routes.everyone.group("/my-position").add(middleware: TrackingErrorMiddleware()))
        PhonePositionController(phonePositions: tracking.phonePositions).addRoutes(to: devices)
        ItemSettingsController(itemDefaults: tracking.itemDefaults).addRoutes(to: root)
        QuarantineController(quarantine: tracking.quarantine).addRoutes(to: root)
        addItemRoutes(to: root.group("items"))
        ItemPeopleController(
            members: tracking.itemMembers, replays: tracking.separationReplays, proofs: proofs
        )
        .addRoutes(to: root.group("items"), people: devices.group("items"))
        ItemInvitationsController(
            invitations: tracking.itemInvitations, members: tracking.itemMembers, proofs: proofs
        )
        .addRoutes(to: devices.group("items"))
        TrackerRegistrationsController(registrations: tracking.registrations).addRoutes(to: devices.group("items"))
        LiveLinksController(liveLinks: tracking.liveLinks, items: tracking.items).addRoutes(to: devices)
        ItemLabelController(itemLabels: tracking.itemLabels).addRoutes(to: devices.group("items"))
        SourcesController(sources: tracking.sources, items: tracking.items).addRoutes(to: devices.group("sources"))
        ItemInvitationAcceptancesController(invitations: tracking.itemInvitations)
            .addRoutes(to: devices, open: routes.open.group("/tracking/invitations"))
        AlertsController(alerts: tracking.alerts, replays: tracking.separationReplays).addRoutes(to: root)
        ItemAlertsController(itemAlerts: tracking.itemAlerts).addRoutes(to: root)
        SafePlacesController(safePlaces: tracking.safePlaces, replays: tracking.separationReplays).addRoutes(to: root)
        addDeviceRoutes(to: routes)
    }

    private func addItemRoutes(to items: RouterGroup<SignedInContext>) {
        let details = ItemDetailsResponder(itemDetails: tracking.itemDetails, pushKey: pushKey)
        ItemListController(items: tracking.items).addRoutes(to: items)
        ItemsController(
            items: tracking.items, itemDeletions: tracking.itemDeletions, itemDetails: tracking.itemDetails,
            uploads: ItemPictureUpload(itemPictures: tracking.itemPictures, library: pictures), details: details
        ).addRoutes(to: items)
        FixesController(histories: tracking.histories).addRoutes(to: items)
        LostModeController(lostModes: tracking.lostModes).addRoutes(to: items)
        FinderReportsController(finderReports: tracking.finderReports).addRoutes(to: items)
        DaysController(days: tracking.days).addRoutes(to: items)
        GeofencesController(geofences: tracking.geofences, replays: tracking.replays).addRoutes(to: items)
        ReplaysController(replays: tracking.replays, itemDetails: tracking.itemDetails).addRoutes(to: items)
        ParkingController(parking: tracking.parking, items: tracking.items, details: details).addRoutes(to: items)
        ItemTrackerController(
            items: tracking.items, claimCodePairings: tracking.claimCodePairings,
            bluetoothPairings: tracking.bluetoothPairings, unpairings: tracking.unpairings
        ).addRoutes(to: items)
        CommandsController(commands: tracking.commands, items: tracking.items, details: details).addRoutes(to: items)
        NavigationController(navigation: tracking.navigation, items: tracking.items, profiles: profiles)
            .addRoutes(to: items)
    }

    private func addDeviceRoutes(to routes: Routes) {
        let device = routes.device
        TrackerMessagesController(firstContacts: tracking.firstContacts, trackerMessages: tracking.trackerMessages)
            .addRoutes(to: device)
        OwnTracksController(ownTracks: tracking.ownTracks).addRoutes(to: device)
        OsmAndController(osmAnd: tracking.osmAnd, traccar: tracking.traccar).addRoutes(to: device, routes)
        HologramController(hologramWebhook: tracking.hologramWebhook).addRoutes(to: device)
    }
}

extension WebContext {
    /// Returns the formatter of numbers and times, as of this response.
    func formatter(_ t: Translator) -> TrackingFormatter { TrackingFormatter(t, now: web.clock.now) }
}

extension Field {
    /// The change that the field of a PATCH requests.
    var change: FieldChange<Value> {
        switch self {
        case .absent: .unchanged
        case .null: .clear
        case .value(let value): .set(value)
        }
    }
}
