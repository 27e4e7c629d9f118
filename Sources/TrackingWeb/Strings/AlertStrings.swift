import Kernel
import Tracking
import WebCore

/// The texts about alerts and safe places, once per language.
struct AlertStrings: Sendable {
    let title: String
    let intro: String
    let modeTitle: String
    let everyTime: String
    let everyTimeHint: String
    let whenSure: String
    let whenSureHint: String
    let modeSaved: String
    let recommended: String
    let recommendedLabel: String
    let askTitle: String
    let askNote: String
    let falseAlarmTitle: String
    let push: PushOfferStrings
    let distanceHint: String

    let places: String
    let placesNote: String
    let none: String
    let emptyTitle: String
    let emptyText: String
    let add: String
    let edit: String
    let name: String
    let namePlaceholder: String
    let nameHint: String
    let radius: String
    let radiusHint: String
    let metres: String
    let latitude: String
    let longitude: String
    let degreesHint: String
    let map: String
    let mapHint: String
    let here: String
    let hereFailed: String
    let takeFrom: String
    let thisPhone: String
    let placeInvalid: String
    let radiusInvalid: String
    let around: String
    let saved: String
    let added: String
    let deleteTitle: String
    let deleteText: String
    let deleted: String
    let markSafe: String
    let tooFarSince: String
    let movedOn: String

    /// Returns the texts of a language.
    static func of(_ language: Language) -> AlertStrings {
        switch language {
        case .english: english
        case .german: german
        }
    }

    func label(of mode: AlertMode) -> String {
        switch mode {
        case .everyTime: everyTime
        case .whenSure: whenSure
        }
    }

    func hint(of mode: AlertMode) -> String {
        switch mode {
        case .everyTime: everyTimeHint
        case .whenSure: whenSureHint
        }
    }
}

extension AlertStrings {
    static let english = AlertStrings(
        title: "Alerts",
        intro:
            "You get one alert when an item is too far from your phone. "
            + "The next one comes only after the item was back with you.",
        modeTitle: "Alert me",
        everyTime: "Every time",
        everyTimeHint: "At once. Positions are inexact, so many alerts are false, even with the item in your pocket.",
        whenSure: "Only when sure",
        whenSureHint: "A few minutes later, but almost never false: several exact positions must agree.",
        modeSaved: "Saved",
        recommended: "Recommended",
        recommendedLabel: "Only when sure (recommended)",
        askTitle: "When do you want an alert?",
        askNote:
            "An alert says that an item is too far from your phone. You can change this under Settings, Too far away.",
        falseAlarmTitle: "False alarm? Get alerts only when sure",
        push: .english,
        distanceHint: "Set the distance of each item under Edit.",
        places: "Safe places",
        placesNote: "No alert while the item is there.",
        none: "None",
        emptyTitle: "No safe places yet",
        emptyText: "Items can stay at home or at work without you. Mark these places to get no alerts from there.",
        add: "Add a safe place",
        edit: "Safe place",
        name: "Name",
        namePlaceholder: "Home, work, school",
        nameHint: "1–50 characters",
        radius: "Radius",
        radiusHint: "10 to 10,000 metres",
        metres: "m",
        latitude: "Latitude",
        longitude: "Longitude",
        degreesHint: "Degrees, for example {example}",
        map: "Map of the safe place",
        mapHint: "Tap the map to move the place, or enter its degrees below.",
        here: "Use this phone’s position",
        hereFailed: "The position of this phone isn’t known right now.",
        takeFrom: "Take the place from",
        thisPhone: "My phone",
        placeInvalid: "Choose a place on the map, or enter its degrees.",
        radiusInvalid: "Enter a whole number from 10 to 10000.",
        around: "{radius} around {place}",
        saved: "Saved",
        added: "Safe place added",
        deleteTitle: "Delete this safe place?",
        deleteText: "Items that are there without you will cause alerts again.",
        deleted: "Safe place deleted",
        markSafe: "Mark its place as safe",
        tooFarSince: "Too far since",
        movedOn: "This was changed elsewhere. Your entries are still here. Save again to keep them."
    )

    static let german = AlertStrings(
        title: "Warnungen",
        intro:
            "Du bekommst eine Warnung, wenn ein Ding zu weit von deinem Telefon entfernt ist. "
            + "Die nächste kommt erst, nachdem es wieder bei dir war.",
        modeTitle: "Warne mich",
        everyTime: "Jedes Mal",
        everyTimeHint:
            "Sofort. Positionen sind ungenau: Viele Warnungen sind falsch, auch mit dem Ding in der Tasche.",
        whenSure: "Nur wenn es sicher ist",
        whenSureHint: "Einige Minuten später, aber fast nie falsch: Mehrere genaue Positionen müssen übereinstimmen.",
        modeSaved: "Gesichert",
        recommended: "Empfohlen",
        recommendedLabel: "Nur wenn es sicher ist (empfohlen)",
        askTitle: "Wann möchtest du gewarnt werden?",
        askNote:
            "Gewarnt wird, wenn ein Ding zu weit von deinem Telefon ist. Ändern kannst du das unter Einstellungen, Zu weit weg.",
        falseAlarmTitle: "Fehlalarm? Lass dich nur warnen, wenn es sicher ist",
        push: .german,
        distanceHint: "Den Abstand stellst du bei jedem Ding unter Bearbeiten ein.",
        places: "Sichere Orte",
        placesNote: "Keine Warnung, solange das Ding dort ist.",
        none: "Keine",
        emptyTitle: "Noch keine sicheren Orte",
        emptyText:
            "Dinge können ohne dich zu Hause oder bei der Arbeit bleiben. "
            + "Markiere diese Orte, um von dort keine Warnungen zu bekommen.",
        add: "Sicheren Ort hin\u{AD}zu\u{AD}fügen",
        edit: "Sicherer Ort",
        name: "Name",
        namePlaceholder: "Zuhause, Arbeit, Schule",
        nameHint: "1–50 Zeichen",
        radius: "Radius",
        radiusHint: "10 bis 10.000 Meter",
        metres: "m",
        latitude: "Breitengrad",
        longitude: "Längengrad",
        degreesHint: "Grad, zum Beispiel {example}",
        map: "Karte des sicheren Orts",
        mapHint: "Tippe auf die Karte, um den Ort zu verschieben, oder gib unten seine Grade ein.",
        here: "Position dieses Telefons nehmen",
        hereFailed: "Die Position dieses Telefons ist gerade nicht bekannt.",
        takeFrom: "Ort übernehmen von",
        thisPhone: "Mein Telefon",
        placeInvalid: "Wähle einen Ort auf der Karte oder gib seine Grade ein.",
        radiusInvalid: "Gib eine ganze Zahl von 10 bis 10000 ein.",
        around: "{radius} um {place}",
        saved: "Gesichert",
        added: "Sicherer Ort hinzugefügt",
        deleteTitle: "Diesen sicheren Ort löschen?",
        deleteText: "Für Dinge, die ohne dich dort sind, wird wieder gewarnt.",
        deleted: "Sicherer Ort gelöscht",
        markSafe: "Diesen Ort als sicher markieren",
        tooFarSince: "Zu weit entfernt seit",
        movedOn:
            "Das wurde anderswo geändert. Deine Eingaben stehen noch hier. Sichere erneut, um sie zu behalten."
    )
}
