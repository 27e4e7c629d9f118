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

    init(_ t: Translator) {
        destination = TrackingPath.items
        setUpURL = "/account/lock/passcode?return=\(TrackingPath.items)"
        title = t("Protect your places with a passcode")
        note = t("It is asked for when you open the app.")
        setUp = t("Set a passcode")
        notNow = t("Not now")
    }
}
