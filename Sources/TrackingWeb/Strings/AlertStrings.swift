import Tracking
import WebCore

/// The words around warnings and safe places, once for each language.
struct AlertStrings: Sendable {
    let title: String
    let intro: String
    let modeTitle: String
    let everyTime: String
    let everyTimeHint: String
    let whenSure: String
    let whenSureHint: String
    let modeSaved: String
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

    /// The catalogue of a language.
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
        intro: "When a thing is too far from your phone, you are told once, until it is back with you.",
        modeTitle: "Tell me",
        everyTime: "Every time",
        everyTimeHint: "As soon as the positions say so. Positions that are not exact can be the reason.",
        whenSure: "Only when sure",
        whenSureHint: "Counts how exact and how old positions are, and waits until several of them agree.",
        modeSaved: "Saved",
        distanceHint: "How far is too far is set at each thing, under Edit.",
        places: "Safe places",
        placesNote: "No alert while the thing is there.",
        none: "None",
        emptyTitle: "No safe places yet",
        emptyText: "At home or at work a thing may be without you. Mark such places, and no alert comes from there.",
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
        hereFailed: "The position of this phone is not known just now.",
        takeFrom: "Take the place from",
        thisPhone: "My phone",
        placeInvalid: "Choose a place on the map, or enter its degrees.",
        radiusInvalid: "Enter a whole number from 10 to 10000.",
        around: "{radius} around {place}",
        saved: "Saved",
        added: "Safe place added",
        deleteTitle: "Delete this safe place?",
        deleteText: "Things that are there without you will alert you again.",
        deleted: "Safe place deleted",
        markSafe: "Mark its place as safe",
        tooFarSince: "Too far since",
        movedOn: "This was changed elsewhere meanwhile. What you entered is still here; save again to keep it."
    )

    static let german = AlertStrings(
        title: "Warnungen",
        intro: "Ist ein Ding zu weit von deinem Telefon entfernt, erfährst du es einmal, bis es wieder bei dir ist.",
        modeTitle: "Warne mich",
        everyTime: "Jedes Mal",
        everyTimeHint: "Sobald die Positionen es sagen. Auch ungenaue Positionen können der Grund sein.",
        whenSure: "Nur wenn es sicher ist",
        whenSureHint: "Rechnet ein, wie genau und wie alt Positionen sind, und wartet, bis mehrere dasselbe sagen.",
        modeSaved: "Gesichert",
        distanceHint: "Was zu weit ist, stellst du bei jedem Ding unter Bearbeiten ein.",
        places: "Sichere Orte",
        placesNote: "Keine Warnung, solange das Ding dort ist.",
        none: "Keine",
        emptyTitle: "Noch keine sicheren Orte",
        emptyText:
            "Zu Hause oder bei der Arbeit darf ein Ding ohne dich sein. Markiere solche Orte: Von dort wird nicht gewarnt.",
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
            "Das wurde inzwischen anderswo geändert. Deine Eingabe steht noch hier; sichere erneut, um sie zu behalten."
    )
}
