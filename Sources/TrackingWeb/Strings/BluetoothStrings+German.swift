extension BluetoothStrings {
    static let german = BluetoothStrings(
        title: "Bluetooth",
        pairLead: "Schalte den Tracker ein und halte ihn neben dieses Gerät.",
        pair: "Mit Bluetooth koppeln",
        linkLead: "In der Nähe des Trackers gehen Positionen und Befehle auch direkt.",
        connect: "Mit Bluetooth verbinden",
        orCode: "Oder mit dem Code",
        unsupported: """
            Dieser Browser kann kein Bluetooth; auf iPhone und iPad kann es keiner. Kopple mit dem Code, der auf dem \
            Tracker steht: Es läuft auf dasselbe hinaus.
            """,
        progress: "Schritt {n} von {count}: {step}",
        steps: [
            BluetoothStep(step: "choose", words: "Tracker wählen"),
            BluetoothStep(step: "connect", words: "Verbinden"),
            BluetoothStep(step: "register", words: "Server fragen"),
            BluetoothStep(step: "bind", words: "Koppeln", isPairingOnly: true),
            BluetoothStep(step: "activate", words: "Einschalten", isPairingOnly: true),
        ],
        done: "Erledigt",
        now: "Läuft",
        chooserHint:
            "Wähle „Homeward …“ im Fenster des Browsers. Keiner da? Schalte Bluetooth ein und geh näher heran.",
        cancel: "Abbrechen",
        linkedTitle: "Mit Bluetooth verbunden",
        linkedText: "Solange diese Seite offen ist, gehen Positionen und Befehle direkt zum Tracker.",
        apartTitle: "Gerade nicht verbunden",
        apartText: "Der Tracker macht über das Mobilfunknetz weiter. In der Nähe verbindet er sich von selbst wieder.",
        partingLead: "Ist der Tracker hier? Einmal verbunden, ist er sofort frei, auch ohne eigenes Netz.",
        partingLinkedText: "Der Tracker wird sofort freigegeben und kann neu gekoppelt werden.",
        partingTitle: "Der Tracker wird frei",
        partingText: "Bleib noch einen Augenblick neben ihm.",
        near: "In der Nähe, per Bluetooth",
        disconnect: "Trennen",
        connectAgain: "Wieder verbinden",
        again: "Erneut versuchen",
        useCode: "Den Code nehmen",
        openAgain: "App wieder öffnen",
        problems: germanProblems,
        sayings: [
            BluetoothStatusText(saying: "paired", words: "Der Tracker ist gekoppelt und an."),
            BluetoothStatusText(
                saying: "waits", words: "Der Tracker ist gekoppelt. Er schaltet sich ein, sobald er sich meldet."),
            BluetoothStatusText(saying: "linked", words: "Mit Bluetooth verbunden."),
            BluetoothStatusText(saying: "apart", words: "Die Bluetooth-Verbindung ist zu Ende."),
            BluetoothStatusText(saying: "stopped", words: "Abgebrochen."),
            BluetoothStatusText(saying: "parting", words: "Der Tracker wird frei."),
            BluetoothStatusText(saying: "freed", words: "Der Tracker ist frei und kann neu gekoppelt werden."),
            BluetoothStatusText(
                saying: "unheard",
                words: """
                    Vielleicht weiß der Tracker noch nicht, dass er frei ist. Er erfährt es, sobald er Netz hat oder mit \
                    Bluetooth neu gekoppelt wird.
                    """),
        ]
    )

    private static let germanProblems = [
        BluetoothProblem(
            problem: "off", problemTitle: "Bluetooth ist aus",
            problemText:
                "Schalte Bluetooth in den Einstellungen dieses Geräts ein und versuche es erneut, oder nimm den Code."),
        BluetoothProblem(
            problem: "denied", problemTitle: "Der Browser darf Bluetooth nicht benutzen",
            problemText: """
                Erlaube ihm „Bluetooth“ oder „Geräte in der Nähe“ in seinen Einstellungen und in denen dieses Geräts.
                """),
        BluetoothProblem(
            problem: "cancelled", problemTitle: "Kein Tracker gewählt",
            problemText: "Keiner in der Liste? Schalte Bluetooth und den Tracker ein und halte ihn neben dieses Gerät."),
        BluetoothProblem(
            problem: "range", problemTitle: "Der Tracker ist nicht zu erreichen",
            problemText: "Halte ihn neben dieses Gerät und versuche es erneut."),
        BluetoothProblem(
            problem: "lost", problemTitle: "Die Verbindung ist abgerissen",
            problemText: "Nichts wurde gekoppelt. Lass den Tracker neben diesem Gerät und versuche es erneut."),
        BluetoothProblem(
            problem: "apart", problemTitle: "Die Verbindung ist abgerissen",
            problemText:
                "Der Tracker macht über das Mobilfunknetz weiter. Halte ihn neben dieses Gerät, um ihn zu verbinden.",
            next: "again"),
        BluetoothProblem(
            problem: "silent", problemTitle: "Der Tracker antwortet nicht",
            problemText: "Nichts wurde gekoppelt. Schalte ihn aus und ein und versuche es erneut."),
        BluetoothProblem(
            problem: "wrong", problemTitle: "Das ist kein Tracker von Homeward",
            problemText: "Versuche es erneut und wähle den, dessen Name mit „Homeward“ beginnt."),
        BluetoothProblem(
            problem: "other", problemTitle: "Das ist ein anderer Tracker",
            problemText: "Gekoppelt ist hier ein anderer. Versuche es erneut und wähle jenen.", next: "again"),
        BluetoothProblem(
            problem: "taken", problemTitle: "Dieser Tracker lässt sich nicht koppeln",
            problemText: "Er gehört einer anderen Person, die ihn zuerst entkoppeln muss."),
        BluetoothProblem(
            problem: "bound", problemTitle: "Dieser Tracker gehört schon jemandem",
            problemText: "Wer ihn gekoppelt hat, muss ihn zuerst entkoppeln. Dann ist er frei für dich."),
        BluetoothProblem(
            problem: "releasing", problemTitle: "Der Tracker wird noch frei",
            problemText: "Er muss das zuerst seinem Server melden. Warte eine Minute und versuche es erneut.",
            next: "again"),
        BluetoothProblem(
            problem: "malformed", problemTitle: "Der Tracker hat abgelehnt",
            problemText: "Er konnte die Anfrage nicht lesen. Versuche es erneut; bleibt es dabei, nimm den Code."),
        BluetoothProblem(
            problem: "signature", problemTitle: "Der Tracker hat abgelehnt",
            problemText: "Die Anfrage ist nicht von dem Server signiert, den er kennt. Nichts wurde gekoppelt."),
        BluetoothProblem(
            problem: "replayed", problemTitle: "Der Tracker hat abgelehnt",
            problemText: "Diese Anfrage wurde schon benutzt. Versuche es erneut: Es wird eine neue erstellt."),
        BluetoothProblem(
            problem: "expired", problemTitle: "Der Tracker hat abgelehnt",
            problemText: "Die Anfrage kam zu spät. Versuche es erneut: Es wird eine neue erstellt."),
        BluetoothProblem(
            problem: "foreign", problemTitle: "Der Tracker hat abgelehnt",
            problemText: "Er ist bei einem anderen Homeward-Server angemeldet und muss zuerst dort entkoppelt werden."),
        BluetoothProblem(
            problem: "refused", problemTitle: "Der Tracker hat abgelehnt",
            problemText: "Nichts wurde gekoppelt. Versuche es erneut, oder nimm den Code."),
        BluetoothProblem(
            problem: "server", problemTitle: "Der Server ist nicht zu erreichen",
            problemText: "Lass den Tracker hier, prüfe deine Internetverbindung und versuche es erneut.",
            next: "again"),
        BluetoothProblem(
            problem: "locked", problemTitle: "Die App ist gesperrt",
            problemText: "Nichts wurde gekoppelt. Entsperre die App und versuche es erneut.", next: "open"),
        BluetoothProblem(
            problem: "signedOut", problemTitle: "Du bist abgemeldet",
            problemText: "Nichts wurde gekoppelt. Melde dich wieder an und versuche es noch einmal.", next: "open"),
        BluetoothProblem(
            problem: "declined", problemTitle: "Das ging nicht",
            problemText: "Nichts wurde gekoppelt. Versuche es erneut, oder nimm den Code."),
        BluetoothProblem(
            problem: "failed", problemTitle: "Das ging nicht",
            problemText: "Versuche es erneut, oder nimm den Code."),
    ]
}
