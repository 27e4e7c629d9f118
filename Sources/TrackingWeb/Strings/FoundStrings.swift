import Kernel
import WebCore

/// The texts of the page for finders, once per language.
struct FoundStrings: Sendable {
    let title: String
    let lead: String
    let what: String
    let product: String
    let owner: String
    let ownerNote: String
    let ownerUnknown: String
    let identifier: String
    let identifierNote: String
    let offTitle: String
    let cable: String
    let cableNote: String
    let battery: String
    let batteryNote: String
    let offNote: String
    let worryTitle: String
    let worryNote: String
    let goneTitle: String
    let goneNote: String
    /// The note about this page that an owner reads.
    let forOwner: String
    let forOwnerUnknown: String

    /// Returns the texts of a language.
    static func of(_ language: Language) -> FoundStrings {
        switch language {
        case .english: english
        case .german: german
        }
    }

    static let english = FoundStrings(
        title: "A tracker was found",
        lead:
            "This is a Homeward tracker. It tells its owner where it is, and its owner has not been near it for a while.",
        what: "Product",
        product: "Homeward tracker",
        owner: "Owner",
        ownerNote: "You may know this person. Nothing else about the owner is shown.",
        ownerUnknown: "not known to this server",
        identifier: "Identifier",
        identifierNote: "Write it down. You can ask the administrator of this server about it.",
        offTitle: "How to switch it off",
        cable: "Pull out its cable",
        cableNote: "The board has no switch: without power it is off.",
        battery: "Take out its battery",
        batteryNote: "Or unplug the battery from the board.",
        offNote: "It then no longer reports where it is. Its owner sees only that it stopped reporting.",
        worryTitle: "If you think that someone is following you",
        worryNote: "Keep the tracker, switched off. Go to a place where you are safe, and call the police.",
        goneTitle: "Nothing to see here",
        goneNote: """
            A tracker's information is valid for an hour. This is older or incomplete. Hold the tracker's button for ten \
            seconds, until it beeps, and read it again.
            """,
        forOwner:
            "A person who finds this tracker away from you sees {contact} as its owner, and nothing else about you.",
        forOwnerUnknown:
            "A person who finds this tracker away from you learns how to switch it off, and nothing about you."
    )

    static let german = FoundStrings(
        title: "Ein Tracker wurde gefunden",
        lead: """
            Das ist ein Homeward-Tracker. Er sagt seinem Besitzer, wo er ist, und sein Besitzer war eine Weile nicht in \
            seiner Nähe.
            """,
        what: "Produkt",
        product: "Homeward-Tracker",
        owner: "Besitzer",
        ownerNote: "Vielleicht weißt du, wer das ist. Mehr über den Besitzer wird nicht gezeigt.",
        ownerUnknown: "diesem Server nicht bekannt",
        identifier: "Kennung",
        identifierNote: "Schreib sie auf. Du kannst den Administrator dieses Servers danach fragen.",
        offTitle: "So schaltest du ihn aus",
        cable: "Zieh sein Kabel heraus",
        cableNote: "Die Platine hat keinen Schalter: Ohne Strom ist sie aus.",
        battery: "Nimm seinen Akku heraus",
        batteryNote: "Oder zieh den Akku von der Platine ab.",
        offNote: "Dann meldet er nicht mehr, wo er ist. Sein Besitzer sieht nur, dass er sich nicht mehr meldet.",
        worryTitle: "Wenn du glaubst, dass dir jemand folgt",
        worryNote: "Behalte den Tracker, ausgeschaltet. Geh an einen Ort, an dem du sicher bist, und ruf die Polizei.",
        goneTitle: "Hier gibt es nichts zu sehen",
        goneNote: """
            Was ein Tracker sagt, gilt eine Stunde lang, und dies ist älter oder unvollständig. Halte den Knopf des Trackers \
            zehn Sekunden lang, bis er piepst, und lies ihn noch einmal aus.
            """,
        forOwner: "Wer diesen Tracker fern von dir findet, sieht als Besitzer {contact} und sonst nichts von dir.",
        forOwnerUnknown: "Wer diesen Tracker fern von dir findet, erfährt, wie er ausgeht, und nichts von dir."
    )
}
