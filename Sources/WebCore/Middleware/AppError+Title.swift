import Kernel

extension AppError.Code {
    /// Returns the title of the error's page.
    func title(_ t: Translator) -> String {
        switch self {
        case .malformed: t("That didn’t work")
        case .invalid: t("Check what you entered")
        case .unauthenticated: t("Sign in")
        case .forbidden: t("Not allowed")
        case .notFound: t("Nothing here")
        case .conflict: t("That isn’t possible")
        case .insufficientFunds, .rewardNotFunded: t("Not enough money")
        case .tooLarge: t("Too large")
        case .locked: t("Locked")
        case .throttled: t("Too many tries")
        case .internal: t("Something went wrong")
        case .unavailable: t("Not possible right now")
        }
    }
}
