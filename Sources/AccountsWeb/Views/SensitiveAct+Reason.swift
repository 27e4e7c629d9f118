import Accounts
import Kernel

extension SensitiveAct {
    /// Returns the reason for the proof.
    func reason(_ t: Translator) -> String {
        switch self {
        case .changeEmail: t("Your email address decides who can choose a new password.")
        case .addPasskey: t("A new passkey can sign in to your account.")
        case .linkIdentity: t("A linked service can sign in to your account.")
        case .setPassword: t("A new password can sign in to your account.")
        case .export: t("The file contains everything stored about you: positions of your items, photos, deliveries.")
        case .deleteAccount: t("A deleted account can’t be restored.")
        case .inviteParent: t("A parent you invite sees your children and can change everything about them.")
        case .leaveFamily: t("After you leave, you no longer see the children of your family.")
        case .removeParent: t("A removed parent no longer sees the children of your family.")
        case .eraseChild: t("An erased child can’t be restored.")
        case .letManageItem: t("A person who manages an item can share its position with others.")
        case .createAccessToken: t("A script can use your data with an access token, without signing in.")
        case .administer: t("An administrator can change other people’s accounts.")
        }
    }
}
