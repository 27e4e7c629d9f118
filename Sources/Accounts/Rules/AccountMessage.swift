import Kernel

/// Every error message of this module, in English. Pages translate it by its case. JSON contains the English text.
package enum AccountMessage: String, ErrorMessage {
    case emailMissing = "Enter your email address."
    case emailMalformed = "Enter a complete email address, such as name@example.org."
    /// Another account has that email.
    case emailTaken = "An account with this email already exists. Sign in instead, or use another one."
    case passwordMissing = "Enter your password."
    /// Fewer characters than ``Limits/passwordCharacters`` asks for.
    case passwordTooShort
    /// More characters than ``Limits/passwordCharacters`` allows.
    case passwordTooLong
    /// The password entered as a proof is wrong.
    case passwordWrong = "That is not your password."
    /// Sign-in failed. The message doesn't say whether because of the email or the password.
    case credentialsWrong = "Email or password is wrong."
    case nameMissing = "Enter your name."
    case nameTooLong
    /// Characters that are composed of many code points.
    case nameTooManyBytes = "This text is too long. Use fewer emoji or accents."
    /// The name has a control character.
    case nameUnreadable = "Remove characters that aren’t allowed from the name."
    /// An app requires the date of birth.
    case dateOfBirthMissing = "Enter your date of birth."
    /// A child would be older than the parent who adds or edits it.
    case bornBeforeParent = "A child’s date of birth must be after yours. Check both."
    /// Not a calendar day in the form YYYY-MM-DD, before 1900, today, or in the future.
    case dateOfBirthInvalid = "Enter a past date, not before 1900, as year-month-day."
    /// An app requires the phone number.
    case phoneMissing = "Enter your phone number."
    case phoneInvalid = "Enter the phone number with its country code, such as +49 151 23456789."
    case appUnknown = "Choose tracking, family or carrepsa."
    case themeUnknown = "Choose one of the themes."
    case mapsAppUnknown = "Choose apple or google."
    case languageUnknown = "Choose one of the languages."
    /// Null for a field that an account requires.
    case required = "This cannot be left empty."
    /// The account changed since the client read it.
    case movedOn = "This was changed elsewhere. Review it and try again."
    /// The administrator names an account by an unconfirmed email.
    case emailNotConfirmed = "This email is not confirmed: anyone may have entered it. Give the account’s id instead."
    /// The administrator has closed registration.
    case registrationClosed = "Registration is closed on this server."
    /// Registration requires an invitation, and none is given.
    case invitationNeeded =
        "You need an invitation to sign up here. Ask a parent of the household or the administrator."
    /// The given invitation is unknown, used or expired.
    case invitationInvalid = "This invitation no longer works. Ask for a new one."
    /// The server has no administrator yet.
    case setUpRequired = "This server isn’t set up yet. Its administrator creates the first account."
    /// The server has an administrator, so that no code is needed.
    case alreadySetUp = "This server already has an administrator."
    case setupCodeMissing = "Enter the code from the server’s log."
    case setupCodeWrong = "This code isn’t valid. “homeward setup-code” prints a new one."
    case registrationMissing = "Choose who can create an account."
    /// `HOMEWARD_REGISTRATION` prescribes the mode.
    case registrationFixed = "The setting HOMEWARD_REGISTRATION decides this. Change it there."
    /// An act that requires administrator rights.
    case administratorsOnly = "This is for administrators of this server."
    /// An administrator disabled the account.
    case accountDisabled = "This account is disabled. Contact the administrator of this server."
    /// An administrator's act on their own account that could lock them out.
    case ownAccount = "You can’t do this to your own account. Ask another administrator."
    case childManaged = "Parents manage this account, in Family."
    case emailMissingForSignIn = "This account has no email to sign in with."
    /// ``Limits/serverInvitations``.
    case serverInvitationsFull = "There are too many open invitations. Revoke some first."
    case mailNotSetUp = "This server doesn’t send mail. Leave this empty and pass the link on yourself."
    /// ``RegistrationPolicy/perHour``.
    case registrationsThrottled
    /// Too many failures in the window.
    case throttled = "Too many attempts. Wait a while, then try again."
    /// ``Limits/mailsPerRecipient``.
    case recipientMailsThrottled
    /// ``Limits/mailsPerNetwork``.
    case networkMailsThrottled
    /// Too many requests wait for a password hash.
    case busy = "Too many people are signing in right now. Try again in a moment."
    /// The queue of mails is full.
    case mailQueueFull = "Too many mails are waiting to be sent. Try again in a few minutes."
    /// A child requests an action of its parents.
    case parentsOnly = "Ask a parent to do this."
    /// The photo is an item's or the avatar.
    case pictureInUse = "This photo is in use. Give the item or your profile another one first."
    /// The provider is the only way to sign in to the account.
    case lastWayIn = "This is your only way to sign in. Link another one or set a password first, then remove this one."
    /// The account has no password, and the session has no stored proof.
    case confirmFirst = "Sign in once more with one of your services first, then repeat this."
    /// The provider can't prove that it has just authenticated the person: the sign-in there may be months old.
    case providerConfirmsNothing = "This service can’t confirm that it is you. Use another, or set a password first."
    /// A password is useless without an email to sign in with.
    case emailFirst = "Add an email address to your profile first: you sign in with both."
    /// A link from a mail or from the administrator that is used, expired or unknown.
    case linkUnknown = "This link was used already or is too old. Ask for a new one."
    /// A passkey's response was refused. The message never says why.
    case passkeyRefused = "The passkey didn’t work. Try again, or go on without it."
    /// Sign-in by a passkey failed. The message never says why.
    case passkeyUnknown = "This passkey doesn’t work here. Sign in with email and password."
    /// The passkey is registered already, by this account or another one.
    case passkeyTaken = "This passkey is already registered."
    /// ``Limits/passkeysPerAccount``.
    case passkeysFull = "You have the maximum number of passkeys. Remove one that you no longer use first."
    /// ``Limits/accessTokensPerAccount``.
    case accessTokensFull = "You have the maximum number of access tokens. Revoke one that you no longer use first."
    case accessTokenNameMissing = "Enter a name for the access token."
    /// No scope, or an unknown one.
    case accessScopesMissing = "Choose what the token can do."
    /// Not in ``Limits/accessTokenDays``.
    case accessTokenDaysInvalid
    /// Passkeys can unlock only where a passcode is set.
    case passcodeFirst = "Set a passcode first."
    /// There is no passkey to unlock with.
    case passkeyFirst = "Add a passkey first."
    /// Only the passcode unlocks.
    case touchIDOff = "Unlocking with a passkey is off. Use your passcode."
    case importMissing = "Choose the zip file of your export."
    /// The file has no end of a ZIP archive, or no account.
    case importForeign = "This isn’t a Homeward export. Choose the zip file from “Download everything”."
    case importDamaged = "This file is damaged. Download the export again, then choose the new file."
    /// Encrypted, with another compression, or malicious.
    case importUnreadable = "This server can’t read this file. Choose the zip file as Homeward created it."
    /// ``Limits/importBytes``, or a limit of what it contains.
    case importTooLarge
    /// A newer ``ImportArchive/format``.
    case importNewer = "This export comes from a newer version of Homeward. Update this server first."
    case importOfChild = "This is a child’s export. Import the export of a parent instead."
    /// The archive has data that the forms refuse.
    case importInvalid = "This export contains data that isn’t accepted here. Nothing was imported."
    case importRunning = "An import is already running. Wait until it finishes."
    case importGone = "This import no longer exists. Choose the file again."
    /// ``Limits/importUploads`` and ``Limits/importUploadsPerNetwork``.
    case importBusy = "Other files are being checked. Try again in a moment."
    /// ``Limits/importUploadsPerHour``.
    case importThrottled
    /// ``Limits/importUploadSeconds`` and ``Limits/importBytesPerSecond``.
    case importSlow = "The upload took too long. Try again with a faster connection."
    case importUnavailable = "The file can’t be stored at the moment. Try again later."
    /// ``Limits/importRunSeconds`` and ``Limits/importCheckRunSeconds``.
    case importOverdue = "The import took too long."

    package var text: String {
        let t = Translator.english
        return switch self {
        case .importTooLarge:
            t("This file is too large. At most {n} MB can be imported.", ["n": String(Limits.importMegabytes)])
        case .importThrottled:
            t("You can upload at most {n} files an hour. Try again later.", ["n": String(Limits.importUploadsPerHour)])
        case .passwordTooShort:
            t("Choose a password of at least {n} characters.", ["n": String(Limits.passwordCharacters.lowerBound)])
        case .passwordTooLong:
            t("Choose a password of at most {n} characters.", ["n": String(Limits.passwordCharacters.upperBound)])
        case .accessTokenDaysInvalid:
            t(
                "Choose a period of {least} to {most} days.",
                [
                    "least": String(Limits.accessTokenDays.lowerBound),
                    "most": String(Limits.accessTokenDays.upperBound),
                ])
        case .nameTooLong:
            t("Use at most {n} characters for the name.", ["n": String(Limits.nameCharacters)])
        case .registrationsThrottled:
            t(
                "Too many accounts were created from this network. Try again in an hour.",
                plural: "Too many accounts were created from this network. Try again in {n} hours.",
                count: Limits.registrationThrottleSeconds.wholeHours)
        case .recipientMailsThrottled:
            t(
                "Too many mails were sent to this address. Try again in an hour.",
                plural: "Too many mails were sent to this address. Try again in {n} hours.",
                count: Limits.mailThrottleSeconds.wholeHours)
        case .networkMailsThrottled:
            t(
                "Too many mails were requested from this network. Try again in an hour.",
                plural: "Too many mails were requested from this network. Try again in {n} hours.",
                count: Limits.mailThrottleSeconds.wholeHours)
        default: rawValue
        }
    }
}
