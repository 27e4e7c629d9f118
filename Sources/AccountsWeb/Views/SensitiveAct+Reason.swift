import Accounts
import Kernel

extension SensitiveAct {
    /// Returns the reason for the proof; empty for an act without one.
    func reason(_ t: Translator) -> String {
        switch rawValue {
        case "email": t("Your email address decides who can choose a new password.")
        case "passkey": t("A new passkey can sign in to your account.")
        case "identity": t("A linked service can sign in to your account.")
        case "password": t("A new password can sign in to your account.")
        case "export": t("The file contains everything stored about you: positions of your items, photos, deliveries.")
        case "deletion": t("A deleted account can't be restored.")
        case "invitation": t("A parent you invite sees your children and can change everything about them.")
        case "leaving": t("After you leave, you no longer see the children of your family.")
        case "removal": t("A removed parent no longer sees the children of your family.")
        case "erasure": t("An erased child can’t be restored.")
        default: ""
        }
    }
}
