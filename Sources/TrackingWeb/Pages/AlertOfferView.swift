import Kernel
package import Tracking
package import WebCore

/// The offer to choose an alert mode: after the first tracker, and again with the first alerts. Recommends *Only when
/// sure*.
struct AlertOfferView: Sendable {
    /// One mode, as a button.
    struct Choice: Sendable {
        let choiceMode: String
        let choiceLabel: String
        let choiceHint: String?
        let choiceStyle: String
    }

    let offerTitle: String
    let offerNote: String
    let offerAction: String
    let offerChoices: [Choice]
    /// The page after the choice.
    let destination: String

    init(_ offer: AlertOffer, destination: String, language: Language) {
        let words = AlertStrings.of(language)
        offerAction = TrackingPath.alerts + "?_method=patch"
        self.destination = destination
        switch offer {
        case .firstChoice:
            offerTitle = words.askTitle
            offerNote = words.askNote
            offerChoices = AlertMode.recommendedFirst.map { mode in
                Choice(
                    choiceMode: mode.rawValue,
                    choiceLabel: mode.isRecommended ? words.recommendedLabel : words.label(of: mode),
                    choiceHint: words.hint(of: mode),
                    choiceStyle: mode.isRecommended ? "button-primary" : "button-secondary"
                )
            }
        case .afterAlerts:
            offerTitle = words.falseAlarmTitle
            offerNote = words.hint(of: .whenSure)
            offerChoices = [
                Choice(
                    choiceMode: AlertMode.whenSure.rawValue, choiceLabel: words.whenSure, choiceHint: nil,
                    choiceStyle: "button-primary"
                )
            ]
        }
    }
}

extension AlertMode {
    /// Whether this mode is recommended. The default of the API is the other mode.
    var isRecommended: Bool { self == .whenSure }

    /// The modes in the order in which pages show them.
    static var recommendedFirst: [AlertMode] {
        allCases.filter(\.isRecommended) + allCases.filter { !$0.isRecommended }
    }
}

/// The offer of push notifications on this device, after the first tracker and at the first separation.
struct PushOfferView: Sendable {
    /// The server's public key for push subscriptions.
    let publicKey: String
    /// The occasion of the offer. *Not now* after the first tracker doesn't apply to a separation.
    let stage: String
    let pushTitle: String
    let pushOff: String
    let pushBusy: String
    let pushDenied: String
    let pushInstall: String
    let pushInsecure: String
    let pushUnsupported: String
    let pushFailed: String
    let pushTurnOn: String
    let pushNotNow: String

    /// - Parameter publicKey: `nil` when the server has push notifications disabled.
    init?(_ overview: ItemOverview, publicKey: String?, language: Language) {
        guard let publicKey, overview.tracker != nil else { return nil }
        self.publicKey = publicKey
        stage = overview.tooFarSince == nil ? "paired" : "apart"
        let words = AlertStrings.of(language).push
        pushTitle = words.title
        pushOff = words.off
        pushBusy = words.busy
        pushDenied = words.denied
        pushInstall = words.install
        pushInsecure = words.insecure
        pushUnsupported = words.unsupported
        pushFailed = words.failed
        pushTurnOn = words.turnOn
        pushNotNow = words.notNow
    }
}

/// The offer above the list of notifications, which another module renders.
package struct TrackingFeedOffer: FeedOfferSource {
    private let alerts: AlertService

    package init(services: TrackingServices) { alerts = services.alerts }

    /// Returns the offer of *Only when sure* while the list contains a person's first alerts.
    package func offer(_ context: SignedInContext) async throws -> NotificationFeedOffer? {
        guard try await alerts.offer(for: context.actor) != nil,
            try await alerts.hasAlerts(context.actor)
        else { return nil }
        let words = AlertStrings.of(context.language)
        return NotificationFeedOffer(
            title: words.falseAlarmTitle, note: words.whenSureHint, action: TrackingPath.alerts + "?_method=patch",
            fieldName: "mode", fieldValue: AlertMode.whenSure.rawValue, label: words.whenSure
        )
    }
}
