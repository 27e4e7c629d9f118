extension FamilyChildStrings {
    static let german = FamilyChildStrings(
        my: .german, code: .german, door: .german, devices: .german, invitation: .german, looks: .german
    )
}

extension FamilyChildPageStrings {
    static let german = FamilyChildPageStrings(
        hello: "Hallo, {name}!",
        profile: "Meine Seite",
        siblings: "Geschwister",
        goal: "Noch {n}: {reward}",
        allReached: "Alle Belohnungen geschafft!",
        noContract: "Jede Aufgabe zählt. Belohnungen gibt es mit dem nächsten Vertrag.",
        stars: "Stufe {n}",
        ask: "Ich habe etwas gemacht",
        askLead: "Tippe an, was du gemacht hast. Ein Elternteil gibt dir die Punkte.",
        askLabel: "Ich habe „{chore}“ gemacht",
        asked: "„{chore}“: Ein Elternteil sieht es sich an",
        askedNote: "Wartet auf einen Elternteil",
        noChores: "Es gibt noch keine Aufgaben. Ein Elternteil legt sie an.",
        done: "Was ich gemacht habe",
        doneNone: "Noch nichts. Erledigte Aufgaben erscheinen hier mit ihren Punkten.",
        rewards: "Meine Belohnungen",
        rewardsOf: "Belohnungen",
        doneBy: "Erledigte Aufgaben",
        handedOver: "Hast du bekommen",
        handedOverOther: "Übergeben",
        waiting: "Frag danach!",
        all: "Alle zeigen",
        celebrate: "Stufe {n} geschafft!",
        celebrateAll: "Alle Stufen geschafft!",
        great: "Toll!",
        menu: "Mehr",
        edit: "Bearbeiten",
        editTitle: "Mein Profil",
        updated: "Dein Profil ist aktualisiert",
        theme: "Design",
        devices: "Meine Geräte",
        devicesNote: "Wo du angemeldet bist",
        parents: "Eltern",
        gone: "Dieses Profil gibt es nicht mehr.",
        reachedAt: "bei {n}",
        togo: "noch {n}",
        lost: "Wieder verloren"
    )
}

extension FamilyCodeStrings {
    static let german = FamilyCodeStrings(
        title: "QR-Code",
        lead: "Mit diesem Code meldet sich {name} an.",
        stepOpen: "Öffne auf dem Gerät von {name} {site} und tippe oben rechts auf den Scan-Knopf.",
        stepScan: "Halte die Kamera über den Code. Die Kamera-App des Geräts geht auch.",
        stepOnce: "Der Code gilt einmal und läuft nach 10 Minuten ab. Danach erscheint hier ein neuer.",
        label: "Code von {name}",
        left: "Gilt noch",
        link: "Oder schicke den Link",
        copy: "Link kopieren",
        share: "Link teilen",
        show: "Code zeigen",
        again: "Neuen Code zeigen",
        offline:
            "Keine Verbindung: Es kann kein Code gezeigt werden. Sobald du wieder online bist, erscheint ein neuer.",
        failed: "Der Code konnte nicht erstellt werden. Versuche es erneut.",
        replaced: "Ein anderes Gerät zeigt einen neueren Code. Dieser gilt nicht mehr.",
        used: "{name} ist jetzt auf einem Gerät angemeldet. Hier ist ein neuer Code für ein weiteres.",
        renewed: "Hier ist ein neuer Code.",
        childGone: "{name} wurde gelöscht.",
        making: "Ein Code wird erstellt …",
        isSecret: "Wer ihn scannt, ist als {name} angemeldet. Zeig ihn niemand anderem."
    )
}

extension FamilySignInStrings {
    static let german = FamilySignInStrings(
        scanTitle: "Code scannen",
        scanLead: "Halte die Kamera über den Code, den dir ein Elternteil zeigt.",
        scanSearching: "Suche nach einem Code …",
        scanForeign: "Das ist kein Code deiner Familie. Scanne den, den dir ein Elternteil zeigt.",
        scanRefused: "Dieser Code gilt nicht mehr. Lass dir von einem Elternteil einen neuen zeigen.",
        deadTitle: "Du brauchst einen neuen Code",
        deadText: "Dieser Code gilt nicht mehr. Jeder Code gilt einmal und läuft nach 10 Minuten ab.",
        deadAsk:
            "Bitte einen Elternteil, in Homeward deine Seite zu öffnen, oben rechts auf das Plus zu tippen und den "
            + "QR-Code zu zeigen.",
        deadScan: "Scanne dann den neuen Code.",
        deadHome: "Zu deiner Familie",
        scanThrottled: "Zu viele falsche Codes. Warte eine Viertelstunde und versuche es dann erneut.",
        scanOffline: "Keine Verbindung. Prüfe sie und scanne dann erneut.",
        scanSlow:
            "Kein Code gefunden. Geh näher heran und halte still, oder bitte um einen neuen.",
        scanClosed: "Es wurde kein Code gescannt.",
        scanFound: "Anmelden …",
        scanPhoto: "Code fotografieren",
        scanPhotoUnread: "Kein Code in diesem Foto gefunden. Geh näher heran und halte still.",
        scanNoScript: "Öffne stattdessen die Kamera-App und halte sie über den Code.",
        signInPage: "Anmelden",
        title: "Bist du das?",
        signInAs: "Als {name} anmelden",
        notMe: "Das bin ich nicht",
        signedInAs: "Hier bist du als {name} angemeldet. Wenn du weitermachst, wird {name} abgemeldet.",
        welcome: "Hallo, {name}!"
    )
}

extension FamilyDeviceStrings {
    static let german = FamilyDeviceStrings(
        title: "Geräte von {name}",
        mine: "Meine Geräte",
        lead: "Die Geräte, auf denen {name} angemeldet ist. Das Abmelden wirkt sofort.",
        mineLead: "Die Geräte, auf denen du angemeldet bist.",
        lastUsed: "Zuletzt benutzt",
        current: "Dieses Gerät",
        signOut: "Abmelden",
        question: "„{device}“ abmelden?",
        signedOut: "Das Gerät ist abgemeldet",
        noneTitle: "Nirgends angemeldet",
        noneText: "Zeig einen QR-Code und scanne ihn mit dem Gerät des Kindes.",
        show: "QR-Code zeigen",
        void: "Offene Codes widerrufen",
        voidNote: "Codes, die du gezeigt oder geschickt hast, gelten dann nicht mehr.",
        voided: "Alle offenen Codes wurden widerrufen",
        more: "Mehr zeigen"
    )
}

extension FamilyInvitationStrings {
    static let german = FamilyInvitationStrings(
        title: "Elternteil einladen",
        lead:
            "Ein anderer Erwachsener kann die Familie mit dir führen: Kinder sehen, Punkte geben, Verträge schließen.",
        make: "Einladung erstellen",
        again: "Noch eine erstellen",
        note: "Der Link gilt einmal und läuft nach 24 Stunden ab. Schick ihn nur der Person, die du einlädst.",
        label: "Einladung",
        until: "Gilt bis",
        copy: "Link kopieren",
        share: "Link teilen",
        done: "Fertig",
        joinTitle: "Einer Familie beitreten",
        joinLead: "{name} lädt dich ein, die Familie gemeinsam zu führen.",
        joinNote: "Du kannst dann dasselbe sehen und tun wie {name}: Kinder, Aufgaben, Punkte und Verträge.",
        join: "Beitreten",
        joined: "Du gehörst jetzt zur Familie",
        signInFirst: "Melde dich an, um beizutreten. Ohne Konto registriere dich zuerst.",
        signIn: "Anmelden",
        register: "Registrieren",
        notNow: "Jetzt nicht",
        forGrownUps: "Diese Einladung ist für Erwachsene.",
        unknown: "Diese Einladung gilt nicht mehr. Bitte um eine neue."
    )
}

extension FamilyAppearanceStrings {
    static let german = FamilyAppearanceStrings(
        theme: "Design",
        avatar: "Avatar",
        photo: "Eigenes Foto",
        photoLabel: "Foto für den Avatar",
        themes: [
            "standard": "Klassisch",
            "ocean": "Meer",
            "forest": "Wald",
            "sunset": "Abendrot",
            "berry": "Beere",
            "space": "Weltraum",
            "candy": "Süßigkeiten",
        ],
        avatars: [
            "bear": "Bär",
            "cat": "Katze",
            "dinosaur": "Dinosaurier",
            "dog": "Hund",
            "fox": "Fuchs",
            "frog": "Frosch",
            "lion": "Löwe",
            "octopus": "Krake",
            "owl": "Eule",
            "panda": "Panda",
            "penguin": "Pinguin",
            "rabbit": "Hase",
            "rocket": "Rakete",
            "star": "Stern",
            "turtle": "Schildkröte",
            "unicorn": "Einhorn",
        ]
    )
}
