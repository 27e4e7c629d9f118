import Kernel

/// The notification texts of one language. Words in capitals are placeholders.
struct NotificationTexts: Sendable {
    let openDetails: String
    let hiddenTitle: String
    let hiddenBody: String
    let tooFar: String
    let tooFarBy: String
    let lastSeenThereThen: String
    let lastSeenThere: String
    let lastSeenThen: String
    /// The texts by outcome of the switch command.
    let switches: [String: (title: String, body: String)]
    let switchPlain: (title: String, body: String)
    let historyFull: (title: String, body: String)
    let historyNearlyFull: (title: String, body: String)
    let accepted: (title: String, by: String, plain: String)
    let pickedUp: (title: String, by: String, plain: String)
    let delivered: (title: String, by: String, plain: String)
    let deadlineNear: String
    let deadlineAt: String
    let deadlineSoon: String
    let chorePoints: String
    let choreOnePoint: String
    let choreDone: String
    let choreDoneBy: String
    let levelReached: String
    let numberedLevelReached: String
    let levelOfChild: String
    let levelReward: String
    let family: FamilyNotificationStrings
    let testTitle: String
    let testBody: String
    let someone: String
    let names: [NoticeKind: String]

    func name(_ kind: NoticeKind) -> String { names[kind] ?? kind.rawValue }

    func parcel(_ kind: NoticeKind) -> (title: String, by: String, plain: String) {
        switch kind {
        case .packageAccepted: accepted
        case .packagePickedUp: pickedUp
        default: delivered
        }
    }

    static let english = NotificationTexts(
        openDetails: "Open details", hiddenTitle: "Homeward",
        hiddenBody: "Something new happened. Open the app to see it.",
        tooFar: "SUBJECT is too far away", tooFarBy: "SUBJECT is DISTANCE away",
        lastSeenThereThen: "Last seen \(NotificationText.timeMark) at PLACE.", lastSeenThere: "Last seen at PLACE.",
        lastSeenThen: "Last seen \(NotificationText.timeMark).",
        switches: [
            "stillOn": (
                "SUBJECT is still on",
                "The tracker did not confirm in time that it turned off. Alerts stay on. Try turning it off again."
            ),
            "stillOff": (
                "SUBJECT is still off",
                "The tracker did not confirm in time that it turned on. There are no alerts. Try turning it on again."
            ),
            "onLate": ("SUBJECT is on now", "The tracker turned on late. Alerts are on."),
            "offLate": ("SUBJECT is off now", "The tracker turned off late. There are no alerts while it is off."),
        ],
        switchPlain: ("SUBJECT was not switched", "The tracker did not confirm in time."),
        historyFull: (
            "Your history is full",
            "New positions are refused, so there are no alerts. Keep positions for fewer days, or delete an item."
        ),
        historyNearlyFull: (
            "Your history is nearly full",
            "When it is full, new positions are refused. Keep positions for fewer days, or delete an item."
        ),
        accepted: ("Package accepted", "WHO will carry “SUBJECT”.", "A carrier accepted “SUBJECT”."),
        pickedUp: ("Package picked up", "“SUBJECT” is on its way with WHO.", "“SUBJECT” is on its way."),
        delivered: ("Package delivered", "“SUBJECT” has arrived, brought by WHO.", "“SUBJECT” has arrived."),
        deadlineNear: "Deadline near", deadlineAt: "“SUBJECT” must be picked up by \(NotificationText.timeMark).",
        deadlineSoon: "“SUBJECT” must be picked up soon.", chorePoints: "SUBJECT: POINTS points",
        choreOnePoint: "SUBJECT: 1 point", choreDone: "Well done!", choreDoneBy: "Well done, CHILD!",
        levelReached: "A level is reached", numberedLevelReached: "Level LEVEL is reached",
        levelOfChild: "CHILD has earned: REWARD", levelReward: "Earned: REWARD", family: .english,
        testTitle: "Notifications work",
        testBody: "This is how Homeward notifies you.", someone: "Someone",
        names: [
            .itemTooFar: "An item is too far away", .switchNotConfirmed: "A tracker did not turn on or off in time",
            .historyFull: "The history is full",
            .packageAccepted: "A package is accepted",
            .packagePickedUp: "A package is picked up", .packageDelivered: "A package is delivered",
            .packageDeadlineNear: "A package’s deadline is near", .packageCancelled: "A delivery is cancelled",
            .packageCancellationRequested: "The other side asks to cancel",
            .packageDeliveryReported: "A carrier reports a delivery",
            .packageDisputed: "A problem is reported", .packageDecided: "An administrator decides",
            .packageLapsed: "A package wasn’t picked up in time",
            .packageNotFunded: "Your wallet doesn’t cover a reward",
            .choreAssigned: "Points for a chore",
            .levelReached: "A level is reached", .choreRequested: "A child asks for points",
            .choreDeclined: "A request is declined", .pointsUndone: "Points are taken back",
            .contractAdded: "A new contract", .parentJoined: "A parent joins the family",
            .parentLeft: "A parent leaves the family", .parentRemoval: "The removal of a parent",
            .signInCodeMade: "A parent creates a child’s sign-in code",
            .childSignedIn: "A device signs in as a child", .childDeletion: "A child is deleted or restored",
            .test: "Test",
        ]
    )

    static let german = NotificationTexts(
        openDetails: "Details öffnen", hiddenTitle: "Homeward",
        hiddenBody: "Es gibt etwas Neues. Öffne die App, um es zu sehen.",
        tooFar: "SUBJECT ist zu weit weg", tooFarBy: "SUBJECT ist DISTANCE entfernt",
        lastSeenThereThen: "Zuletzt gesehen \(NotificationText.timeMark) bei PLACE.",
        lastSeenThere: "Zuletzt gesehen bei PLACE.", lastSeenThen: "Zuletzt gesehen \(NotificationText.timeMark).",
        switches: [
            "stillOn": (
                "SUBJECT ist noch an",
                "Der Tracker hat das Ausschalten nicht rechtzeitig bestätigt. Warnungen bleiben an. "
                    + "Versuche, ihn noch einmal auszuschalten."
            ),
            "stillOff": (
                "SUBJECT ist noch aus",
                "Der Tracker hat das Einschalten nicht rechtzeitig bestätigt. Es gibt keine Warnungen. "
                    + "Versuche, ihn noch einmal einzuschalten."
            ),
            "onLate": ("SUBJECT ist jetzt an", "Der Tracker hat sich verspätet eingeschaltet. Warnungen sind an."),
            "offLate": (
                "SUBJECT ist jetzt aus",
                "Der Tracker hat sich verspätet ausgeschaltet. Solange er aus ist, gibt es keine Warnungen."
            ),
        ],
        switchPlain: ("SUBJECT wurde nicht geschaltet", "Der Tracker hat es nicht rechtzeitig bestätigt."),
        historyFull: (
            "Dein Verlauf ist voll",
            "Neue Positionen werden abgelehnt, also gibt es keine Warnungen. Behalte Positionen kürzer "
                + "oder lösche ein Ding."
        ),
        historyNearlyFull: (
            "Dein Verlauf ist fast voll",
            "Ist er voll, werden neue Positionen abgelehnt. Behalte Positionen kürzer oder lösche ein Ding."
        ),
        accepted: ("Paket angenommen", "WHO nimmt „SUBJECT“ mit.", "Ein Träger nimmt „SUBJECT“ mit."),
        pickedUp: ("Paket abgeholt", "„SUBJECT“ ist mit WHO unterwegs.", "„SUBJECT“ ist unterwegs."),
        delivered: ("Paket zugestellt", "„SUBJECT“ ist da, gebracht von WHO.", "„SUBJECT“ ist da."),
        deadlineNear: "Frist läuft ab", deadlineAt: "„SUBJECT“ muss bis \(NotificationText.timeMark) abgeholt sein.",
        deadlineSoon: "„SUBJECT“ muss bald abgeholt sein.", chorePoints: "SUBJECT: POINTS Punkte",
        choreOnePoint: "SUBJECT: 1 Punkt", choreDone: "Gut gemacht!", choreDoneBy: "Gut gemacht, CHILD!",
        levelReached: "Eine Stufe ist erreicht", numberedLevelReached: "Stufe LEVEL ist erreicht",
        levelOfChild: "CHILD hat verdient: REWARD", levelReward: "Verdient: REWARD", family: .german,
        testTitle: "Mitteilungen kommen an", testBody: "So meldet sich Homeward bei dir.", someone: "Jemand",
        names: [
            .itemTooFar: "Ein Ding ist zu weit weg",
            .switchNotConfirmed: "Ein Tracker hat nicht rechtzeitig geschaltet",
            .historyFull: "Der Verlauf ist voll",
            .packageAccepted: "Ein Paket ist angenommen",
            .packagePickedUp: "Ein Paket ist abgeholt", .packageDelivered: "Ein Paket ist zugestellt",
            .packageDeadlineNear: "Die Frist eines Pakets läuft ab",
            .packageCancelled: "Eine Lieferung ist abgebrochen",
            .packageCancellationRequested: "Die andere Seite möchte abbrechen",
            .packageDeliveryReported: "Ein Träger meldet die Zustellung",
            .packageDisputed: "Ein Problem ist gemeldet", .packageDecided: "Ein Administrator entscheidet",
            .packageLapsed: "Ein Paket wurde nicht rechtzeitig abgeholt",
            .packageNotFunded: "Deine Geldbörse deckt einen Lohn nicht", .choreAssigned: "Punkte für eine Aufgabe",
            .levelReached: "Eine Stufe ist erreicht", .choreRequested: "Ein Kind bittet um Punkte",
            .choreDeclined: "Eine Anfrage ist abgelehnt", .pointsUndone: "Punkte sind zurückgenommen",
            .contractAdded: "Ein neuer Vertrag", .parentJoined: "Ein Elternteil kommt in die Familie",
            .parentLeft: "Ein Elternteil verlässt die Familie", .parentRemoval: "Das Entfernen eines Elternteils",
            .signInCodeMade: "Ein Elternteil erstellt den Anmeldecode eines Kindes",
            .childSignedIn: "Ein Gerät meldet sich als Kind an",
            .childDeletion: "Ein Kind wird gelöscht oder wiederhergestellt", .test: "Test",
        ]
    )
}
