extension FamilyStrings {
    static let german = FamilyStrings(
        common: .german, welcome: .german, dashboard: .german, person: .german, chores: .german, contract: .german,
        profile: .german, assign: .german, account: .german, units: .german, parents: .german, deletion: .german,
        child: .german
    )
}

extension FamilyCommonStrings {
    static let german = FamilyCommonStrings(
        family: "Familie",
        account: "Konto",
        home: "Start",
        cancel: "Abbrechen",
        update: "Aktualisieren",
        edit: "Bearbeiten",
        delete: "Löschen",
        undo: "Rückgängig",
        more: "Mehr anzeigen",
        movedOn:
            "Das wurde anderswo geändert. Du siehst jetzt den aktuellen Stand mit deinen Änderungen. Sichere noch "
            + "einmal, um sie zu behalten.",
        deleted: "Es ist gelöscht"
    )
}

extension FamilyWelcomeStrings {
    static let german = FamilyWelcomeStrings(
        lead: "Aufgaben erledigt, Punkte gesammelt, Belohnungen geteilt.",
        choresTitle: "Aufgaben",
        choresText: "Tisch decken, Hund ausführen: Für Erledigtes gibt es 1, 2 oder 3 Punkte.",
        rewardsTitle: "Belohnungen",
        rewardsText: "Vereinbare mit jedem Kind, was auf welcher Stufe wartet.",
        childrenTitle: "Kinder",
        childrenText: "Sie melden sich auf ihrem eigenen Gerät mit einem QR-Code an, ohne E-Mail-Adresse.",
        signIn: "Anmelden",
        register: "Registrieren",
        scan: "Code scannen"
    )
}

extension FamilyDashboardStrings {
    static let german = FamilyDashboardStrings(
        hello: "Hallo, {name}",
        add: "Hinzufügen",
        addChild: "Kind hinzufügen",
        addChore: "Aufgabe hinzufügen",
        emptyTitle: "Noch keine Kinder",
        emptyText:
            "Füge mit dem Plus oben rechts ein Kind hinzu. Danach vergibst du Punkte für Aufgaben und "
            + "vereinbarst Belohnungen.",
        gained: "{n} von {max}",
        gainedLabel: "Gesammelte Punkte",
        inAll: "{n} insgesamt",
        achievementLabel: "Punkte insgesamt",
        level: "Stufe {n}",
        levelLabel: "Erreichte Stufe",
        noContract: "Noch kein Vertrag",
        waitingOne: "1 Aufgabe zu bestätigen",
        waiting: "{n} Aufgaben zu bestätigen",
        choose: "Wähle ein Kind"
    )
}

extension FamilyPersonStrings {
    static let german = FamilyPersonStrings(
        addTitle: "Kind hinzufügen",
        editTitle: "{name} bearbeiten",
        editOwnTitle: "Profil bearbeiten",
        name: "Name",
        childName: "Name des Kindes",
        dateOfBirth: "Geburtsdatum",
        added: "{name} gehört jetzt zur Familie",
        updated: "{name} ist aktualisiert",
        ownUpdated: "Dein Profil ist aktualisiert",
        delete: "{name} löschen",
        deleteQuestion: "{name} löschen?",
        deleteText: "Alle Geräte von {name} werden abgemeldet. 7 Tage lang kannst du {name} mit allen Punkten und "
            + "Belohnungen wiederherstellen. Alle Eltern erfahren davon.",
        deleted: "{name} ist gelöscht",
        restored: "{name} ist wieder da",
        theme: "Design"
    )
}

extension FamilyChoreStrings {
    static let german = FamilyChoreStrings(
        title: "Aufgaben",
        addTitle: "Aufgabe hinzufügen",
        editTitle: "Aufgabe bearbeiten",
        name: "Name",
        namePlaceholder: "Was ist zu tun?",
        photo: "Bild der Aufgabe",
        photoHint: "Nimm ein Foto auf oder wähle eines von diesem Gerät",
        added: "„{name}“ ist hinzugefügt",
        addedTwin: "„{name}“ ist hinzugefügt. Es gibt schon eine Aufgabe mit gleichem Namen oder Bild.",
        updated: "„{name}“ ist aktualisiert",
        updatedTwin: "„{name}“ ist aktualisiert. Es gibt schon eine Aufgabe mit gleichem Namen oder Bild.",
        delete: "Aufgabe löschen",
        deleted: "„{name}“ ist gelöscht",
        restored: "„{name}“ ist wieder da",
        deleteNote: "Bereits Erledigtes behält seine Punkte.",
        noneText: "Füge eine Aufgabe hinzu, mit einem Bild, das jedes Kind versteht.",
        pictureTooLarge: "Das Bild ist größer als 10 MB. Wähle ein kleineres."
    )
}

extension FamilyContractStrings {
    static let german = FamilyContractStrings(
        title: "Vertrag hinzufügen",
        maximum: "Höchstpunktzahl",
        maximumHint: "Wie viele Punkte es zu sammeln gibt, von 1 bis 1.000.000",
        description: "Beschreibung",
        descriptionHint: "Freiwillig: was ihr vereinbart habt",
        levels: "Stufen",
        levelsHint: "Jede Stufe kommt nach der darüber. Zusammen dürfen sie nicht mehr als die Höchstpunktzahl kosten.",
        level: "Stufe {n}",
        reward: "Belohnung",
        rewardPlaceholder: "Kino, länger aufbleiben …",
        points: "Punkte",
        addLevel: "Stufe hinzufügen",
        removeLevel: "Stufe {n} entfernen",
        sum: "{n} von {max} Punkten verteilt",
        replaces:
            "Der aktuelle Vertrag von {name} endet und bleibt im Verlauf. Gesammelte Punkte beginnen wieder bei "
            + "0; die Punkte insgesamt bleiben.",
        added: "Der neue Vertrag läuft",
        history: "Verträge",
        present: "Aktueller Vertrag",
        ended: "Beendet",
        noneTitle: "Noch kein Vertrag",
        noneText: "Bis dahin zählen Punkte nur insgesamt."
    )
}

extension FamilyProfileStrings {
    static let german = FamilyProfileStrings(
        edit: "Bearbeiten",
        add: "Hinzufügen",
        addContract: "Vertrag hinzufügen",
        qrCode: "QR-Code scannen",
        assign: "Aufgaben vergeben",
        gainedPoints: "Gesammelte Punkte",
        achievementPoints: "Punkte insgesamt",
        prizeLevel: "Erreichte Stufe",
        ofMaximum: "{n} von {max}",
        rewards: "Belohnungen",
        levelNumber: "Stufe {n}",
        reached: "Erreicht",
        toGo: "noch {n}",
        lost: "Wieder verloren",
        at: "bei {n}",
        handedOver: "Übergeben",
        handOver: "Übergeben",
        handOverLabel: "„{reward}“ als übergeben markieren",
        takeBackLabel: "„{reward}“ ist noch nicht übergeben",
        markedOver: "„{reward}“ ist übergeben",
        markedBack: "„{reward}“ wartet noch",
        surplus: "{n} über der Höchstpunktzahl. Sie zählen zu den Punkten insgesamt.",
        finished: "Erledigte Aufgaben",
        noneFinished: "Hier steht, was {name} erledigt hat, mit den Punkten dafür.",
        allFinished: "Alle anzeigen",
        by: "von {name}",
        plus: "+{n}",
        undone: "Zurück\u{AD}ge\u{AD}nom\u{AD}men",
        undo: "Zurücknehmen",
        undoLabel: "{points} für „{chore}“ zurücknehmen",
        undoQuestion: "{points} für „{chore}“ zurücknehmen?",
        undoNote: "Gesammelte Punkte und Punkte insgesamt sinken wieder.",
        requests: "Wartet auf Punkte",
        decline: "Ablehnen",
        givePoints: "{points} für „{chore}“ geben",
        declineLabel: "„{chore}“ ablehnen",
        approved: "{points} für „{chore}“",
        declined: "„{chore}“ ist abgelehnt",
        tooLate: "Das wurde anderswo geändert. Sieh es dir noch einmal an.",
        devices: "Geräte",
        devicesNone: "Nirgends angemeldet",
        deviceOne: "Auf 1 Gerät angemeldet",
        deviceCount: "Auf {n} Geräten angemeldet",
        born: "Geboren am {date}",
        history: "Bisherige Verträge",
        noContractText:
            "Vereinbare mit {name} Punkte und Belohnungen. Bis dahin zählen Aufgaben nur zu den Punkten "
            + "insgesamt.",
        more: "Mehr"
    )
}

extension FamilyAssignStrings {
    static let german = FamilyAssignStrings(
        title: "Aufgaben vergeben",
        lead: "Wähle Punkte für das, was {name} erledigt hat.",
        assign: "Vergeben",
        close: "Schließen",
        pointsFor: "Punkte für {chore}",
        none: "Keine",
        noneChosen: "Wähle für mindestens eine Aufgabe 1, 2 oder 3 Punkte.",
        gone:
            "Eine gewählte Aufgabe wurde gelöscht. Es wurden keine Punkte vergeben. Prüfe die anderen und vergib "
            + "sie noch einmal.",
        booked: "{points} für {name}",
        noChoresTitle: "Noch keine Aufgaben",
        noChoresText: "Füge zuerst eine Aufgabe hinzu, dann kannst du Punkte dafür geben."
    )
}

extension FamilyAccountStrings {
    static let german = FamilyAccountStrings(
        title: "Konto",
        menu: "Hinzufügen oder abmelden",
        signOut: "Abmelden",
        invite: "Elternteil einladen",
        parents: "Eltern",
        parentsNote: "Alle Eltern der Familie sehen und können dasselbe.",
        you: "Du",
        settings: "Einstellungen",
        settingsNote: "E-Mail, Passwort, Sprache, deine Daten",
        choresNote: "Tippe auf eine Aufgabe, um sie zu ändern oder zu löschen."
    )
}

extension FamilyUnitStrings {
    static let german = FamilyUnitStrings(
        onePoint: "1 Punkt",
        points: "{n} Punkte",
        now: "jetzt",
        minutesAgo: "vor {n}\u{a0}Min.",
        hoursAgo: "vor {n}\u{a0}Std.",
        dayAgo: "vor 1\u{a0}Tag",
        daysAgo: "vor {n}\u{a0}Tagen",
        date: "{day}. {month} {year}",
        groupSeparator: ".",
        months: [
            "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
            "Dezember",
        ]
    )
}
