package import Accounts
import Hummingbird
import Kernel
package import Pictures
package import Tracking
package import WebCore

/// The web module of Tracking: pages, fragments and JSON for people, and the endpoints for trackers and phone apps.
package struct TrackingPages: WebModule {
    let service: TrackingService
    let accounts: AccountService
    let pictures: PictureLibrary

    /// The public key for push subscriptions; `nil` when the server has push notifications disabled.
    let pushKey: String?

    package init(
        service: TrackingService, accounts: AccountService, pictures: PictureLibrary, pushKey: String? = nil
    ) {
        self.pushKey = pushKey
        self.service = service
        self.accounts = accounts
        self.pictures = pictures
    }

    package var embedded: EmbeddedFiles { EmbeddedFiles(Embedded.base64) }

    package var appID: String? { AppMenu.trackingID }

    /// Returns Tracking's tab bar, without tabs unless the client is signed in.
    package func menu(_ context: AppContext) -> AppMenu? {
        let menu = AppMenu.tracking(context.words)
        return context.identity == nil ? AppMenu(id: menu.id, name: menu.name, tabs: []) : menu
    }

    /// The pages with alert modes, safe places and the defaults of new items.
    package var settingsPaths: [String] { [TrackingPath.alerts, TrackingPath.safePlaces, TrackingPath.itemSettings] }

    /// Returns the translation of one of Tracking's error messages; `nil` for any other message.
    package func translation(of message: String, to language: Language) -> String? {
        TrackingErrorMessage.translation(of: message, to: language)
    }

    /// Adds all routes below `/tracking`, the page for finders, and the device endpoints below `/trackers` and
    /// `/ingest`.
    package func addRoutes(to routes: Routes) {
        routes.open.get("/found", use: showFound)
        let tracking = routes.signedIn.group("/tracking").add(middleware: TrackingErrorMiddleware())
        tracking.get { _, context in Responses.seeOther(context, to: TrackingPath.items) }
        tracking.put("position", use: reportPosition)
        tracking.get("settings", use: showSettings)
        tracking.patch("settings", use: changeSettings)
        tracking.get("quarantine", use: quarantine)
        addItemRoutes(to: tracking.group("items"))
        addSourceRoutes(to: tracking.group("sources"))
        addAlertRoutes(to: tracking)
        addDeviceRoutes(to: routes.device)
        routes.addFastPath(FastPathRoute("/ingest/osmand", handler: ingestOsmAndFast))
    }

    private func addItemRoutes(to items: RouterGroup<SignedInContext>) {
        items.get(use: listItems)
        items.post(use: addItem)
        items.get("new", use: newItem)
        items.get("{id}", use: showItem)
        items.patch("{id}", use: updateItem)
        items.delete("{id}", use: deleteItem)
        items.get("{id}/edit", use: editItem)
        items.get("{id}/delete", use: askToDeleteItem)
        items.get("{id}/fixes", use: fixes)
        items.get("{id}/tracker", use: showTracker)
        items.put("{id}/tracker", use: pairTracker)
        items.delete("{id}/tracker", use: unpairTracker)
        items.post("{id}/registration", use: requestRegistration)
        items.get("{id}/commands", use: listCommands)
        items.post("{id}/commands", use: giveCommand)
        items.get("{id}/navigation", use: navigate)
        items.post("{id}/navigation", use: chooseMapsApp)
    }

    private func addSourceRoutes(to sources: RouterGroup<SignedInContext>) {
        sources.get(use: listSources)
        sources.post(use: addSource)
        sources.get("new", use: newSource)
        sources.get("{id}", use: showSource)
        sources.put("{id}/secret", use: renewSecret)
        sources.delete("{id}", use: deleteSource)
    }

    private func addDeviceRoutes(to device: RouteGroup<AppContext>) {
        device.post("/trackers", use: firstContact)
        device.post("/trackers/{id}/messages", use: trackerMessages)
        device.post("/ingest/owntracks", use: ingestOwnTracks)
        device.get("/ingest/osmand", use: ingestOsmAnd)
        device.post("/ingest/osmand", use: ingestOsmAnd)
        device.post("/ingest/hologram", use: ingestHologram)
        device.post("/ingest/hologram/{secret}", use: ingestHologramByPath)
    }
}

extension WebContext {
    /// The texts in the client's language.
    var words: TrackingStrings { .of(language) }

    /// Returns the formatter of numbers and times, as of this response.
    func formatter(_ t: TrackingStrings) -> TrackingFormatter { TrackingFormatter(units: t.units, now: web.clock.now) }
}

extension Field {
    /// The change that the field of a PATCH requests.
    var change: FieldChange<Value> {
        switch self {
        case .absent: .keep
        case .null: .clear
        case .value(let value): .set(value)
        }
    }
}
