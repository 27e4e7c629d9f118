import Accounts
import Kernel
import WebCore

/// The offer to set up the app lock, shown until the user sets a passcode or declines.
struct LockOffer: Sendable {
    let title: String
    let note: String
    let setUp: String
    let notNow: String
    let setUpURL: String
    /// The page after either choice.
    let destination: String

    init?(_ context: SignedInContext, appLocks: AppLockService) async throws {
        guard context.face == .page, !context.session.hasPasscode,
            try await appLocks.status(context.actor).shouldOfferPasscode
        else { return nil }
        destination = TrackingPath.items
        setUpURL = "/account/lock/passcode?return=\(TrackingPath.items)"
        switch context.language {
        case .english:
            title = "Protect your places with a passcode"
            note = "It is asked for when you open the app."
            setUp = "Set a passcode"
            notNow = "Not now"
        case .german:
            title = "Schütze deine Orte mit einem Code"
            note = "Er wird verlangt, wenn du die App öffnest."
            setUp = "Code festlegen"
            notNow = "Jetzt nicht"
        }
    }
}
