package import Kernel

/// Translations of the error messages of the layers below all apps.
package enum CommonErrorMiddleware {
    /// Translates a message of Kernel, Storage or the photo library; `nil` for any other.
    package static func translation(of english: String, to language: Language) -> String? {
        switch language {
        case .english: nil
        case .german: german[english]
        }
    }

    private static let german: [String: String] = [
        "There is nothing here.": "Hier ist nichts.",
        "Sign in again.": "Melde dich erneut an.",
        "Please try again.": "Bitte versuche es noch einmal.",
        "This was already sent with other content. Reload the page and try again.":
            "Das wurde schon mit anderem Inhalt gesendet. Lade die Seite neu und versuche es noch einmal.",
        "The server is busy. Please try again in a moment.":
            "Der Server ist beschäftigt. Versuche es gleich noch einmal.",
        "Nothing can be saved at the moment. Please try again later.":
            "Im Moment lässt sich nichts sichern. Versuche es später noch einmal.",
        "This picture isn't in your library. Choose another one.":
            "Dieses Bild ist nicht unter deinen Fotos. Wähle ein anderes.",
        "Too many pictures are being worked on. Try again in a moment.":
            "Gerade werden zu viele Bilder bearbeitet. Versuche es gleich noch einmal.",
        "Pictures can't be taken at the moment. Try again later.":
            "Im Moment können keine Bilder angenommen werden. Versuche es später noch einmal.",
        "The upload took too long. Try again.": "Das Hochladen hat zu lange gedauert. Versuche es noch einmal.",
    ]
}
