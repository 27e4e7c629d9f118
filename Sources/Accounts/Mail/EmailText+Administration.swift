import Kernel

extension EmailText {
    /// The text of a notice of what an administrator did.
    init(_ notice: AdministrationNotice, _ t: Translator) {
        switch notice {
        case .disabled:
            self.init(
                t("Your account was disabled"),
                t(
                    """
                    An administrator of this server disabled your Homeward account. You can’t sign in at present. \
                    Your open invitations, live links and codes have ended. Nothing else was deleted.

                    To ask why, contact the administrator of this server.
                    """))
        case .enabled:
            self.init(
                t("Your account works again"),
                t("An administrator of this server enabled your Homeward account. You can sign in again."))
        case .sessionsEnded:
            self.init(
                t("Your devices were signed out"),
                t(
                    """
                    An administrator of this server signed you out on all devices. Your access tokens, open \
                    invitations, live links and codes have ended. You can sign in again.
                    """))
        case .resetLinkCreated:
            self.init(
                t("A link for a new password was created"),
                t(
                    """
                    An administrator of this server created a link with which you can choose a new password for your \
                    Homeward account. The administrator passes it on to you.

                    Didn’t you ask for it? Then contact the administrator of this server.
                    """))
        case .administratorGranted:
            self.init(
                t("You are an administrator now"),
                t("You can now administer this Homeward server. Open “Administration” in your settings."))
        case .administratorRevoked:
            self.init(
                t("You are no longer an administrator"),
                t("An administrator of this server revoked your administrator rights. Your account stays as it is."))
        case .walletToppedUp:
            self.init(
                t("Your wallet was topped up"),
                t(
                    """
                    An administrator of this server put money into your Carrepsa wallet. Your wallet shows the amount \
                    and what it is for.
                    """))
        case .walletPaidOut:
            self.init(
                t("Money was paid out of your wallet"),
                t(
                    """
                    An administrator of this server recorded that you were paid money from your Carrepsa wallet. Your \
                    wallet shows the amount and what it is for.

                    If you didn’t receive the money, contact the administrator of this server.
                    """))
        case .quotaChanged:
            self.init(
                t("How much you can store has changed"),
                t(
                    """
                    An administrator of this server changed how many photos and positions you can store. Nothing was \
                    deleted. “Storage” in your settings shows your limits.
                    """))
        case .deleted:
            self.init(
                t("Your account was deleted"),
                t(
                    """
                    An administrator of this server deleted your Homeward account with everything in it.

                    To ask why, contact the administrator of this server.
                    """))
        }
    }
}
