package import Accounts
package import Kernel
package import Storage
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

    init(_ offer: AlertOffer, destination: String, t: Translator) {
        offerAction = TrackingPath.alerts + "?_method=patch"
        self.destination = destination
        switch offer {
        case .firstChoice:
            offerTitle = t("When do you want an alert?")
            offerNote = t(
                """
                Alerts say that an item is too far from your phone. You get none until you choose. You can change this \
                in Settings, Too far away.
                """
            )
            offerChoices = AlertMode.recommendedFirst.map { mode in
                Choice(
                    choiceMode: mode.rawValue,
                    choiceLabel: mode.isRecommended ? t("Only when sure (recommended)") : mode.label(t),
                    choiceHint: mode.hint(t),
                    choiceStyle: mode.isRecommended ? "button-primary" : "button-secondary"
                )
            }
        case .afterAlerts:
            offerTitle = t("False alarm? Get alerts only when sure")
            offerNote = AlertMode.whenSure.hint(t)
            offerChoices = [
                Choice(
                    choiceMode: AlertMode.whenSure.rawValue, choiceLabel: t("Only when sure"), choiceHint: nil,
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
    init?(_ overview: ItemOverview, publicKey: String?, t: Translator) {
        guard let publicKey, overview.tracker != nil else { return nil }
        self.publicKey = publicKey
        stage = overview.tooFarSince == nil ? "paired" : "apart"
        pushTitle = t("Get a notification when you leave an item behind")
        pushOff = t(
            """
            Alerts appear on this device even while Homeward is closed. But to notice that you left something, \
            Homeward must be open, or an app such as OwnTracks must report this phone’s position.
            """
        )
        pushBusy = t("One moment …")
        pushDenied = t(
            """
            Your browser blocks notifications from Homeward. Tap the icon next to the address and allow \
            notifications, then reload this page.
            """
        )
        pushInstall = t(
            """
            On this device notifications work from the home screen only: in Safari tap Share, then “Add to Home \
            Screen”, and open Homeward from there.
            """
        )
        pushInsecure = t("Notifications need an address that begins with https.")
        pushUnsupported = t(
            """
            This browser can’t show notifications. Open Homeward in another browser. Until then, alerts are listed \
            under the bell.
            """
        )
        pushFailed = t(
            """
            That didn’t work: your browser’s notification service can’t be reached. Check your connection, then try \
            again.
            """
        )
        pushTurnOn = t("Turn on notifications")
        pushNotNow = t("Not now")
    }
}

/// The offer above the list of notifications, which another module renders.
package struct TrackingFeedOffer: FeedOfferSource {
    private let alerts: AlertService

    package init(services: TrackingServices) { alerts = services.alerts }

    /// Returns whether the list contains a person's first alerts.
    package func hasOffer(for actor: Actor, in tx: Transaction) throws -> Bool {
        try alerts.isOfferedInFeed(of: actor, in: tx)
    }

    /// Returns the offer of *Only when sure*.
    package func offer(_ t: Translator) -> NotificationFeedOffer {
        NotificationFeedOffer(
            title: t("False alarm? Get alerts only when sure"),
            note: AlertMode.whenSure.hint(t),
            action: TrackingPath.alerts + "?_method=patch",
            fieldName: "mode", fieldValue: AlertMode.whenSure.rawValue, label: AlertMode.whenSure.label(t)
        )
    }
}
