import Accounts
import WebCore

/// Offers the app lock to whoever opens Tracking and has neither set a passcode nor said no.
struct LockOffer: Sendable {
    let title: String
    let note: String
    let setUp: String
    let notNow: String
    let setUpURL: String
    /// Where to go after either.
    let destination: String

    init?(_ context: SignedInContext, accounts: AccountService) async throws {
        guard context.face == .page, !context.session.hasPasscode,
            try await accounts.lockStatus(context.actor).isToBeOffered
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
