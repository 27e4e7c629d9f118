package import Accounts
package import Kernel
package import Pictures
package import WebCore

extension AccountsStrings {
    /// Returns the texts in `language`.
    package static func of(_ language: Language) -> AccountsStrings {
        switch language {
        case .english: english
        case .german: german
        }
    }
}

extension AppError {
    /// Returns the same error, with its messages from Accounts translated into `language`.
    package func translated(to language: Language) -> AppError {
        saying { AccountMessage.translation(of: $0, to: language) ?? $0 }
    }
}

extension AccountMessage {
    /// Returns the translation of a message of Accounts or Pictures; `nil` for any other.
    static func translation(of english: String, to language: Language) -> String? {
        switch language {
        case .english: nil
        case .german:
            AccountMessage(rawValue: english)?.german
                ?? PictureError.allCases.first { $0.message == english }?.german
        }
    }

    /// The message in German.
    package var german: String {
        switch self {
        case .emailMissing: "Gib deine E-Mail-Adresse ein."
        case .emailMalformed: "Gib eine vollständige E-Mail-Adresse ein, etwa name@example.org."
        case .emailTaken: "Mit dieser E-Mail gibt es schon ein Konto. Melde dich an oder nimm eine andere."
        case .passwordMissing: "Gib dein Passwort ein."
        case .passwordTooShort: "Wähle ein Passwort mit mindestens 8 Zeichen."
        case .passwordTooLong: "Wähle ein Passwort mit höchstens 200 Zeichen."
        case .passwordWrong: "Das ist nicht dein Passwort."
        case .credentialsWrong: "E-Mail oder Passwort ist falsch."
        case .nameMissing: "Gib deinen Namen ein."
        case .nameTooManyBytes: "Dieser Text ist zu lang. Nimm weniger Emojis oder Akzente."
        case .nameTooLong: "Der Name darf höchstens 50 Zeichen haben."
        case .nameUnreadable: "Entferne Zeichen aus dem Namen, die nicht erlaubt sind."
        case .dateOfBirthMissing: "Gib dein Geburtsdatum ein."
        case .dateOfBirthInvalid: "Gib ein vergangenes Datum ab 1900 ein, als Jahr-Monat-Tag."
        case .phoneMissing: "Gib deine Telefonnummer ein."
        case .phoneInvalid: "Gib die Telefonnummer mit Ländervorwahl ein, etwa +49 151 23456789."
        case .appUnknown: "Wähle tracking, family oder carrepsa."
        case .themeUnknown: "Wähle eines der Designs."
        case .mapsAppUnknown: "Wähle apple oder google."
        case .languageUnknown: "Wähle eine der Sprachen."
        case .required: "Das darf nicht leer bleiben."
        case .movedOn: "Das wurde anderswo geändert. Sieh es dir an und versuche es erneut."
        case .emailNotConfirmed:
            "Diese E-Mail ist nicht bestätigt: Jeder kann sie eingegeben haben. Gib stattdessen die ID des Kontos an."
        case .registrationClosed: "Auf diesem Server kann man sich nicht registrieren."
        case .invitationNeeded:
            "Zum Registrieren brauchst du hier eine Einladung. Bitte einen Elternteil aus dem Haushalt darum."
        case .invitationInvalid: "Diese Einladung gilt nicht mehr. Bitte um eine neue."
        case .registrationsThrottled:
            "Aus diesem Netzwerk wurden zu viele Konten angelegt. Versuche es in einer Stunde noch einmal."
        case .throttled: "Zu viele Versuche. Warte eine Weile und versuche es dann erneut."
        case .recipientMailsThrottled:
            "An diese Adresse wurden zu viele E-Mails gesendet. Versuche es in einer Stunde noch einmal."
        case .networkMailsThrottled:
            "Aus diesem Netzwerk wurden zu viele E-Mails angefordert. Versuche es in einer Stunde noch einmal."
        case .busy: "Gerade melden sich zu viele an. Versuche es gleich noch einmal."
        case .mailQueueFull: "Zu viele E-Mails warten auf den Versand. Versuche es in ein paar Minuten noch einmal."
        case .parentsOnly: "Bitte deine Eltern darum."
        case .pictureInUse: "Dieses Foto wird verwendet. Gib dem Ding oder deinem Profil erst ein anderes."
        case .lastWayIn:
            "Anders kannst du dich nicht anmelden. Verknüpfe erst einen anderen Dienst oder setze ein Passwort."
        case .confirmFirst: "Melde dich erst noch einmal mit einem deiner Dienste an, dann wiederhole es."
        case .providerConfirmsNothing:
            "Dieser Dienst kann nicht bestätigen, dass du es bist. Nimm einen anderen oder setze erst ein Passwort."
        case .emailFirst:
            "Ergänze zuerst eine E-Mail-Adresse in deinem Profil: Du meldest dich mit beidem an."
        case .linkUnknown: "Dieser Link wurde schon benutzt oder ist zu alt. Fordere einen neuen an."
        case .passkeyRefused: "Der Passkey hat nicht geklappt. Versuche es erneut oder mache ohne ihn weiter."
        case .passkeyUnknown: "Dieser Passkey gilt hier nicht. Melde dich mit E-Mail und Passwort an."
        case .passkeyTaken: "Dieser Passkey ist schon registriert."
        case .passkeysFull: "Du hast die Höchstzahl an Passkeys. Entferne erst einen, den du nicht mehr brauchst."
        case .passcodeFirst: "Lege zuerst einen Code fest."
        case .passkeyFirst: "Füge zuerst einen Passkey hinzu."
        case .touchIDOff: "Entsperren mit Passkey ist aus. Gib deinen Code ein."
        }
    }
}

extension PictureError {
    /// The message in German.
    package var german: String {
        switch self {
        case .tooLarge: "Dieses Bild ist größer als \(Limits.pictureBytes / 1024 / 1024) MiB. Wähle ein kleineres."
        case .notAPicture: "Diese Datei ist kein lesbares Bild. Wähle ein JPEG, PNG, WebP oder HEIC."
        case .tooManyPixels:
            "Dieses Bild hat mehr als \(Limits.picturePixels / 1_000_000) Megapixel. Wähle ein kleineres."
        case .damaged: "Dieses Bild ist beschädigt oder unvollständig. Wähle ein anderes."
        }
    }
}
