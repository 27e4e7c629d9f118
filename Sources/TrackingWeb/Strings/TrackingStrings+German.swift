import Kernel

extension TrackingStrings {
    static let german = TrackingStrings(
        common: .german, list: .german, form: .german, details: .german, history: .german, pairing: .german,
        sources: .german, quarantine: .german, gone: .german, units: .german
    )
}

extension CommonStrings {
    static let german = CommonStrings(
        items: "Dinge",
        home: "Start",
        settings: "Ein\u{AD}stel\u{AD}lun\u{AD}gen",
        save: "Sichern",
        cancel: "Abbrechen",
        delete: "Löschen",
        edit: "Be\u{AD}ar\u{AD}bei\u{AD}ten",
        done: "Fertig",
        later: "Später",
        lost: "Verloren",
        near: "In der Nähe",
        apart: "Getrennt",
        noNews: "Keine Meldung",
        noPosition: "Noch keine Position",
        changedElsewhere: "Das wurde auf einem anderen Gerät geändert. Sieh es dir noch einmal an, bevor du sicherst.",
        changedTo: "Inzwischen geändert in {value}"
    )
}

extension ListStrings {
    static let german = ListStrings(
        title: "Dinge",
        add: "Ding hinzufügen",
        emptyTitle: "Noch nichts zu finden",
        emptyText: "Füge Schlüssel, Tasche oder Fahrrad hinzu: alles, was du nicht verlieren willst.",
        more: "Mehr anzeigen",
        choose: "Wähle ein Ding",
        phones: "Telefone und Apps",
        noTracker: "Kein Tracker",
        noPhonePosition: "Entfernung unbekannt",
        switchLabel: "Tracker von {name}",
        turningOn: "Wird eingeschaltet … (ausstehend)",
        turningOff: "Wird ausgeschaltet … (ausstehend)",
        notConfirmed: "Der Tracker hat nicht geantwortet",
        stillOn: "Der Tracker hat nicht geantwortet und ist noch an",
        stillOff: "Der Tracker hat nicht geantwortet und ist noch aus",
        batteryLow: "Batterie schwach: {percent}",
        silent: "Keine Meldung seit {time}",
        deleted: "Ding gelöscht",
        registering: "Wird gekoppelt …",
        releasing: "Wird freigegeben …",
        noSwitch: "Telefon-App",
        off: "Aus",
        offSince: "Aus seit"
    )
}

extension FormStrings {
    static let german = FormStrings(
        addTitle: "Neues Ding",
        editTitle: "Be\u{AD}ar\u{AD}bei\u{AD}ten",
        name: "Name",
        namePlaceholder: "Name des Dings",
        nameHint: "1–50 Zeichen",
        nameEmpty: "Gib einen Namen ein.",
        nameTooLong: "Nimm höchstens 50 Zeichen.",
        nameTooManyBytes: "Dieser Text ist zu lang. Nimm weniger Emojis oder Akzente.",
        nameControl: "Entferne Zeichen, die nicht erlaubt sind.",
        photo: "Foto",
        pictureInvalid: "Wähle ein Bild in JPEG, PNG, WebP oder HEIC.",
        pictureTooLarge: "Wähle ein Bild von höchstens 10 MB.",
        pictureTooManyPixels: "Dieses Bild hat zu viele Pixel. Wähle ein kleineres.",
        pictureDamaged: "Dieses Bild ist beschädigt oder unvollständig. Wähle ein anderes.",
        pictureAgain: "Wähle das Foto noch einmal: Es wurde nicht behalten.",
        pictureChanged: "Das Foto wurde inzwischen in dieses geändert:",
        pictureRemoved: "Das Foto wurde inzwischen entfernt.",
        quoted: "„{text}“",
        settingsTitle: "Regeln",
        locateMinutes: "Position erfragen alle",
        locateMinutesHint: "1 bis 1.440 Minuten",
        lostMetres: "Verloren, wenn weiter weg als",
        lostMetresHint: "1 bis 100.000 Meter",
        alertMetres: "Warnen, wenn weiter weg als",
        alertMetresHint: "1 bis 100.000 Meter",
        walkMetres: "Zu Fuß bis höchstens",
        walkMetresHint: "0 bis 100.000 Meter; weiter mit Bus und Bahn",
        minutesUnit: "min",
        metresUnit: "m",
        outOfRange: "Gib eine ganze Zahl ein: {range}.",
        deleteItem: "Ding löschen",
        deleteTitle: "{name} löschen?",
        deleteText: "Alle Positionen werden gelöscht. Das lässt sich nicht rückgängig machen.",
        deleteTextPhoto: "Auch das Foto wird gelöscht, auch aus deinen Fotos.",
        deleteTextPhotoShared: "Das Foto bleibt, weil ein anderes Ding es verwendet.",
        deleteTextTracker: "Der Tracker schaltet sich aus und kann neu gekoppelt werden.",
        saved: "Gesichert"
    )
}

extension DetailsStrings {
    static let german = DetailsStrings(
        phoneUnknown: "Dein Standort ist nicht bekannt, daher gibt es keine Entfernung.",
        navigate: "Navigieren",
        locate: "Jetzt orten",
        locating: "{name} wird gefragt, wo es ist …",
        ring: "Klingeln",
        ringing: "{name} soll klingeln …",
        chooseMaps: "Navigieren mit",
        chooseMapsHint: "In den Einstellungen kannst du das ändern.",
        mapsChoices: "Wähle eine dieser Karten-Apps: {apps}.",
        appleMaps: "Apple Karten",
        googleMaps: "Google Maps",
        cannotLocate: "Dieser Tracker meldet sich von selbst; fragen lässt er sich nicht.",
        turnedOff: "Der Tracker ist ausgeschaltet. Schalte ihn zuerst ein.",
        history: "Verlauf",
        older: "Ältere laden",
        all: "Alle Positionen",
        map: "Karte der letzten Positionen von {name}",
        lastPlace: "Letzte Position",
        tracker: "Tracker",
        noTracker: "Kein Tracker gekoppelt.",
        pair: "Tracker koppeln",
        manage: "Verwalten",
        state: "Zustand",
        battery: "Batterie",
        lastSeen: "Letzte Meldung",
        never: "Nie",
        mode: "Verbindung",
        silentText: "Der Tracker ist vielleicht außer Reichweite oder leer.",
        batteryText: "Lade ihn bald, sonst kann er sich nicht mehr melden.",
        distance: "{distance} entfernt",
        export: "Exportieren",
        exportHint: "Alle Positionen als Datei",
        showOnMap: "Auf der Karte zeigen",
        registering: "Wird gekoppelt …",
        bound: "Gekoppelt, wartet auf die erste Meldung",
        active: "An",
        off: "Aus",
        releasing: "Wird freigegeben …",
        bluetooth: "Bluetooth",
        cellular: "Mobilfunk"
    )
}

extension HistoryStrings {
    static let german = HistoryStrings(
        title: "Verlauf",
        format: "Wähle eines von {formats}.",
        empty: "Noch keine Position",
        time: "Zeit",
        place: "Ort",
        accuracy: "Genauigkeit",
        battery: "Batterie",
        source: "Von",
        tracker: "Tracker",
        ownTracks: "OwnTracks",
        osmAnd: "Traccar oder OsmAnd",
        phone: "Telefon"
    )
}

extension PairingStrings {
    static let german = PairingStrings(
        title: "Tracker koppeln",
        sheetText: "{name} steht in deiner Liste. Ein Tracker sagt dir, wo es ist.",
        bluetooth: "Bluetooth",
        bluetoothHint: "Der Tracker liegt neben diesem Telefon",
        code: "Code",
        codeHint: "Er steht auf dem Tracker",
        codeLabel: "Code des Trackers",
        codePlaceholder: "Etwa K7QF-2M9X-TR4C",
        codeHelp: "Buchstaben und Ziffern, wie sie auf dem Tracker stehen. Großschreibung und Striche sind egal.",
        codeMissing: "Gib den Code ein.",
        codeWrong: "Mit diesem Code wartet kein Tracker. Vergleiche ihn mit dem auf dem Tracker.",
        codeThrottled: "Zu viele falsche Codes. Warte {time} und versuche es dann erneut.",
        pair: "Koppeln",
        paired: "{name} ist gekoppelt",
        unpair: "Entkoppeln",
        unpairTitle: "Diesen Tracker entkoppeln?",
        unpairText: "Er schaltet sich aus und kann neu gekoppelt werden. Die Positionen von {name} bleiben.",
        unpaired: "Entkoppelt",
        phoneInstead: "Ein Telefon als Tracker nehmen",
        phoneInsteadHint: "Mit OwnTracks, Traccar Client oder OsmAnd",
        removeSourceHint: "Das ist eine Telefon-App. Trenne sie, um einen anderen Tracker zu koppeln."
    )
}

extension SourceStrings {
    static let german = SourceStrings(
        title: "Telefone und Apps",
        intro: "Eine App auf einem Telefon kann melden, wo du bist, oder der Tracker eines Dings sein.",
        empty: "Noch keine App verbunden.",
        add: "Neue App",
        kind: "App",
        ownTracks: "OwnTracks",
        ownTracksHint: "iPhone und Android, mit Verschlüsselung",
        osmAnd: "Traccar Client oder OsmAnd",
        osmAndHint: "iPhone und Android",
        use: "Sie meldet für",
        asPhone: "Mein Telefon",
        asTracker: "Ding: {name}",
        speedUnit: "Einheit der Geschwindigkeit",
        speedUnitHint:
            "OsmAnd sendet Meter je Sekunde, Traccar Client Knoten; ab seiner Version 9 ist die Wahl gleich.",
        knots: "Knoten (Traccar Client)",
        kmh: "Kilometer je Stunde",
        mps: "Meter je Sekunde (OsmAnd)",
        mph: "Meilen je Stunde",
        create: "Verbinden",
        setUpTitle: "{app} einrichten",
        onlyOnce: "Das wird nur einmal gezeigt. Richte die App ein, bevor du diese Seite verlässt.",
        url: "Adresse",
        user: "Benutzer",
        password: "Passwort",
        passphrase: "Schlüssel",
        deviceID: "Gerätekennung",
        serverURL: "Serveradresse (Traccar Client)",
        webAddress: "Web-Adresse (OsmAnd)",
        copy: "Kopieren",
        scan: "Zum Einrichten scannen",
        scanOwnTracks: "Scanne dies mit der Kamera des Telefons: OwnTracks öffnet sich fertig ausgefüllt.",
        scanOsmAnd: "Scanne dies in den Einstellungen von Traccar Client: Adresse und Kennung sind dann ausgefüllt.",
        openOwnTracks: "In OwnTracks öffnen",
        stepsOwnTracks: [
            "Installiere OwnTracks und öffne die Einstellungen.",
            "Wähle den Modus HTTP und gib die Adresse ein.",
            "Schalte die Anmeldung ein; gib Benutzer und Passwort ein.",
            "Um zu verschlüsseln, was gesendet wird, gib auch den Schlüssel ein.",
        ],
        stepsOsmAnd: [
            "Traccar Client: Gib Gerätekennung und Serveradresse ein und schalte die Ortung an.",
            "OsmAnd: Wähle Streckenaufzeichnung, Online-Ortung und gib die Web-Adresse von unten ein.",
        ],
        remove: "Trennen",
        removeTitle: "Diese App trennen?",
        removeText: "Sie kann nichts mehr melden. Was sie gemeldet hat, bleibt.",
        removed: "Getrennt",
        lastSeen: "Letzte Meldung",
        neverSeen: "Noch nichts empfangen",
        firstAwaited: "Warte auf die erste Position …",
        firstArrived: "Die erste Position ist angekommen",
        itemTaken: "Dieses Ding hat einen Tracker. Entkopple ihn zuerst.",
        kindInvalid: "Wähle eine App.",
        secretHint:
            "Geheimnisse werden nur einmal gezeigt. Sind sie verloren oder hat sie jemand anderes gesehen, erzeuge neue.",
        newSecret: "Neues Geheimnis",
        newSecretTitle: "Neues Geheimnis erzeugen?",
        newSecretText: "Das jetzige gilt sofort nicht mehr. Bis das neue eingetragen ist, kann die App nichts melden.",
        shownBefore:
            "Die Geheimnisse wurden schon gezeigt. Hast du sie nicht, erzeuge neue.",
        unreachableTitle: "Ein Telefon erreicht diesen Server nicht",
        unreachableText: """
            Seine Adresse ist {url}; sie gilt nur auf diesem Computer. Setze HOMEWARD_URL auf eine https-Adresse, die \
            Telefone erreichen, starte den Server neu und richte dann die App ein.
            """
    )
}

extension GoneStrings {
    static let german = GoneStrings(
        title: "Hier ist nichts", text: "Es wurde gelöscht, oder die Adresse stimmt nicht."
    )
}

extension UnitStrings {
    static let german = UnitStrings(
        decimalSeparator: ",",
        now: "jetzt",
        minutesAgo: "vor {n}\u{a0}Min.",
        hoursAgo: "vor {n}\u{a0}Std.",
        dayAgo: "vor 1\u{a0}Tag",
        daysAgo: "vor {n}\u{a0}Tagen",
        metres: "{n}\u{a0}m",
        kilometres: "{n}\u{a0}km",
        plusMinus: "±{n}",
        percent: "{n}\u{a0}%",
        minutes: "{n}\u{a0}Min.",
        hours: "{n}\u{a0}Std.",
        days: "{n}\u{a0}Tagen"
    )
}

extension QuarantineStrings {
    static let german = QuarantineStrings(
        title: "Nicht verstanden",
        intro: "Meldungen, die ankamen, aber nicht zu gebrauchen waren; 30 Tage aufbewahrt.",
        empty: "Alles, was ankam, war zu gebrauchen.",
        from: "Von {name}",
        unreadableNumber: "Eine Zahl ist nicht lesbar.",
        unreadableTime: "Die Zeit ist nicht lesbar oder fehlt.",
        placeOutOfRange: "Der Ort liegt nicht auf der Erde.",
        numberOutOfRange: "Eine Zahl ist unmöglich: Genauigkeit, Höhe, Geschwindigkeit, Richtung oder Akku.",
        timeOutOfRange: "Die Zeit liegt vor 2000 oder in der Zukunft.",
        markedInvalid: "Das Gerät selbst hielt die Position für ungültig.",
        otherPlaceAtThatTime: "Das Gerät war zu dieser Zeit an einem anderen Ort.",
        unknownSender: "Es kam durch die Cloud, und kein Tracker steht dafür ein.",
        historyFull: "Der Verlauf ist voll.",
        undecryptable: "Nicht zu entschlüsseln. Vergleiche den Schlüssel.",
        unexpectedShape: "Das ist nicht, was diese App sendet."
    )
}
