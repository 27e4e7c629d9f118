package import Kernel

/// The strings of offline pages, queued changes, updates, and installing.
package struct OfflineStrings: Sendable {
    package let asOf: String
    package let missingTitle: String
    package let missingText: String
    package let openable: String
    package let lockedTitle: String
    package let lockedText: String
    package let retry: String
    package let waiting: String
    package let waitingTitle: String
    package let waitingLead: String
    package let waitingRefused: String
    package let waitingNone: String
    package let waitingSignIn: String
    package let waitingUnlock: String
    package let sendNow: String
    package let close: String
    package let discard: String
    package let discardTitle: String
    package let reopen: String
    package let queued: String
    package let sent: String
    package let refusedChip: String
    package let refused: String
    package let refusedConflict: String
    package let refusedGone: String
    package let refusedForbidden: String
    package let refusedInvalid: String
    package let full: String
    package let signOutTitle: String
    package let signOutText: String
    package let signOut: String
    package let update: String
    package let reload: String
    package let installTitle: String
    package let install: String
    package let installNote: String
    package let installByHand: String

    /// The strings in `language`.
    package static func of(_ language: Language) -> OfflineStrings {
        switch language {
        case .english: english
        case .german: german
        }
    }

    package static let english = OfflineStrings(
        asOf: "No connection. Last updated",
        missingTitle: "No connection",
        missingText: "This page needs a connection, or hasn't been opened on this device yet.",
        openable: "These open without one",
        lockedTitle: "Locked",
        lockedText: "Unlocking needs a connection.",
        retry: "Try again",
        waiting: "Waiting",
        waitingTitle: "Waiting changes",
        waitingLead: "Made without a connection. They are sent in this order as soon as it is back.",
        waitingRefused: "These weren't accepted. Open each one to correct it, or discard it.",
        waitingNone: "Everything was sent.",
        waitingSignIn: "Sign in to send them.",
        waitingUnlock: "Unlock to send them.",
        sendNow: "Send now",
        close: "Close",
        discard: "Discard",
        discardTitle: "Discard this change?",
        reopen: "Open the form again",
        queued: "No connection: kept on this device, and sent when it is back.",
        sent: "What was waiting has been sent.",
        refusedChip: "Not sent",
        refused: "A change that was waiting wasn't accepted.",
        refusedConflict:
            "Not sent: this was changed elsewhere. Nothing was overwritten, and your entries are kept.",
        refusedGone: "Not sent: it is no longer there.",
        refusedForbidden: "Not sent: you may not do this any more.",
        refusedInvalid: "Not sent:",
        full: "Too many changes are waiting: this one was not kept. Try again with a connection.",
        signOutTitle: "Sign out and lose what wasn't sent?",
        signOutText: "Changes on this device that are still waiting:",
        signOut: "Sign out",
        update: "There is a new version.",
        reload: "Reload",
        installTitle: "This app",
        install: "Install on this device",
        installNote: "Opens like any other app, also without a connection.",
        installByHand: "To keep it on an iPhone or iPad: in Safari tap Share, then “Add to Home Screen”."
    )

    package static let german = OfflineStrings(
        asOf: "Keine Verbindung. Zuletzt aktualisiert",
        missingTitle: "Keine Verbindung",
        missingText: "Diese Seite braucht eine Verbindung, oder sie war auf diesem Gerät noch nie offen.",
        openable: "Diese öffnen sich ohne",
        lockedTitle: "Gesperrt",
        lockedText: "Zum Entsperren braucht es eine Verbindung.",
        retry: "Erneut versuchen",
        waiting: "Wartet",
        waitingTitle: "Wartende Änderungen",
        waitingLead: "Ohne Verbindung gemacht. Sie werden in dieser Reihenfolge gesendet, sobald sie wieder da ist.",
        waitingRefused: "Diese wurden nicht angenommen. Öffne sie zum Berichtigen noch einmal, oder verwirf sie.",
        waitingNone: "Alles wurde gesendet.",
        waitingSignIn: "Melde dich an, um sie zu senden.",
        waitingUnlock: "Entsperre, um sie zu senden.",
        sendNow: "Jetzt senden",
        close: "Schließen",
        discard: "Verwerfen",
        discardTitle: "Diese Änderung verwerfen?",
        reopen: "Formular wieder öffnen",
        queued: "Keine Verbindung: auf diesem Gerät aufgehoben und gesendet, sobald sie wieder da ist.",
        sent: "Was gewartet hat, ist gesendet.",
        refusedChip: "Nicht gesendet",
        refused: "Eine wartende Änderung wurde nicht angenommen.",
        refusedConflict: """
            Nicht gesendet: Das wurde anderswo geändert. Nichts wurde überschrieben, und deine Eingaben sind aufgehoben.
            """,
        refusedGone: "Nicht gesendet: Das gibt es nicht mehr.",
        refusedForbidden: "Nicht gesendet: Das darfst du nicht mehr.",
        refusedInvalid: "Nicht gesendet:",
        full: "Es warten zu viele Änderungen: Diese wurde nicht aufgehoben. Versuche es mit Verbindung erneut.",
        signOutTitle: "Abmelden und Ungesendetes verlieren?",
        signOutText: "Änderungen auf diesem Gerät, die noch warten:",
        signOut: "Abmelden",
        update: "Es gibt eine neue Version.",
        reload: "Neu laden",
        installTitle: "Diese App",
        install: "Auf diesem Gerät installieren",
        installNote: "Öffnet sich wie jede andere App, auch ohne Verbindung.",
        installByHand: "Auf iPhone oder iPad behalten: in Safari auf „Teilen“ tippen, dann „Zum Home-Bildschirm“."
    )
}
