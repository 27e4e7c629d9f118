extension CarrepsaStrings {
    static let german = CarrepsaStrings(
        common: .german, welcome: .german, search: .german, lists: .german, form: .german, details: .german,
        actions: .german, story: .german, people: .german, handover: .german, wallet: .german, profile: .german,
        operators: .german, units: .german
    )
}

extension CarrepsaCommonStrings {
    static let german = CarrepsaCommonStrings(
        search: "Suche", mine: "Meine Pakete", new: "Neu", deliveries: "Meine Touren", profile: "Profil",
        cancel: "Abbrechen", more: "Mehr zeigen", available: "Verfügbar", accepted: "Angenommen",
        travelling: "Unterwegs", delivered: "Zugestellt", cancelled: "Abgebrochen", disputed: "Problem gemeldet",
        unfunded: "Lohn nicht gedeckt", yours: "Deins", from: "Von", to: "Nach", reward: "Lohn",
        moneyLock: "Pfand", weight: "Gewicht"
    )
}

extension WelcomeStrings {
    static let german = WelcomeStrings(
        lead: "Nachbarn, die denselben Weg haben, nehmen dein Paket mit.",
        sendTitle: "Verschicken", sendText: "Sag, von wo nach wo, und was es dir wert ist.",
        carryTitle: "Mitnehmen", carryText: "Nimm ein Paket auf deinem Weg mit und verdiene den Lohn.",
        safeTitle: "Sicher für beide", safeText: "Lohn und Pfand werden verwahrt, bis das Paket angekommen ist.",
        signUp: "Registrieren", login: "Anmelden"
    )
}

extension SearchStrings {
    static let german = SearchStrings(
        upTo: "Bis", kilograms: "kg", show: "Zeigen", clear: "Filter löschen", filters: "Filter",
        noneTitle: "Gerade nichts mitzunehmen",
        noneText: "Neue Anfragen erscheinen hier automatisch. Hast du etwas zu verschicken?",
        noMatchTitle: "Noch nichts auf diesem Weg",
        noMatchText: "Passende neue Anfragen erscheinen hier automatisch. Die ersten Buchstaben eines Ortes genügen.",
        weightInvalid: "Gib ein Gewicht wie 2,5 ein.", lock: "Pfand {amount}", by: "bis"
    )
}

extension PackageListStrings {
    static let german = PackageListStrings(
        live: "Laufend", past: "Vergangen", show: "Welche",
        mineNoneTitle: "Du verschickst gerade nichts", mineNoneText: "Bitte deine Nachbarn, ein Paket mitzunehmen.",
        minePastNone: "Was angekommen ist oder abgebrochen wurde, steht hier.",
        deliveriesNoneTitle: "Du trägst gerade nichts", deliveriesNoneText: "Such ein Paket, das auf deinem Weg liegt.",
        deliveriesPastNone: "Was du zugestellt hast, steht hier.",
        carriedBy: "mit {name}", carriedFor: "für {name}", asksToCancel: "Abbruch erbeten",
        saysDelivered: "Zustellung bestätigen?", lapsed: "Abholfrist abgelaufen", choose: "Wähle ein Paket"
    )
}

extension PackageFormStrings {
    static let german = PackageFormStrings(
        title: "Neues Paket", name: "Titel", namePlaceholder: "Was ist es?", fromPlaceholder: "Ort oder Straße",
        toPlaceholder: "Ort oder Straße", rewardHint: "Geht bei Zustellung an den Träger. Du hast {amount}.",
        moneyLockHint: "Das hinterlegt der Träger. Geht das Paket verloren, bekommst du es.",
        more: "Weitere Angaben", moreHint: "Beschreibung, Foto, Abholtag", description: "Beschreibung",
        descriptionHint: "Größe, wo man dich findet, worauf zu achten ist", photo: "Foto", deadline: "Abholen bis",
        deadlineHint: "Wird es bis zum Ende dieses Tages nicht abgeholt, bekommen beide ihr Geld zurück.",
        submit: "Lieferung anfragen", requested: "Angefragt. {amount} sind für den Träger verwahrt.",
        tooLittle: "Das Geld reicht nicht. Du hast {amount}.",
        missing: "Fülle das aus.", tooLong: "Nimm höchstens {n} Zeichen.",
        unreadable: "Entferne Zeichen, die nicht erlaubt sind.",
        amountInvalid: "Gib einen Betrag wie {example} ein, von {least} bis {most}.",
        weightInvalid: "Gib ein Gewicht wie 2,5 ein, höchstens {most} kg.",
        deadlineInvalid: "Wähle einen Tag, der noch nicht vorbei ist.", pictureInvalid: "Wähle ein anderes Foto.",
        pictureTooLarge: "Das Foto ist größer als 10 MB. Wähle ein kleineres.",
        keyReused: "Dieses Formular wurde schon mit anderen Angaben gesendet. Lade die Seite neu."
    )
}

extension PackageStrings {
    static let german = PackageStrings(
        facts: "Angaben", people: "Beteiligte", owner: "Besitzer", carrier: "Träger", you: "Du",
        deadline: "Abholen bis", posted: "Angefragt", story: "Was geschah", statements: "Was beide Seiten sagen",
        description: "Beschreibung",
        unfundedOwner: "Solange deine Geldbörse den Lohn nicht deckt, kann niemand das Paket annehmen.",
        unfundedOthers: "Die Geldbörse des Besitzers deckt den Lohn gerade nicht; annehmen geht so nicht.",
        ownerAvailable: "Wartet auf einen Träger.",
        strangerAvailable: "Hinterlege {lock}, bring es hin und bekomme bei Zustellung {sum}.",
        ownerAccepted: "{name} holt es ab. Bestätige die Abholung, wenn du es übergibst.",
        carrierAccepted: "Hol es bei {name} ab. Bei der Übergabe bestätigt {name}, oder du gibst den Code ein.",
        ownerTravelling: "{name} bringt es hin. Bestätige, wenn es angekommen ist.",
        carrierTravelling: "Bring es hin. Wenn {name} bestätigt, bekommst du {sum}.",
        ownerReported: "{name} sagt, es ist angekommen. Bestätige das oder melde ein Problem.",
        carrierReported:
            "Du hast gemeldet, dass es angekommen ist. {name} wurde erinnert; nach 72 Stunden wird ein Administrator gefragt.",
        ownerDelivered: "Es ist angekommen. {name} hat {sum} bekommen.",
        carrierDelivered: "Es ist angekommen. Du hast {sum} bekommen.",
        cancelledText: "Abgebrochen. Alle haben ihr Geld zurück.",
        refundedText: "Ein Administrator hat es abgebrochen. Alle haben ihr Geld zurück.",
        ownerLost:
            "Ein Administrator hat entschieden: verloren. Du hast {sum} bekommen, deinen Lohn und das Pfand von {name}.",
        carrierLost: "Ein Administrator hat entschieden: verloren. Dein Pfand von {lock} ging an {name}.",
        ownerDecidedDelivered: "Ein Administrator hat entschieden: angekommen. {name} hat {sum} bekommen.",
        carrierDecidedDelivered: "Ein Administrator hat entschieden: angekommen. Du hast {sum} bekommen.",
        ownerLapsed:
            "Es kann nicht mehr angenommen werden, und dein Lohn ist zurück. Zieh die Anfrage zurück oder stell sie neu.",
        lapsed: "Die Abholfrist ist abgelaufen.",
        otherCancelled: "{name} hat deine Lieferung abgebrochen. Dein Pfand ist zurück.",
        notCollected: "Es wurde nicht rechtzeitig abgeholt. Dein Pfand ist zurück.",
        disputedText: "Ein Administrator prüft es und entscheidet. Bis dahin bleibt das Geld verwahrt.",
        iAskedToCancel: "Du möchtest abbrechen. Stimmt {name} zu, bekommen beide ihr Geld zurück.",
        otherAskedToCancel: "{name} möchte abbrechen. Stimmst du zu, bekommen beide ihr Geld zurück."
    )
}

extension ActionStrings {
    static let german = ActionStrings(
        accept: "Lieferung annehmen", acceptQuestion: "Dieses Paket mitnehmen?",
        acceptNote:
            "{lock} von deinem Geld werden verwahrt. Bei Zustellung bekommst du sie zurück, und den Lohn von {reward}.",
        accepted: "Angenommen. {lock} sind verwahrt.", withdraw: "Anfrage zurückziehen",
        withdrawQuestion: "Diese Anfrage zurückziehen?",
        withdrawNote: "Sie verschwindet, und der Lohn kommt zu dir zurück.",
        withdrawUnfundedNote: "Sie verschwindet. Geld wird keines bewegt.", withdrawn: "Anfrage zurückgezogen",
        cancelDelivery: "Lieferung abbrechen", cancelQuestion: "Diese Lieferung abbrechen?",
        cancelNoteOwner: "Der Lohn kommt zu dir zurück, das Pfand zu {name}. Das Paket wird wieder angeboten.",
        cancelNoteCarrier: "Dein Pfand kommt zurück. Das Paket wird wieder angeboten.",
        cancelledDelivery: "Lieferung abgebrochen. Das Paket wird wieder angeboten.",
        confirmPickup: "Abholung bestätigen", pickupQuestion: "Hat {name} das Paket?",
        pickupNote: "Ab jetzt könnt ihr nur noch gemeinsam abbrechen.", pickedUp: "Unterwegs",
        confirmDelivery: "Zustellung bestätigen", deliveryQuestion: "Ist es angekommen?",
        deliveryNote: "{name} bekommt {sum}. Das lässt sich nicht rückgängig machen.",
        delivered: "Zugestellt. {name} hat {sum} bekommen.",
        report: "Ich habe es zugestellt", reportQuestion: "Hast du es zugestellt?",
        reportNote: "{name} wird gebeten, es zu bestätigen.", reported: "{name} wird um Bestätigung gebeten",
        askToCancel: "Um Abbruch bitten", askQuestion: "{name} um Abbruch bitten?",
        askNote: "Stimmt {name} zu, bekommen beide ihr Geld zurück.", asked: "{name} wird gefragt",
        agreeToCancel: "Abbruch zustimmen", agreeQuestion: "Die Lieferung abbrechen?",
        agreeNote: "Beide bekommen ihr Geld zurück. Macht aus, wie das Paket zurückkommt.", agreed: "Abgebrochen",
        takeBack: "Abbruch\u{AD}wunsch zurück\u{AD}nehmen", takenBack: "Zurückgenommen", keep: "Behalten",
        dispute: "Problem melden",
        disputeText: "Ein Administrator prüft es und entscheidet. Lohn und Pfand bleiben bis dahin verwahrt.",
        disputeReason: "Was stimmt nicht?", disputeMissing: "Sag, was nicht stimmt.",
        disputeTooLong: "Nimm höchstens {n} Zeichen.", disputed: "Ein Administrator wurde gefragt",
        addStatement: "Stellung nehmen",
        statementText: "Die andere Seite und die Administratoren können es lesen. Ändern kannst du es später nicht.",
        statementLabel: "Was ist geschehen?", statementMissing: "Beschreibe, was geschehen ist.",
        statementAdded: "Hinzugefügt. {name} bekommt eine Mitteilung.", openDelivery: "Lieferung öffnen",
        tooLittleMoney: "Dein Guthaben von {amount} reicht nicht für das Pfand von {lock}.",
        notFunded: "Die Geldbörse des Besitzers deckt den Lohn nicht.",
        deadlinePassed: "Die Abholfrist ist abgelaufen.",
        tooLate: "Das geht nicht mehr: Das Paket wurde anderswo geändert.",
        taken: "Ein anderer Träger war schneller.", offerWithdrawn: "Der Besitzer hat die Anfrage zurückgezogen.",
        settled: "Das ist erledigt: Es ist keine Entscheidung mehr nötig."
    )
}

extension PackageHistoryStrings {
    static let german = PackageHistoryStrings(
        posted: "Angefragt", withdrawn: "Anfrage zurückgezogen", accepted: "Angenommen",
        cancelled: "Lieferung abgebrochen", pickedUp: "Abholung bestätigt",
        pickedUpByCode: "Abgeholt, mit Code belegt", reported: "Als zugestellt gemeldet",
        delivered: "Zustellung bestätigt", deliveredByCode: "Zugestellt, mit Code belegt",
        cancellationRequested: "Um Abbruch gebeten", cancellationRetracted: "Bittet nicht mehr um Abbruch",
        cancellationAgreed: "Dem Abbruch zugestimmt", disputed: "Problem gemeldet", statement: "Stellungnahme",
        decidedDelivered: "Administrator: gilt als zugestellt",
        decidedRefunded: "Administrator: beide bekommen ihr Geld zurück",
        decidedLost: "Administrator: verloren, der Besitzer wird entschädigt",
        expired: "Nicht rechtzeitig abgeholt, Geld zurückgegeben", asked: "Administrator gefragt",
        notFunded: "Ein Träger wollte annehmen, aber der Lohn war nicht gedeckt"
    )
}

extension PeopleStrings {
    static let german = PeopleStrings(former: "Ehemaliges Mitglied")
}

extension HandoverStrings {
    static let german = HandoverStrings(
        title: "Übergabe belegen",
        pickupText: "Mit einem Code könnt ihr beide belegen, dass das Paket übergeben wurde. Das ist freiwillig.",
        deliveryText: "Mit einem Code könnt ihr beide belegen, dass das Paket ankam. Das ist freiwillig.",
        show: "Meinen Code zeigen", yours: "Dein Code",
        yoursText: "{name} scannt ihn mit der Kamera des Telefons oder tippt die Ziffern.", until: "Gilt bis",
        enter: "Code von {name} eingeben", enterHintOwner: "{name} zeigt ihn auf dem Telefon.",
        enterHintCarrier: "{name} zeigt ihn auf dem Telefon. Damit bestätigst du für beide.", code: "Code",
        confirm: "Mit Code bestätigen", missing: "Gib den Code ein.",
        wrong: "Das ist nicht der Code von {name}. Vergleiche die Ziffern.",
        back: "Paket"
    )
}

extension WalletStrings {
    static let german = WalletStrings(
        title: "Geldbörse", balance: "Guthaben", held: "Verwahrt",
        heldText: "Lohn und Pfand von laufenden Paketen. Sie sind weder ausgegeben noch verloren.",
        heldNothing: "Gerade ist nichts verwahrt.", entries: "Umsätze",
        none: "Noch hat sich kein Geld bewegt.", when: "Wann", after: "Guthaben danach", number: "Nummer",
        rewardOf: "Lohn",
        lockOf: "Pfand", openPackage: "Paket öffnen",
        welcome: "Willkommen", welcomeText: "Dein erstes Guthaben.",
        topUp: "Aufgeladen", topUpText: "Ein Administrator hat das in deine Geldbörse gelegt.",
        payOut: "Ausgezahlt", payOutText: "Ein Administrator hat dir das ausgezahlt.",
        rewardHeld: "Lohn verwahrt", rewardHeldText: "Er geht bei Zustellung an den Träger oder kommt zu dir zurück.",
        lockHeld: "Pfand verwahrt", lockHeldText: "Es kommt bei Zustellung zu dir zurück.",
        rewardBack: "Lohn zurück", rewardBackText: "Es wurde abgebrochen oder nicht rechtzeitig abgeholt.",
        lockBack: "Pfand zurück", lockBackText: "Es wurde abgebrochen oder nicht rechtzeitig abgeholt.",
        earned: "Zugestellt", earnedText: "Der Lohn, und dein Pfand zurück.",
        compensation: "Entschädigung",
        compensationText: "Das Paket ging verloren: das Pfand des Trägers, und dein Lohn zurück.",
        paid: "An den Träger gezahlt", paidText: "Das Paket wurde zugestellt.",
        cameBack: "Es kam zu dir zurück.", forfeited: "Verfallen: Das Paket ging verloren, und es ging an den Besitzer."
    )
}

extension ProfileStrings {
    static let german = ProfileStrings(
        name: "Name", phone: "Telefon", mail: "E-Mail", notGiven: "Nicht angegeben",
        phoneHint: "Am besten mit Ländervorwahl, etwa +49 151 23456789", mailHint: "Damit meldest du dich an.",
        operators: "Für Administratoren", disputes: "Strittige Pakete", ledger: "Zustand des Hauptbuchs", more: "Mehr",
        settings: "Konto und Einstellungen", home: "Alle Apps", call: "Anrufen", write: "Schreiben",
        hiddenTitle: "Kontaktdaten sind verborgen",
        hiddenText:
            "Solange ein Paket angenommen oder unterwegs ist, seht ihr Telefonnummer und E-Mail-Adresse voneinander."
    )
}

extension OperatorStrings {
    static let german = OperatorStrings(
        disputes: "Strittig", noneTitle: "Nichts strittig", noneText: "Kein Paket wartet auf eine Entscheidung.",
        decide: "Entscheiden",
        decideText:
            "Geh nach dem, was gemeldet wurde und was geschah. Beide können deine Anmerkung lesen. Es gilt endgültig.",
        note: "Anmerkung", noteHint: "Beide können sie lesen.",
        deliveredLabel: "Es wurde zugestellt", deliveredNote: "{carrier} bekommt {sum}.",
        refundedLabel: "Die Lieferung abbrechen", refundedNote: "{owner} bekommt {reward} zurück, {carrier} {lock}.",
        notYet: "Noch nicht",
        lostLabel: "Es ist verloren", lostNote: "{owner} bekommt {sum}.", question: "So entscheiden?",
        decided: "Entschieden", noteTooLong: "Nimm höchstens {n} Zeichen.",
        ledger: "Hauptbuch",
        ledgerText: "Jede Buchung ist eine Hälfte einer Überweisung; alle zusammen ergeben null.",
        sum: "Summe aller Konten", sumSound: "Nichts wurde erschaffen, nichts ging verloren.",
        sumUnsound: "Das muss null sein. Rufe jetzt homeward verify auf.", accounts: "Konten",
        transfers: "Überweisungen", batches: "Versiegelte Blöcke",
        unsealed: "Noch zu versiegeln", lastBatch: "Zuletzt versiegelt", noBatch: "Noch nichts versiegelt",
        verify: "homeward verify rechnet alles nach und nennt die erste Zeile, die nicht stimmt."
    )
}

extension CarrepsaUnitStrings {
    static let german = CarrepsaUnitStrings(
        decimalSeparator: ",", kilograms: "{n}\u{a0}kg", grams: "{n}\u{a0}g", now: "jetzt",
        minutesAgo: "vor {n}\u{a0}Min.", hoursAgo: "vor {n}\u{a0}Std.", dayAgo: "vor 1\u{a0}Tag",
        daysAgo: "vor {n}\u{a0}Tagen",
        shortWeekdays: ["So", "Mo", "Di", "Mi", "Do", "Fr", "Sa"],
        shortMonths: ["Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."],
        dayAndMonth: "{weekday} {day}. {month}"
    )
}
