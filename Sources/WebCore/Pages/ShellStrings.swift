/// The strings of the shell, of its components and of the scripts.
package struct ShellStrings: Sendable {
    /// Skip to content
    package let skip: String
    /// Back
    package let back: String
    /// Cancel
    package let cancel: String
    /// OK
    package let ok: String
    /// Close
    package let close: String
    /// Undo
    package let undo: String
    /// Try again
    package let retry: String
    /// Main sections
    package let navigation: String
    /// No connection. What you see may be old.
    package let offline: String
    /// Back online
    package let reconnected: String
    /// That didn't work. Check your connection and try again.
    package let failed: String
    /// Saving…
    package let sending: String
    /// Copied
    package let copied: String
    /// Discard what you typed?
    package let discardTitle: String
    /// Discard
    package let discard: String
    /// Keep editing
    package let keepEditing: String
    /// This is no longer there.
    package let gone: String
    /// now
    package let justNow: String
    /// Photo
    package let photoChoose: String
    /// Select from photo library
    package let photoFromLibrary: String
    /// Take a new photo
    package let photoTake: String
    /// Take photo
    package let photoShutter: String
    /// Retake
    package let photoRetake: String
    /// OK
    package let photoOK: String
    /// Switch camera
    package let photoSwitchCamera: String
    /// Photos
    package let photoLibraryTitle: String
    /// Choose from this phone
    package let photoFromPhone: String
    /// Photos that you use appear here.
    package let photoLibraryEmpty: String
    /// Save to phone
    package let photoSave: String
    /// Uploading photo
    package let photoUploading: String
    /// Photo added
    package let photoUploaded: String
    /// This photo is larger than 10 MB. Choose a smaller one.
    package let photoTooLarge: String
    /// This file isn't a photo we can read. Choose a JPEG, PNG, WebP or HEIC.
    package let photoNotPicture: String
    /// The photo couldn't be uploaded. Check your connection and try again.
    package let photoFailed: String
    /// Your photos couldn't be loaded.
    package let photoLibraryFailed: String
    /// See how far away your things are
    package let positionAsk: String
    /// While this page is open, your phone's position is compared with your things'.
    package let positionWhy: String
    /// Use my position
    package let positionAllow: String
    /// Position is turned off for this site. Allow it in your browser's settings to see distances.
    package let positionDenied: String
    /// Your phone can't tell where it is right now.
    package let positionUnavailable: String
    /// You are here
    package let mapMe: String
    /// Map
    package let mapLabel: String
    /// Zoom in
    package let mapZoomIn: String
    /// Zoom out
    package let mapZoomOut: String
    /// Show all positions
    package let mapFit: String
    /// Newest position
    package let mapNewest: String
    /// accurate to
    package let mapAccuracy: String

    /// The strings of a language.
    package static func of(_ language: Language) -> ShellStrings {
        switch language {
        case .english: english
        case .german: german
        }
    }
}

extension ShellStrings {
    /// English.
    package static let english = ShellStrings(
        skip: "Skip to content",
        back: "Back",
        cancel: "Cancel",
        ok: "OK",
        close: "Close",
        undo: "Undo",
        retry: "Try again",
        navigation: "Main sections",
        offline: "No connection. What you see may be old.",
        reconnected: "Back online",
        failed: "That didn't work. Check your connection and try again.",
        sending: "Saving…",
        copied: "Copied",
        discardTitle: "Discard what you typed?",
        discard: "Discard",
        keepEditing: "Keep editing",
        gone: "This is no longer there.",
        justNow: "now",
        photoChoose: "Photo",
        photoFromLibrary: "Select from photo library",
        photoTake: "Take a new photo",
        photoShutter: "Take photo",
        photoRetake: "Retake",
        photoOK: "OK",
        photoSwitchCamera: "Switch camera",
        photoLibraryTitle: "Photos",
        photoFromPhone: "Choose from this phone",
        photoLibraryEmpty: "Photos that you use appear here.",
        photoSave: "Save to phone",
        photoUploading: "Uploading photo",
        photoUploaded: "Photo added",
        photoTooLarge: "This photo is larger than 10 MB. Choose a smaller one.",
        photoNotPicture: "This file isn't a photo we can read. Choose a JPEG, PNG, WebP or HEIC.",
        photoFailed: "The photo couldn't be uploaded. Check your connection and try again.",
        photoLibraryFailed: "Your photos couldn't be loaded.",
        positionAsk: "See how far away your things are",
        positionWhy: "While this page is open, your phone's position is compared with your things'.",
        positionAllow: "Use my position",
        positionDenied: "Position is turned off for this site. Allow it in your browser's settings to see distances.",
        positionUnavailable: "Your phone can't tell where it is right now.",
        mapMe: "You are here",
        mapLabel: "Map",
        mapZoomIn: "Zoom in",
        mapZoomOut: "Zoom out",
        mapFit: "Show all positions",
        mapNewest: "Newest position",
        mapAccuracy: "accurate to"
    )

    /// German.
    package static let german = ShellStrings(
        skip: "Zum Inhalt",
        back: "Zurück",
        cancel: "Abbrechen",
        ok: "OK",
        close: "Schließen",
        undo: "Rückgängig",
        retry: "Erneut versuchen",
        navigation: "Hauptbereiche",
        offline: "Keine Verbindung. Die Anzeige kann veraltet sein.",
        reconnected: "Wieder verbunden",
        failed: "Das hat nicht geklappt. Prüfe die Verbindung und versuche es erneut.",
        sending: "Wird gesichert …",
        copied: "Kopiert",
        discardTitle: "Eingaben verwerfen?",
        discard: "Verwerfen",
        keepEditing: "Weiter bearbeiten",
        gone: "Das gibt es nicht mehr.",
        justNow: "jetzt",
        photoChoose: "Foto",
        photoFromLibrary: "Aus Fotos auswählen",
        photoTake: "Neues Foto aufnehmen",
        photoShutter: "Auslösen",
        photoRetake: "Wiederholen",
        photoOK: "OK",
        photoSwitchCamera: "Kamera wechseln",
        photoLibraryTitle: "Fotos",
        photoFromPhone: "Von diesem Gerät wählen",
        photoLibraryEmpty: "Hier erscheinen deine verwendeten Fotos.",
        photoSave: "Auf dem Gerät sichern",
        photoUploading: "Foto wird hochgeladen",
        photoUploaded: "Foto hinzugefügt",
        photoTooLarge: "Das Foto ist größer als 10 MB. Wähle ein kleineres.",
        photoNotPicture: "Diese Datei ist kein lesbares Foto. Wähle JPEG, PNG, WebP oder HEIC.",
        photoFailed: "Das Foto konnte nicht hochgeladen werden. Prüfe die Verbindung und versuche es erneut.",
        photoLibraryFailed: "Deine Fotos konnten nicht geladen werden.",
        positionAsk: "Sieh, wie weit deine Dinge entfernt sind",
        positionWhy: "Solange diese Seite offen ist, wird die Position deines Geräts mit der deiner Dinge verglichen.",
        positionAllow: "Meine Position verwenden",
        positionDenied: """
            Der Standort ist für diese Seite gesperrt. Erlaube ihn in den Browser-Einstellungen, um Entfernungen \
            zu sehen.
            """,
        positionUnavailable: "Dein Gerät kann seine Position gerade nicht bestimmen.",
        mapMe: "Du bist hier",
        mapLabel: "Karte",
        mapZoomIn: "Vergrößern",
        mapZoomOut: "Verkleinern",
        mapFit: "Alle Positionen zeigen",
        mapNewest: "Neueste Position",
        mapAccuracy: "auf"
    )
}
