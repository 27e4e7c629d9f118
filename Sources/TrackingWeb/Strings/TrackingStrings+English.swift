import Kernel

extension TrackingStrings {
    static let english = TrackingStrings(
        common: .english, list: .english, form: .english, details: .english, history: .english, pairing: .english,
        sources: .english, quarantine: .english, gone: .english, units: .english
    )
}

extension CommonStrings {
    static let english = CommonStrings(
        items: "Items",
        home: "Home",
        settings: "Settings",
        save: "Save",
        cancel: "Cancel",
        delete: "Delete",
        edit: "Edit",
        done: "Done",
        later: "Later",
        lost: "Lost",
        near: "Near",
        apart: "Apart",
        noNews: "No news",
        noPosition: "No position yet",
        changedElsewhere: "This was changed on another device. Review it before you save.",
        changedTo: "Changed elsewhere to {value}"
    )
}

extension ListStrings {
    static let english = ListStrings(
        title: "Items",
        add: "Add item",
        emptyTitle: "Nothing to find yet",
        emptyText: "Add your keys, your bag, your bike: anything that you don't want to lose.",
        more: "Show more",
        choose: "Choose an item",
        phones: "Phones and apps",
        noTracker: "No tracker",
        noPhonePosition: "Distance unknown",
        switchLabel: "Tracker of {name}",
        turningOn: "Turning on… (pending)",
        turningOff: "Turning off… (pending)",
        notConfirmed: "The tracker has not answered",
        stillOn: "The tracker has not answered and is still on",
        stillOff: "The tracker has not answered and is still off",
        batteryLow: "Battery low: {percent}",
        silent: "No report for {time}",
        deleted: "Item deleted",
        registering: "Pairing…",
        releasing: "Letting go…",
        noSwitch: "Phone app",
        off: "Off",
        offSince: "Off since"
    )
}

extension FormStrings {
    static let english = FormStrings(
        addTitle: "Add item",
        editTitle: "Edit item",
        name: "Name",
        namePlaceholder: "Enter item's name",
        nameHint: "1–50 characters",
        nameEmpty: "Enter a name.",
        nameTooLong: "Use at most 50 characters.",
        nameTooManyBytes: "This text is too long. Use fewer emoji or accents.",
        nameControl: "Remove characters that aren't allowed.",
        photo: "Photo",
        pictureInvalid: "Choose a JPEG, PNG, WebP or HEIC picture.",
        pictureTooLarge: "Choose a picture of at most 10 MB.",
        pictureTooManyPixels: "This picture has too many pixels. Choose a smaller one.",
        pictureDamaged: "This picture is damaged or incomplete. Choose another one.",
        pictureAgain: "Choose the photo again: it was not kept.",
        pictureChanged: "The photo was changed elsewhere to this one:",
        pictureRemoved: "The photo was removed elsewhere.",
        quoted: "“{text}”",
        settingsTitle: "Rules",
        locateMinutes: "Ask for the position every",
        locateMinutesHint: "1 to 1,440 minutes",
        lostMetres: "Lost when farther away than",
        lostMetresHint: "1 to 100,000 metres",
        alertMetres: "Warn when farther away than",
        alertMetresHint: "1 to 100,000 metres",
        walkMetres: "Walk when at most",
        walkMetresHint: "0 to 100,000 metres; farther by public transport",
        minutesUnit: "min",
        metresUnit: "m",
        outOfRange: "Enter a whole number: {range}.",
        deleteItem: "Delete item",
        deleteTitle: "Delete {name}?",
        deleteText: "All its positions are deleted. This can't be undone.",
        deleteTextPhoto: "Its photo is deleted too, from your photos as well.",
        deleteTextPhotoShared: "Its photo stays, because another item uses it.",
        deleteTextTracker: "Its tracker turns itself off and can be paired again.",
        saved: "Saved"
    )
}

extension DetailsStrings {
    static let english = DetailsStrings(
        phoneUnknown: "Your position isn't known, so the distance can't be told.",
        navigate: "Navigate",
        locate: "Locate now",
        locating: "Asking {name} where it is…",
        ring: "Ring",
        ringing: "Asking {name} to ring…",
        chooseMaps: "Navigate with",
        chooseMapsHint: "You can change this in Settings.",
        mapsChoices: "Choose one of these maps apps: {apps}.",
        appleMaps: "Apple Maps",
        googleMaps: "Google Maps",
        cannotLocate: "This tracker reports automatically and can't be asked.",
        turnedOff: "The tracker is turned off. Turn it on first.",
        history: "History",
        older: "Load older",
        all: "All positions",
        map: "Map of the latest positions of {name}",
        lastPlace: "Last position",
        tracker: "Tracker",
        noTracker: "No tracker is paired.",
        pair: "Pair a tracker",
        manage: "Manage",
        state: "State",
        battery: "Battery",
        lastSeen: "Last report",
        never: "Never",
        mode: "Link",
        silentText: "It may be out of reach or out of power.",
        batteryText: "Charge it soon, or it can't tell where it is.",
        distance: "{distance} away",
        export: "Export",
        exportHint: "All positions as a file",
        showOnMap: "Show on the map",
        registering: "Pairing…",
        bound: "Paired, waiting for the first report",
        active: "On",
        off: "Off",
        releasing: "Letting go…",
        bluetooth: "Bluetooth",
        cellular: "Mobile network"
    )
}

extension HistoryStrings {
    static let english = HistoryStrings(
        title: "History",
        format: "Choose one of {formats}.",
        empty: "No position yet",
        time: "Time",
        place: "Place",
        accuracy: "Accuracy",
        battery: "Battery",
        source: "From",
        tracker: "Tracker",
        ownTracks: "OwnTracks",
        osmAnd: "Traccar or OsmAnd",
        phone: "Phone"
    )
}

extension PairingStrings {
    static let english = PairingStrings(
        title: "Pair a tracker",
        sheetText: "{name} is in your list. A tracker shows you where it is.",
        bluetooth: "Bluetooth",
        bluetoothHint: "The tracker lies next to this phone",
        code: "Code",
        codeHint: "It is printed on the tracker",
        codeLabel: "Claim code",
        codePlaceholder: "Such as K7QF-2M9X-TR4C",
        codeHelp: "Letters and digits as printed on the tracker. Capitals and hyphens don't matter.",
        codeMissing: "Enter the code.",
        codeWrong: "No tracker is waiting with this code. Compare it with the one on the tracker.",
        codeThrottled: "Too many wrong codes. Wait {time} and try again.",
        pair: "Pair",
        paired: "{name} is paired",
        unpair: "Unpair",
        unpairTitle: "Unpair this tracker?",
        unpairText: "It turns itself off and can be paired again. The positions of {name} stay.",
        unpaired: "Unpaired",
        phoneInstead: "Use a phone as tracker",
        phoneInsteadHint: "With OwnTracks, Traccar Client or OsmAnd",
        removeSourceHint: "This is a phone app. Remove it to pair another tracker."
    )
}
