extension SourceStrings {
    static let english = SourceStrings(
        title: "Phones and apps",
        intro: "An app on a phone can report where you are, or act as an item's tracker.",
        empty: "No app is connected yet.",
        add: "Connect an app",
        kind: "App",
        ownTracks: "OwnTracks",
        ownTracksHint: "iPhone and Android, with encryption",
        osmAnd: "Traccar Client or OsmAnd",
        osmAndHint: "iPhone and Android",
        use: "It reports for",
        asPhone: "My phone",
        asTracker: "Item: {name}",
        speedUnit: "Speed unit",
        speedUnitHint:
            "OsmAnd sends metres a second, Traccar Client knots; from its version 9 on the choice doesn't matter.",
        knots: "Knots (Traccar Client)",
        kmh: "Kilometres an hour",
        mps: "Metres a second (OsmAnd)",
        mph: "Miles an hour",
        create: "Connect",
        setUpTitle: "Set up {app}",
        onlyOnce: "This is shown only once. Set the app up before you leave this page.",
        url: "Address",
        user: "User",
        password: "Password",
        passphrase: "Encryption key",
        deviceID: "Device identifier",
        serverURL: "Server address (Traccar Client)",
        webAddress: "Web address (OsmAnd)",
        copy: "Copy",
        scan: "Scan to set up",
        scanOwnTracks: "Scan this with the phone's camera: it opens OwnTracks with everything filled in.",
        scanOsmAnd: "Scan this in Traccar Client's settings: address and identifier are filled in.",
        openOwnTracks: "Open in OwnTracks",
        stepsOwnTracks: [
            "Install OwnTracks and open its settings.",
            "Choose the mode HTTP and enter the address.",
            "Turn authentication on; enter user and password.",
            "To encrypt what is sent, enter the encryption key too.",
        ],
        stepsOsmAnd: [
            "Traccar Client: enter the device identifier and the server address, then turn tracking on.",
            "OsmAnd: Trip recording, Online tracking, and enter the web address below.",
        ],
        remove: "Disconnect",
        removeTitle: "Disconnect this app?",
        removeText: "It can no longer report. What it has reported stays.",
        removed: "Disconnected",
        lastSeen: "Last report",
        neverSeen: "Nothing received yet",
        firstAwaited: "Waiting for the first position …",
        firstArrived: "The first position has arrived",
        itemTaken: "This item has a tracker. Unpair it first.",
        kindInvalid: "Choose an app.",
        secretHint: "Secrets are shown only once. If they are lost, or another person has seen them, create new ones.",
        newSecret: "New secret",
        newSecretTitle: "Create a new secret?",
        newSecretText: "The current one stops working at once. Until the new one is entered, the app can't report.",
        shownBefore: "The secrets were already shown. If you don't have them, create new ones.",
        unreachableTitle: "A phone can't reach this server",
        unreachableText: """
            Its address is {url}, which works on this computer only. Set HOMEWARD_URL to an https address that phones \
            can reach, start the server again, then set the app up.
            """
    )
}

extension GoneStrings {
    static let english = GoneStrings(
        title: "Nothing here", text: "It was deleted, or this address is wrong."
    )
}

extension UnitStrings {
    static let english = UnitStrings(
        decimalSeparator: ".",
        now: "now",
        minutesAgo: "{n}\u{a0}min ago",
        hoursAgo: "{n}\u{a0}hr ago",
        dayAgo: "1\u{a0}day ago",
        daysAgo: "{n}\u{a0}days ago",
        metres: "{n}\u{a0}m",
        kilometres: "{n}\u{a0}km",
        plusMinus: "±{n}",
        percent: "{n}\u{a0}%",
        minutes: "{n}\u{a0}min",
        hours: "{n}\u{a0}hr",
        days: "{n}\u{a0}days"
    )
}

extension QuarantineStrings {
    static let english = QuarantineStrings(
        title: "Not understood",
        intro: "Reports that arrived but could not be used, kept for 30 days.",
        empty: "Everything that arrived could be used.",
        from: "From {name}",
        unreadableNumber: "A number can't be read.",
        unreadableTime: "The time can't be read or is missing.",
        placeOutOfRange: "The place is not on Earth.",
        numberOutOfRange: "A number is beyond what can be: accuracy, altitude, speed, direction or battery.",
        timeOutOfRange: "The time is before 2000 or in the future.",
        markedInvalid: "The device said the position is not valid.",
        otherPlaceAtThatTime: "The device was at another place at that time.",
        unknownSender: "It came through the cloud, and no tracker vouches for it.",
        historyFull: "The history is full.",
        undecryptable: "It can't be decrypted. Compare the encryption key.",
        unexpectedShape: "It isn't what this app sends."
    )
}
