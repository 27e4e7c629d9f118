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
        title = context.t("Protect your places with a passcode")
        note = context.t("It is asked for when you open the app.")
        setUp = context.t("Set a passcode")
        notNow = context.t("Not now")
    }
}
