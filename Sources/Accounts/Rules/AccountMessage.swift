/// Every sentence with which this module refuses something, in English. Pages show it in the reader's language
/// by looking the case up; JSON carries the English text.
package enum AccountMessage: String, CaseIterable, Sendable {
    /// No email was given.
    case emailMissing = "Enter your email address."
    /// The text does not look like an email address.
    case emailMalformed = "Enter a complete email address, such as name@example.org."
    /// Another account has that email.
    case emailTaken = "An account with this email already exists. Sign in instead, or use another one."
    /// No password was given.
    case passwordMissing = "Enter your password."
    /// Fewer characters than ``Limits/passwordCharacters`` asks for.
    case passwordTooShort = "Choose a password of at least 8 characters."
    /// More characters than ``Limits/passwordCharacters`` allows.
    case passwordTooLong = "Choose a password of at most 200 characters."
    /// The password that was asked for as a confirmation is not the right one.
    case passwordWrong = "That is not your password."
    /// Sign-in failed; never says whether by the email or by the password.
    case credentialsWrong = "Email or password is wrong."
    /// No name was given.
    case nameMissing = "Enter your name."
    /// The name is longer than a name may be.
    case nameTooLong = "Use at most 50 characters for the name."
    /// Characters that are put together from many.
    case nameTooManyBytes = "This text is too long. Use fewer emoji or accents."
    /// The name has a control character.
    case nameUnreadable = "Remove characters that aren't allowed from the name."
    /// An app needs the date of birth and has none.
    case dateOfBirthMissing = "Enter your date of birth."
    /// Not a day of the calendar in the form YYYY-MM-DD, before 1900, today, or in the future.
    case dateOfBirthInvalid = "Enter a past date, not before 1900, as year-month-day."
    /// An app needs the phone number and has none.
    case phoneMissing = "Enter your phone number."
    /// The text does not look like a phone number.
    case phoneInvalid = "Enter the phone number with its country code, such as +49 151 23456789."
    /// There is no such app.
    case appUnknown = "Choose tracking, family or carrepsa."
    /// There is no such theme.
    case themeUnknown = "Choose one of the themes."
    /// There is no such maps app.
    case mapsAppUnknown = "Choose apple or google."
    /// There is no such language.
    case languageUnknown = "Choose one of the languages."
    /// Null for something that an account cannot be without.
    case required = "This cannot be left empty."
    /// The account changed since the asker read it.
    case movedOn = "This was changed elsewhere. Review it and try again."
    /// The administrator names an account by an unconfirmed email.
    case emailNotConfirmed = "This email is not confirmed: anyone may have entered it. Give the account's id instead."
    /// The administrator has closed registration.
    case registrationClosed = "Registration is closed on this server."
    /// Registration requires a household's invitation, and none is given.
    case invitationNeeded = "You need an invitation to sign up here. Ask a parent in the household to invite you."
    /// The given invitation is unknown, used or expired.
    case invitationInvalid = "This invitation no longer works. Ask for a new one."
    /// ``RegistrationPolicy/perHour``.
    case registrationsThrottled = "Too many accounts were created from this network. Try again in an hour."
    /// Too many failures in the window.
    case throttled = "Too many attempts. Wait a while, then try again."
    /// ``Limits/mailsPerRecipient``.
    case recipientMailsThrottled = "Too many mails were sent to this address. Try again in an hour."
    /// ``Limits/mailsPerNetwork``.
    case networkMailsThrottled = "Too many mails were requested from this network. Try again in an hour."
    /// The queue of password checks is full.
    case busy = "Too many people are signing in right now. Try again in a moment."
    /// The queue of mails is full.
    case mailQueueFull = "Too many mails are waiting to be sent. Try again in a few minutes."
    /// A child asks for what only its parents may do.
    case parentsOnly = "Ask a parent to do this."
    /// The photo is an item's or the avatar.
    case pictureInUse = "This photo is in use. Give the item or your profile another one first."
    /// The provider is the only way into the account.
    case lastWayIn = "This is your only way in. Link another one or set a password first, then remove this one."
    /// An account without a password, and nobody has just shown by a provider who they are.
    case confirmFirst = "Sign in once more with one of your services first, then repeat this."
    /// The provider can't show that it has just asked who is there: its word may be months old.
    case providerConfirmsNothing = "This service can't confirm that it is you. Use another, or set a password first."
    /// A password is of no use without the email to sign in with.
    case emailFirst = "Add an email address to your profile first: you sign in with both."
    /// A link from a mail or from an operator that is used up, too old or unknown.
    case linkUnknown = "This link was used already or is too old. Ask for a new one."
    /// A passkey's proof is not good; never says why.
    case passkeyRefused = "The passkey didn't work. Try again, or go on without it."
    /// Signing in by a passkey failed; never says why.
    case passkeyUnknown = "This passkey doesn't work here. Sign in with email and password."
    /// The authenticator has one for this account, or somebody else has it.
    case passkeyTaken = "This passkey is already registered."
    /// ``Limits/passkeysPerAccount``.
    case passkeysFull = "You have the maximum number of passkeys. Remove one that you no longer use first."
    /// The lock can only open by a passkey where there is a lock.
    case passcodeFirst = "Set a passcode first."
    /// Nothing to open the lock by.
    case passkeyFirst = "Add a passkey first."
    /// The lock opens by the passcode alone.
    case touchIDOff = "Unlocking with a passkey is off. Use your passcode."
}
