import Accounts
import Kernel
package import WebCore

extension AccountsModule {
    private static let passkey = CreationRule.limited("Limits.passkeyChallengesPerSession and passkeysPerAccount.")
    private static let replaced = CreationRule.limited("Replaces a value of the account.")
    private static let oncePerMail = CreationRule.limited("Once for each mail.")
    private static let mail = CreationRule.limited("Limits.mailsPerRecipient and mailsPerNetwork.")
    private static let signIn = CreationRule.limited(
        "A throttle counts failures, and a sign-in needs a password's hash.")

    package var creationRules: [String: CreationRule] {
        [
            "POST /pictures": .hourly("pictures", Limits.picturesPerHour),
            "POST /setup": .limited("Once for each server."),
            "POST /accounts": .limited("The setting registrationsPerHour, for each network."),
            "POST /session": Self.signIn,
            "POST /sign-in/apple/callback": .limited("Stores nothing."),
            "POST /sign-in/passkey/challenge": .limited("Limits.passkeyChallengesPerAddress."),
            "POST /sign-in/passkey": .limited("A throttle: Limits.passkeyFailuresPerAddress."),
            "POST /password-resets": Self.mail, "PUT /password-resets/{code}": Self.oncePerMail,
            "POST /account/verification": Self.mail, "POST /email-verifications/{code}": Self.oncePerMail,
            "POST /email-undos/{code}": Self.oncePerMail,
            "POST /account/apps/{app}": Self.replaced,
            "POST /account/import": .limited("A throttle: Limits.importUploadsPerHour."),
            "POST /account/import/run": .limited("One import at a time, and Limits.importUploadsPerHour."),
            "POST /account/proofs/{act}": Self.replaced, "POST /account/proofs/{act}/challenge": Self.passkey,
            "POST /account/confirmation": .limited("Limits of unfinished attempts with a provider."),
            "POST /account/identities": .limited("Limits of unfinished attempts with a provider."),
            "POST /account/access-tokens": .limited("Limits.accessTokensPerAccount, and a proof."),
            "PUT /account/password": Self.replaced, "PUT /account/touch-id": Self.replaced,
            "PUT /lock/passcode": Self.replaced, "POST /account/lock/offer": Self.replaced,
            "POST /lock/unlocking": .limited("Stores nothing, and wrong passcodes wait."),
            "POST /lock/passkeys": Self.passkey, "POST /lock/passkeys/challenge": Self.passkey,
            "POST /lock/passkeys/unlocking": Self.passkey,
        ]
    }
}

extension NotificationsModule {
    package var creationRules: [String: CreationRule] {
        [
            "PUT /notifications/reading": .limited("Replaces a time."),
            "PUT /notifications/subscription": .limited("Replaces the subscription of the session."),
            "POST /notifications/test": .limited("A throttle: Limits.pushTestMessages."),
        ]
    }
}
