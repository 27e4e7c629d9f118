import Kernel

extension EmailText {
    /// The mail to the recipient of a package. It names no person and no place: its address may belong to a stranger.
    init(_ notice: DeliveryNotice, url: String, _ t: Translator) {
        let first =
            switch notice {
            case .invited: t("A package will be sent to you.")
            case .accepted: t("A carrier will bring you a package.")
            case .waiting: t("The carrier of your package can’t bring it. The owner is looking for another carrier.")
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
        // A refusal is possible from the acceptance to the end.
        let page =
            switch notice {
            case .accepted, .pickedUp:
                t(
                    """
                    This page shows where it is and how to receive it. You need no account, and you can refuse it \
                    there:
                    """)
            case .invited, .waiting: t("This page shows where it is and how to receive it. You need no account:")
            case .reported, .delivered, .cancelled: t("Details are on this page:")
            }
        self.init(
            subject,
            t(
                """
                {sentence}

                {page}

                {url}

                If you don’t know about this, ignore this email.
                """, ["sentence": first, "page": page, "url": url]))
    }
}
