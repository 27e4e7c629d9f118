/// The texts of the offer of push notifications, once per language.
struct PushOfferStrings: Sendable {
    let title: String
    let off: String
    let busy: String
    let denied: String
    let install: String
    let insecure: String
    let unsupported: String
    let failed: String
    let turnOn: String
    let notNow: String

    static let english = PushOfferStrings(
        title: "Get a notification when you leave an item behind",
        off:
            "Alerts appear on this device even while Homeward is closed. But to notice that you left something, "
            + "Homeward must be open, or an app such as OwnTracks must report this phone’s position.",
        busy: "One moment …",
        denied:
            "Your browser blocks notifications from Homeward. Tap the icon next to the address and allow "
            + "notifications, then reload this page.",
        install:
            "On this device notifications work from the home screen only: in Safari tap Share, then “Add to "
            + "Home Screen”, and open Homeward from there.",
        insecure: "Notifications need an address that begins with https.",
        unsupported:
            "This browser can’t show notifications. Open Homeward in another browser. Until then, alerts are "
            + "listed under the bell.",
        failed:
            "That didn’t work: your browser’s notification service can’t be reached. Check your connection, "
            + "then try again.",
        turnOn: "Turn on notifications",
        notNow: "Not now"
    )

    static let german = PushOfferStrings(
        title: "Mitteilung, wenn du etwas zurücklässt",
        off:
            "Warnungen erscheinen auf diesem Gerät, auch wenn Homeward geschlossen ist. Damit auffällt, dass etwas "
            + "liegen bleibt, muss aber Homeward offen sein oder eine App wie OwnTracks den Standort dieses Telefons "
            + "melden.",
        busy: "Einen Moment …",
        denied:
            "Dein Browser lässt keine Mitteilungen von Homeward zu. Tippe auf das Symbol neben der Adresse, erlaube "
            + "Mitteilungen und lade die Seite neu.",
        install:
            "Auf diesem Gerät gehen Mitteilungen nur vom Home-Bildschirm aus: Tippe in Safari auf "
            + "Teilen, dann auf „Zum Home-Bildschirm“, und öffne Homeward dort.",
        insecure: "Mitteilungen brauchen eine Adresse, die mit https beginnt.",
        unsupported:
            "Dieser Browser kann keine Mitteilungen zeigen. Öffne Homeward in einem anderen. Bis dahin stehen "
            + "Warnungen unter der Glocke.",
        failed:
            "Das ging nicht: Der Mitteilungsdienst deines Browsers ist nicht erreichbar. Prüfe die "
            + "Verbindung und versuche es erneut.",
        turnOn: "Mitteilungen einschalten",
        notNow: "Nicht jetzt"
    )
}
