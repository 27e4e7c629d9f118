import Kernel
import WebCore

/// The texts of the item settings, once per language.
struct ItemSettingsStrings: Sendable {
    let title: String
    let newTitle: String
    let newNote: String
    let saved: String
    let eachTitle: String
    let eachNote: String
    let emptyNote: String
    let values: String
    let more: String

    /// Returns the texts of a language.
    static func of(_ language: Language) -> ItemSettingsStrings {
        switch language {
        case .english: english
        case .german: german
        }
    }

    static let english = ItemSettingsStrings(
        title: "Distances and interval",
        newTitle: "New items",
        newNote: "The settings of an item when you add it. An empty field is reset to its default.",
        saved: "Saved for new items",
        eachTitle: "Your items",
        eachNote: "Each item has its own.",
        emptyNote: "You have no items yet.",
        values:
            "Lost from {lost}\u{a0}m · alert from {alert}\u{a0}m · on foot up to {walk}\u{a0}m · every {minutes}\u{a0}min",
        more: "Show more"
    )

    static let german = ItemSettingsStrings(
        title: "Abstände und Intervall",
        newTitle: "Neue Dinge",
        newNote:
            "Die Einstellungen eines Dings, wenn du es hinzufügst. Ein leeres Feld wird auf die Vorgabe zurückgesetzt.",
        saved: "Für neue Dinge gesichert",
        eachTitle: "Deine Dinge",
        eachNote: "Jedes Ding hat seine eigenen.",
        emptyNote: "Du hast noch keine Dinge.",
        values:
            "Verloren ab {lost}\u{a0}m · Warnung ab {alert}\u{a0}m · zu Fuß bis {walk}\u{a0}m · alle {minutes}\u{a0}min",
        more: "Mehr anzeigen"
    )
}
