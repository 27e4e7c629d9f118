extension AccountsStrings {
    package static let german = AccountsStrings(
        product: "Homeward", slogan: "Finde deine Sachen, organisiere die Familie, bring Pakete der Nachbarn mit.",
        items: "Dinge", home: "Start", photos: "Fotos", settings: "Ein\u{AD}stel\u{AD}lun\u{AD}gen",
        tracking: "Tracking", trackingNote: "Wo Schlüssel, Tasche und Rad gerade sind.",
        family: "Family", familyNote: "Aufgaben, Punkte und Be\u{AD}loh\u{AD}nun\u{AD}gen für Kinder.",
        carrepsa: "Carrepsa", carrepsaNote: "Pakete, die Nachbarn mitnehmen.",
        signIn: "Anmelden", scanCode: "Code scannen", signOut: "Abmelden", register: "Konto anlegen",
        logIn: "Anmelden", signUp: "Registrieren",
        noAccountYet: "Ein Konto anlegen", accountAlready: "Ich habe ein Konto",
        forgotPassword: "Passwort vergessen?", email: "E-Mail", password: "Passwort",
        newPassword: "Neues Passwort", currentPassword: "Aktuelles Passwort", passwordHint: "8 bis 200 Zeichen",
        passwordAgain: "Gib dein Passwort noch einmal ein.",
        name: "Name", phone: "Telefon",
        phoneHint: "Am besten mit Ländervorwahl, etwa +49 151 23456789", dateOfBirth: "Geburtsdatum",
        mail: "E-Mail", mailHint: "Damit meldest du dich an.",
        phoneWhy: """
            Träger oder Besitzer deines Pakets können dich anrufen, solange es unterwegs ist. Sonst sieht niemand \
            die Nummer.
            """,
        dateOfBirthWhy: "Family unterscheidet damit Erwachsene von Kindern.", goOn: "Weiter",
        save: "Sichern", sendLink: "Link senden",
        resetExplained:
            "Wir schicken dir einen Link, mit dem du ein neues Passwort wählst. Er gilt einmal, eine Stunde lang.",
        resetByOperator:
            "Dieser Server verschickt keine E-Mails. Bitte den Administrator um einen Link für ein neues Passwort.",
        resetSent: "Wenn es ein Konto mit dieser E-Mail gibt, ist ein Link unterwegs. Sieh in deine E-Mails.",
        choosePassword: "Neues Passwort wählen", passwordChosen: "Dein Passwort ist gesetzt. Melde dich damit an.",
        linkGone: "Dieser Link gilt nicht mehr", linkGoneNote: "Er wurde schon benutzt oder ist zu alt.",
        askForNewLink: "Neuen Link anfordern", confirmEmail: "E-Mail bestätigen",
        confirmEmailNote: "Bestätige, dass diese E-Mail-Adresse dir gehört.", confirm: "Bestätigen",
        emailConfirmed: "E-Mail bestätigt", notConfirmed: "Nicht bestätigt",
        sendConfirmation: "Link noch einmal senden",
        confirmationSent: "Ein Link ist unterwegs",
        profile: "Profil", yourPhoto: "Dein Foto", alerts: "Zu weit weg",
        mapsApp: "Karten-App", appleMaps: "Apple Karten",
        googleMaps: "Google Maps", askMe: "Nicht gewählt",
        mapsNote: "Der Weg zu deinen Sachen wird in dieser App geöffnet.",
        lightOrDark: "Hell oder dunkel",
        lightOrDarkNote: "Für dieses Konto, auf allen deinen Geräten.", asTheDevice: "Wie das Gerät", light: "Hell",
        dark: "Dunkel",
        theme: "Design", themes: germanThemes, themeNote: "Ein Design ändert die Farbe von Knöpfen und Markierungen.",
        language: "Sprache", languageNote: "Auch Zahlen, Tage und Uhrzeiten werden so geschrieben.",
        automatic: "Automatisch", appearance: "Darstellung", security: "Sicherheit",
        data: "Deine Daten", devices: "Geräte",
        devicesNote: "Hier bist du angemeldet. Melde ab, was du nicht kennst.", thisDevice: "Dieses Gerät",
        lastUsed: "Zuletzt benutzt", signedInSince: "Angemeldet", revokeQuestion: "„NAME“ abmelden?",
        revoked: "Gerät abgemeldet", showMore: "Mehr zeigen", changePassword: "Passwort ändern",
        changePasswordNote: "Deine anderen Geräte werden abgemeldet.", passwordChanged: "Passwort geändert",
        export: "Alles herunterladen", exportNote: "Alles, was über dich gespeichert ist, als Zip-Datei.",
        deleteAccount: "Konto löschen",
        deleteNote: "Alles wird endgültig gelöscht und lässt sich nicht wiederherstellen.", deleteTakes: germanTakes,
        deleteQuestion: "Konto löschen?", accountDeleted: "Dein Konto ist gelöscht", saved: "Gesichert",
        signedOut: "Du bist abgemeldet", hello: "Hallo NAME",
        addPhoto: "Foto hinzufügen", noPhotos: "Noch keine Fotos",
        photosNote: "Fotos, die du für deine Dinge verwendest, bleiben hier und lassen sich wieder auswählen.",
        saveToPhone: "Auf dem Gerät sichern", delete: "Löschen", deletePhotoQuestion: "Dieses Foto löschen?",
        photoDeleted: "Foto gelöscht", photoAdded: "Foto hinzugefügt", photoFrom: "Foto vom",
        photoMissing: "Wähle ein Foto.", sizeUnknown: "Wähle small, medium oder large."
    )

    private static let germanTakes = [
        "Deine Dinge, wo sie waren, deine sicheren Orte und die Verbindung zu ihren Trackern und Telefonen.",
        """
        Bist du der einzige Elternteil einer Familie: die Kinder mit ihren Konten, Aufgaben, Punkten und Be\u{AD}loh\u{AD}nun\u{AD}gen. \
        Gibt es einen weiteren Elternteil, verlässt du die Familie nur.
        """,
        "Deine Fotos, Mitteilungen, Passkeys und alle Geräte, auf denen du angemeldet bist.",
        "In Carrepsa muss vorher alles erledigt sein: kein Paket unterwegs und nichts mehr in der Geldbörse.",
    ]

    private static let germanThemes = [
        "standard": "Standard", "ocean": "Meer", "forest": "Wald", "sunset": "Abendrot", "berry": "Beere",
        "space": "Weltraum", "candy": "Bonbon",
    ]
}
