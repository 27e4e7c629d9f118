/// The texts of the pages about deleted children.
struct FamilyDeletionStrings: Sendable {
    let title: String
    let lead: String
    let until: String
    let deletedAt: String
    let noneTitle: String
    let noneText: String
    let restore: String
    let restoreNote: String
    let erase: String
    let eraseQuestion: String
    let eraseNote: String
    let erased: String
}

extension FamilyDeletionStrings {
    static let english = FamilyDeletionStrings(
        title: "Deleted children",
        lead: "You can restore a deleted child for 7 days, with all points and rewards.",
        until: "Restorable until",
        deletedAt: "Deleted",
        noneTitle: "No deleted children",
        noneText: "Children you delete are kept here for 7 days.",
        restore: "Restore",
        restoreNote: "Points, rewards and requests come back. The child’s devices must sign in again.",
        erase: "Erase now",
        eraseQuestion: "Erase {name} now?",
        eraseNote: "{name} and all points and rewards are erased. This can’t be undone. All parents are notified.",
        erased: "The child was erased"
    )

    static let german = FamilyDeletionStrings(
        title: "Gelöschte Kinder",
        lead: "Ein gelöschtes Kind kannst du 7 Tage lang mit allen Punkten und Belohnungen wiederherstellen.",
        until: "Wiederherstellbar bis",
        deletedAt: "Gelöscht",
        noneTitle: "Keine gelöschten Kinder",
        noneText: "Kinder, die du löschst, bleiben hier 7 Tage lang.",
        restore: "Wiederherstellen",
        restoreNote: "Punkte, Belohnungen und Anfragen sind wieder da. Die Geräte des Kindes müssen sich neu anmelden.",
        erase: "Jetzt endgültig löschen",
        eraseQuestion: "{name} endgültig löschen?",
        eraseNote:
            "{name} wird mit allen Punkten und Belohnungen gelöscht. Das lässt sich nicht rückgängig machen. Alle Eltern "
            + "erfahren davon.",
        erased: "Das Kind wurde endgültig gelöscht"
    )
}
