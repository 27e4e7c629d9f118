import Kernel
import WebCore

/// The texts of the notification pages, in one language.
struct NotificationStrings: Sendable {
    /// The title of the list, and its row.
    let title: String
    /// The title of the settings.
    let settings: String
    let markAll: String
    /// For screen readers, at an unread notification.
    let unread: String
    /// The heading of the empty list.
    let nothingYet: String
    /// The note in the empty list.
    let nothingYetNote: String
    /// The link to the next page.
    let older: String
    let thisDevice: String
    /// The reason to turn notifications on.
    let reason: String
    let turnOn: String
    let turnOff: String
    let isOn: String
    let isOff: String
    /// While notifications are being turned on or off.
    let busy: String
    /// The browser blocks notifications for this site.
    let denied: String
    /// The help for a browser that blocks notifications.
    let deniedHelp: String
    /// On an iPhone outside the home screen.
    let install: String
    /// The help for adding the app to the home screen.
    let installHelp: String
    /// The page was loaded over plain http.
    let insecure: String
    /// The browser doesn't support notifications.
    let unsupported: String
    /// Turning notifications on failed.
    let failed: String
    /// Turning notifications off failed.
    let failedOff: String
    /// In browsers without scripts.
    let needsScript: String
    let sendTest: String
    let testSent: String
    let kinds: String
    /// The note below the kinds.
    let kindsNote: String
    let hideDetails: String
    /// The note on the switch.
    let hideDetailsNote: String
    let save: String
    let saved: String

    static func of(_ language: Language) -> NotificationStrings {
        switch language {
        case .english: english
        case .german: german
        }
    }
}

extension NotificationStrings {
    static let english = NotificationStrings(
        title: "Notifications", settings: "Notification settings", markAll: "Mark all as read", unread: "Unread",
        nothingYet: "Nothing yet",
        nothingYetNote: "Notifications about your items, packages and chores appear here.",
        older: "Show older", thisDevice: "This device",
        reason: "Notifications appear on this device even while Homeward is closed.",
        turnOn: "Turn on notifications", turnOff: "Turn off", isOn: "Notifications are on",
        isOff: "Notifications are off",
        busy: "One moment …", denied: "Your browser blocks notifications from Homeward",
        deniedHelp: """
            Tap the icon next to the address and allow notifications. In the installed app, allow them in the phone's \
            settings for Homeward. Then load this page again.
            """,
        install: "Add Homeward to your home screen first",
        installHelp:
            "On this device only apps on the home screen can notify you: in Safari tap Share, then “Add to Home "
            + "Screen”, open Homeward from there and come back to this page.",
        insecure: "Notifications need an address that begins with https.",
        unsupported: "This browser can’t show notifications. They still appear in your list of notifications.",
        failed: "That didn’t work: your browser’s notification service can’t be reached. Check your connection, then "
            + "try again.",
        failedOff: "That didn’t work. Check your connection, then try again.",
        needsScript: "To turn notifications on, allow scripts for this site.", sendTest: "Send a test notification",
        testSent: "Sent. It should appear in a moment.", kinds: "Notify me when",
        kindsNote: "Kinds that are off still appear in your list of notifications.", hideDetails: "Hide details",
        hideDetailsNote: "Notifications only say that something happened: no names, no places on the lock screen.",
        save: "Save", saved: "Saved"
    )

    static let german = NotificationStrings(
        title: "Mitteilungen", settings: "Mitteilungen einstellen", markAll: "Alle als gelesen markieren",
        unread: "Ungelesen", nothingYet: "Noch nichts",
        nothingYetNote: "Mitteilungen über deine Dinge, Pakete und Aufgaben erscheinen hier.",
        older: "Ältere zeigen", thisDevice: "Dieses Gerät",
        reason: "Mitteilungen erscheinen auf diesem Gerät, auch wenn Homeward geschlossen ist.",
        turnOn: "Mitteilungen einschalten", turnOff: "Ausschalten", isOn: "Mitteilungen sind an",
        isOff: "Mitteilungen sind aus", busy: "Einen Moment …",
        denied: "Dein Browser lässt keine Mitteilungen von Homeward zu",
        deniedHelp: """
            Erlaube sie dort, wo die Adresse steht: Tippe auf das Zeichen daneben. In der installierten App erlaube \
            sie in den Einstellungen des Telefons für Homeward. Lade danach diese Seite neu.
            """,
        install: "Lege Homeward zuerst auf den Home-Bildschirm",
        installHelp:
            "Auf diesem Gerät dürfen nur Apps auf dem Home-Bildschirm Mitteilungen zeigen: Tippe in Safari auf "
            + "Teilen, dann auf „Zum Home-Bildschirm“, öffne Homeward dort und komm auf diese Seite zurück.",
        insecure: "Mitteilungen brauchen eine Adresse, die mit https beginnt.",
        unsupported: "Dieser Browser kann keine Mitteilungen zeigen. In der Liste hier stehen sie trotzdem.",
        failed: "Das hat nicht geklappt: Der Mitteilungsdienst deines Browsers ist nicht erreichbar. Prüfe die "
            + "Verbindung und versuche es erneut.",
        failedOff: "Das hat nicht geklappt. Prüfe die Verbindung und versuche es erneut.",
        needsScript: "Um Mitteilungen einzuschalten, erlaube Skripte für diese Seite.",
        sendTest: "Mitteilung zur Probe senden", testSent: "Gesendet. Sie sollte gleich erscheinen.",
        kinds: "Benachrichtige mich", kindsNote: "Was hier aus ist, steht trotzdem in der Liste der Mitteilungen.",
        hideDetails: "Einzelheiten verbergen",
        hideDetailsNote:
            "Mitteilungen sagen nur, dass etwas geschehen ist: keine Namen, keine Orte auf dem Sperrbildschirm.",
        save: "Sichern", saved: "Gesichert"
    )
}
