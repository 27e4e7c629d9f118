import Kernel
import Tracking
import WebCore

/// The texts of the list's search and order, of the result of a switch or a ring, and of the form's rules.
struct ListControlStrings: WordCatalogue {
    let search: String
    let show: String
    let showAll: String
    let noMatchTitle: String
    let noMatchText: String
    let order: String
    let byName: String
    let byPosition: String
    let orderUnknown: String
    let turningOff: String
    let turningOn: String
    let undo: String
    let ringWaits: String
    let ringTold: String
    let rang: String
    let ringFailed: String
    let ringExpired: String
    let advanced: String
    let advancedNote: String

    static func of(_ language: Language) -> ListControlStrings {
        switch language {
        case .english: english
        case .german: german
        }
    }

    /// Returns the result of a *ring*; `nil` when a later one replaced it.
    func ring(_ state: CommandState) -> String? {
        switch state {
        case .queued: ringWaits
        case .sent: ringTold
        case .applied: rang
        case .failed: ringFailed
        case .expired: ringExpired
        case .superseded: nil
        }
    }

    static let english = ListControlStrings(
        search: "Search items", show: "Search", showAll: "Show all items", noMatchTitle: "No item found",
        noMatchText: "No item's name contains “{text}”.", order: "Order", byName: "By name",
        byPosition: "Latest position", orderUnknown: "Choose one of: {orders}.", turningOff: "Turning {name} off",
        turningOn: "Turning {name} on", undo: "Undo", ringWaits: "Waiting for the tracker to connect.",
        ringTold: "The command was sent to the tracker.", rang: "The tracker rang.",
        ringFailed: "The tracker couldn't ring.", ringExpired: "The tracker didn't connect, so it didn't ring.",
        advanced: "Advanced", advancedNote: "Distances, interval and history"
    )

    static let german = ListControlStrings(
        search: "Dinge suchen", show: "Suchen", showAll: "Alle anzeigen", noMatchTitle: "Nichts gefunden",
        noMatchText: "Kein Name enthält „{text}“.", order: "Reihenfolge", byName: "Nach Name",
        byPosition: "Neueste Position", orderUnknown: "Wähle eines von: {orders}.",
        turningOff: "{name} wird ausgeschaltet", turningOn: "{name} wird eingeschaltet", undo: "Rückgängig",
        ringWaits: "Warten, bis sich der Tracker verbindet.", ringTold: "Der Befehl wurde an den Tracker gesendet.",
        rang: "Der Tracker hat geklingelt.", ringFailed: "Der Tracker konnte nicht klingeln.",
        ringExpired: "Der Tracker hat sich nicht verbunden und daher nicht geklingelt.", advanced: "Erweitert",
        advancedNote: "Abstände, Intervall und Verlauf"
    )
}
