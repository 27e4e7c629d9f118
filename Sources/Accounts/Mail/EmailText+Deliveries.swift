import Kernel

extension EmailText {
    /// The mail to the recipient of a package. It names no person and no place: its address may belong to a stranger.
    init(_ notice: DeliveryNotice, url: String, _ t: Translator) {
        let first =
            switch notice {
            case .invited: t("A package is to be brought to you.")
            case .accepted: t("A carrier will bring you a package.")
            case .waiting: t("The carrier of your package can’t bring it. Another one is looked for.")
            case .pickedUp: t("A package is on its way to you.")
            case .reported: t("The carrier says that your package has arrived.")
            case .delivered: t("Your package was delivered.")
            case .cancelled: t("A package to you won’t be delivered.")
            }
        let subject =
            switch notice {
            case .invited, .accepted, .waiting: t("A package for you")
            case .pickedUp: t("Your package is on its way")
            case .reported, .delivered: t("Your package has arrived")
            case .cancelled: t("Your package won’t arrive")
            }
        self.init(
            subject,
            t(
                """
                {sentence}

                This page shows where it is and how to receive it. You need no account, and you can refuse it there:

                {url}

                If you don’t know about this, ignore this email.
                """, ["sentence": first, "url": url]))
    }
}
