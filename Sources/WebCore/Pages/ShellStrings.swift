package import Kernel

/// The strings of the shell, its components and the scripts.
package struct ShellStrings: Sendable {
    package let skip: String
    package let back: String
    package let cancel: String
    package let ok: String
    package let close: String
    package let undo: String
    package let navigation: String
    package let offline: String
    package let reconnected: String
    package let failed: String
    package let notSent: String
    package let noAnswer: String
    package let changedElsewhere: String
    package let draftRestored: String
    package let copied: String
    package let discardTitle: String
    package let discard: String
    package let keepEditing: String
    package let justNow: String
    package let photoChoose: String
    package let photoFromLibrary: String
    package let photoTake: String
    package let photoShutter: String
    package let photoRetake: String
    package let photoOK: String
    package let photoSwitchCamera: String
    package let photoLibraryTitle: String
    package let photoFromPhone: String
    package let photoLibraryEmpty: String
    package let photoSave: String
    package let photoUploading: String
    package let photoTooLarge: String
    package let photoNotPicture: String
    package let photoFailed: String
    package let photoWaits: String
    package let photoAgain: String
    package let photoLibraryFailed: String
    package let positionAsk: String
    package let positionWhy: String
    package let positionAllow: String
    package let cameraDenied: String
    package let cameraMissing: String
    package let cameraBusy: String
    package let positionDenied: String
    package let positionUnavailable: String
    package let mapMe: String
    package let mapLabel: String
    package let mapZoomIn: String
    package let mapZoomOut: String
    package let mapNewest: String
    package let mapRecentre: String
    package let mapBackgroundFailed: String

    /// The strings in `language`.
    package static func of(_ language: Language) -> ShellStrings {
        switch language {
        case .english: english
        case .german: german
        }
    }
}

extension ShellStrings {
    package static let english = ShellStrings(
        skip: "Skip to content",
        back: "Back",
        cancel: "Cancel",
        ok: "OK",
        close: "Close",
        undo: "Undo",
        navigation: "Main sections",
        offline: "No connection. What you see may be old.",
        reconnected: "Back online",
        failed: "That didn't work. Check your connection and try again.",
        notSent: "No connection: nothing was sent. Try again.",
        noAnswer: "No response from the server. Check before you try again.",
        changedElsewhere: "This was changed elsewhere. Review it and try again.",
        draftRestored: "Your entries are restored.",
        copied: "Copied",
        discardTitle: "Discard your changes?",
        discard: "Discard",
        keepEditing: "Keep editing",
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
        photoTooLarge: "This photo is larger than 10 MB. Choose a smaller one.",
        photoNotPicture: "This file isn't a photo we can read. Choose a JPEG, PNG, WebP or HEIC.",
        photoFailed: "The photo couldn't be uploaded. Check your connection and try again.",
        photoWaits: "No connection: the photo is sent with the form.",
        photoAgain: "Choose the photo again. It was not sent yet.",
        photoLibraryFailed: "Your photos couldn't be loaded.",
        positionAsk: "See how far away your items are",
        positionWhy: "While this page is open, your phone's position is compared with your items'.",
        positionAllow: "Use my position",
        cameraDenied: """
            The camera may not be used here. Allow it in the browser's settings for this page and try \
            again, or choose a photo.
            """,
        cameraMissing: "No camera was found. Choose a photo instead.",
        cameraBusy:
            "The camera doesn't start; another app may be using it. Close that one and try again, or choose a photo.",
        positionDenied: "Position is turned off for this site. Allow it in your browser's settings to see distances.",
        positionUnavailable: "Your phone can't tell where it is right now.",
        mapMe: "You are here",
        mapLabel: "Map",
        mapZoomIn: "Zoom in",
        mapZoomOut: "Zoom out",
        mapNewest: "Newest position",
        mapRecentre: "Centre the map again",
        mapBackgroundFailed: "The map background can't be loaded."
    )

    package static let german = ShellStrings(
        skip: "Zum Inhalt",
        back: "Zurück",
        cancel: "Abbrechen",
        ok: "OK",
        close: "Schließen",
        undo: "Rückgängig",
        navigation: "Hauptbereiche",
        offline: "Keine Verbindung. Die Anzeige kann veraltet sein.",
        reconnected: "Wieder verbunden",
        failed: "Das hat nicht geklappt. Prüfe die Verbindung und versuche es erneut.",
        notSent: "Keine Verbindung: Nichts wurde gesendet. Versuche es erneut.",
        noAnswer: "Keine Antwort vom Server. Sieh nach, bevor du es erneut versuchst.",
        changedElsewhere: "Das wurde anderswo geändert. Sieh es dir an und versuche es erneut.",
        draftRestored: "Deine Eingaben sind wieder da.",
        copied: "Kopiert",
        discardTitle: "Eingaben verwerfen?",
        discard: "Verwerfen",
        keepEditing: "Weiter bearbeiten",
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
        photoTooLarge: "Das Foto ist größer als 10 MB. Wähle ein kleineres.",
        photoNotPicture: "Diese Datei ist kein lesbares Foto. Wähle JPEG, PNG, WebP oder HEIC.",
        photoFailed: "Das Foto konnte nicht hochgeladen werden. Prüfe die Verbindung und versuche es erneut.",
        photoWaits: "Keine Verbindung: Das Foto wird mit dem Formular gesendet.",
        photoAgain: "Wähle das Foto noch einmal. Es war noch nicht gesendet.",
        photoLibraryFailed: "Deine Fotos konnten nicht geladen werden.",
        positionAsk: "Sieh, wie weit deine Dinge entfernt sind",
        positionWhy: "Solange diese Seite offen ist, wird die Position deines Geräts mit der deiner Dinge verglichen.",
        positionAllow: "Meine Position verwenden",
        cameraDenied: """
            Die Kamera darf hier nicht verwendet werden. Erlaube es in den Browsereinstellungen für diese \
            Seite und versuche es erneut, oder wähle ein Foto.
            """,
        cameraMissing: "Es wurde keine Kamera gefunden. Wähle stattdessen ein Foto.",
        cameraBusy: """
            Die Kamera startet nicht; vielleicht verwendet sie eine andere App. Schließe diese und \
            versuche es erneut, oder wähle ein Foto.
            """,
        positionDenied: """
            Der Standort ist für diese Seite gesperrt. Erlaube ihn in den Browser-Einstellungen, um Entfernungen \
            zu sehen.
            """,
        positionUnavailable: "Dein Gerät kann seine Position gerade nicht bestimmen.",
        mapMe: "Du bist hier",
        mapLabel: "Karte",
        mapZoomIn: "Vergrößern",
        mapZoomOut: "Verkleinern",
        mapNewest: "Neueste Position",
        mapRecentre: "Karte wieder zentrieren",
        mapBackgroundFailed: "Der Kartenhintergrund kann nicht geladen werden."
    )
}
