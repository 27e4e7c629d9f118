import Kernel

/// Subject and body of a mail in one language, without its greeting.
struct EmailText: Sendable {
    let subject: String
    let body: String

    init(_ subject: String, _ body: String) {
        self.subject = subject
        self.body = body
    }

    /// - Parameters:
    ///   - recipient: a mail to an address that was never confirmed contains no text that a person entered.
    init(_ mail: AccountMail, to recipient: MailRecipient, _ t: Translator) {
        let texts = EmailTexts(t: t)
        self =
            switch mail {
            case .verification(let url): texts.verification(url: url)
            case .reset(let url): texts.reset(url: url)
            case .resetUnconfirmed: texts.resetUnconfirmed
            case .emailChange(let url): texts.emailChange(url: url)
            case .emailChangeRequested(let undoURL): texts.emailChangeRequested(undoURL: undoURL)
            case .emailChanged(let undoURL): texts.emailChanged(undoURL: undoURL)
            case .passwordChanged: texts.passwordChanged(getsResets: recipient.isConfirmed)
            case .passkeyAdded(let device): texts.passkeyAdded(device: recipient.isConfirmed ? device : nil)
            case .accessTokenCreated(let name): texts.accessTokenCreated(name: recipient.isConfirmed ? name : nil)
            case .accessTokenExpires(let name): texts.accessTokenExpires(name: recipient.isConfirmed ? name : nil)
            case .linked(let provider): texts.linked(provider: provider)
            case .family(.childDeleted, let siteURL): texts.childDeleted(siteURL: siteURL)
            case .family(.left, _): texts.familyLeft
            case .family(.removed, _): texts.removedFromFamily
            case .invitation(let url): texts.invitation(url: url)
            case .administration(let notice): EmailText(notice, t)
            case .imported(let isComplete, let siteURL): texts.imported(isComplete: isComplete, siteURL: siteURL)
            case .delivery(let notice, let url): EmailText(notice, url: url, t)
            case .test(let siteURL): texts.test(siteURL: siteURL)
            }
    }
}

/// The texts of mails in one language.
private struct EmailTexts {
    let t: Translator

    func verification(url: String) -> EmailText {
        EmailText(
            t("Confirm your email address"),
            t(
                """
                Confirm with this link that this address is yours. It expires in {n} day:

                {url}

                If you didn’t sign up for Homeward, ignore this email.
                """,
                plural: """
                    Confirm with this link that this address is yours. It expires in {n} days:

                    {url}

                    If you didn’t sign up for Homeward, ignore this email.
                    """,
                count: Limits.verificationSeconds.wholeDays, ["url": url])
        )
    }

    func imported(isComplete: Bool, siteURL: String) -> EmailText {
        let subject = isComplete ? t("Your import is finished") : t("Your import has failed")
        let text =
            isComplete
            ? t(
                """
                The data that you imported from another Homeward server is in your account:

                {url}

                If you didn’t import anything, change your password and sign out your devices.
                """, ["url": "\(siteURL)/account/import"])
            : t(
                """
                The import of your data from another Homeward server ended with an error. This page says why, and you \
                can try again:

                {url}

                If you didn’t import anything, change your password and sign out your devices.
                """, ["url": "\(siteURL)/account/import"])
        return EmailText(subject, text)
    }

    func invitation(url: String) -> EmailText {
        EmailText(
            t("You are invited to Homeward"),
            t(
                """
                You are invited to create an account on this Homeward server. This link works once and expires in \
                {n} day:

                {url}

                If you don’t expect this, ignore this email.
                """,
                plural: """
                    You are invited to create an account on this Homeward server. This link works once and expires \
                    in {n} days:

                    {url}

                    If you don’t expect this, ignore this email.
                    """,
                count: Limits.serverInvitationSeconds.wholeDays, ["url": url])
        )
    }

    func reset(url: String) -> EmailText {
        EmailText(
            t("Choose a new password", context: "subject"),
            t(
                """
                Choose a new password with this link. It works once and expires in one hour:

                {url}

                If you didn’t request this, ignore this email. Your password stays as it is.
                """,
                plural: """
                    Choose a new password with this link. It works once and expires in {n} hours:

                    {url}

                    If you didn’t request this, ignore this email. Your password stays as it is.
                    """,
                count: Limits.passwordResetSeconds.wholeHours, ["url": url])
        )
    }

    /// Replaces a link for a new password, for an address that was never confirmed.
    var resetUnconfirmed: EmailText {
        EmailText(
            t("No link for a new password"),
            t(
                """
                A new password was requested for your Homeward account. This address was never confirmed, so we \
                can’t send you a link for it.

                Are you still signed in on a device? Then confirm the address there, in the settings, and request \
                the link again. Otherwise contact the administrator of this server, who can create a link for you.
                """)
        )
    }

    /// The mail to the new address.
    func emailChange(url: String) -> EmailText {
        EmailText(
            t("Confirm your new email address"),
            t(
                """
                Confirm this address for your Homeward account with the link below. Until then, your previous address \
                is used. The link expires in one day:

                {url}

                If you didn’t request this, ignore this email.
                """,
                plural: """
                    Confirm this address for your Homeward account with the link below. Until then, your previous \
                    address is used. The link expires in {n} days:

                    {url}

                    If you didn’t request this, ignore this email.
                    """,
                count: Limits.emailChangeSeconds.wholeDays, ["url": url])
        )
    }

    /// The mail to the current address when another one was entered but isn't confirmed yet.
    /// - Parameter undoURL: `nil` where the current address was never confirmed.
    func emailChangeRequested(undoURL: String?) -> EmailText {
        EmailText(
            t("A new email address was entered"),
            t(
                "A different email address was entered for your Homeward account. It takes effect once it is confirmed."
            ) + "\n\n" + undoText(undoURL)
        )
    }

    /// The mail to the previous address once the new one is in effect.
    func emailChanged(undoURL: String?) -> EmailText {
        EmailText(
            t("Your email address was changed"),
            t("Your Homeward account now has a different email address.") + "\n\n" + undoText(undoURL)
        )
    }

    private func undoText(_ undoURL: String?) -> String {
        guard let undoURL else { return t("If this wasn’t you, contact the administrator of this server.") }
        return t(
            """
            If this wasn’t you, undo it with this link within {n} day. Your previous address is used again, all \
            devices are signed out, and you choose a new password:

            {url}
            """,
            plural: """
                If this wasn’t you, undo it with this link within {n} days. Your previous address is used again, all \
                devices are signed out, and you choose a new password:

                {url}
                """,
            count: Limits.emailUndoSeconds.wholeDays, ["url": undoURL])
    }

    /// - Parameter getsResets: whether a link for a new password is sent to this address: it is confirmed.
    func passwordChanged(getsResets: Bool) -> EmailText {
        let recovery =
            getsResets
            ? t(
                """
                If this wasn’t you, select “Forgot your password?” on the sign-in page. The link is sent to this \
                address.
                """)
            : t("If this wasn’t you, contact the administrator of this server.")
        return EmailText(
            t("Your password was changed"),
            t(
                """
                Your Homeward account has a new password. Other devices were signed out. Your access tokens, open \
                invitations, live links and codes have ended, and any open payout request was withdrawn.
                """) + "\n\n" + recovery
        )
    }

    /// - Parameter device: `nil` where the mail must not name it.
    func passkeyAdded(device: String?) -> EmailText {
        let event =
            if let device {
                t(
                    "A passkey was added to your Homeward account ({device}). You can now sign in with it.",
                    ["device": DeviceName.text(device, t)])
            } else {
                t("A passkey was added to your Homeward account. You can now sign in with it.")
            }
        let advice = t("If this wasn’t you, choose a new password and select “Remove my passkeys”.")
        return EmailText(t("A new passkey"), "\(event)\n\n\(advice)")
    }

    /// - Parameter name: `nil` where the mail must not name it.
    func accessTokenCreated(name: String?) -> EmailText {
        let event =
            if let name {
                t(
                    "The access token “{name}” was created for your Homeward account. A script can use your data with it.",
                    ["name": name])
            } else {
                t("An access token was created for your Homeward account. A script can use your data with it.")
            }
        let advice = t(
            "If this wasn’t you, revoke it under “Access tokens” in the settings and choose a new password.")
        return EmailText(t("A new access token"), "\(event)\n\n\(advice)")
    }

    /// - Parameter name: `nil` where the mail must not name it.
    func accessTokenExpires(name: String?) -> EmailText {
        let days = Limits.accessTokenReminderSeconds.wholeDays
        let event =
            if let name {
                t(
                    "The access token “{name}” of your Homeward account expires within {n} day.",
                    plural: "The access token “{name}” of your Homeward account expires within {n} days.", count: days,
                    ["name": name])
            } else {
                t(
                    "An access token of your Homeward account expires within {n} day.",
                    plural: "An access token of your Homeward account expires within {n} days.", count: days)
            }
        let advice = t("If a script still needs it, create a new one under “Access tokens” in the settings.")
        return EmailText(t("An access token expires soon"), "\(event)\n\n\(advice)")
    }

    func linked(provider: String) -> EmailText {
        EmailText(
            t("Another way to sign in"),
            t(
                """
                You can now sign in to your Homeward account with {provider}, too.

                If this wasn’t you, remove {provider} under “Ways to sign in” and choose a new password.
                """, ["provider": provider])
        )
    }

    func childDeleted(siteURL: String) -> EmailText {
        EmailText(
            t("A child of your family was deleted"),
            t(
                """
                A parent deleted a child of your family at Homeward. For {n} day you can restore the child with all \
                points:

                {url}

                Wasn’t this one of you? Then each parent should choose a new password and sign out the children’s \
                devices.
                """,
                plural: """
                    A parent deleted a child of your family at Homeward. For {n} days you can restore the child with \
                    all points:

                    {url}

                    Wasn’t this one of you? Then each parent should choose a new password and sign out the children’s \
                    devices.
                    """,
                count: Limits.childRestorationSeconds.wholeDays, ["url": "\(siteURL)/family/deleted-children"])
        )
    }

    func test(siteURL: String) -> EmailText {
        EmailText(
            t("Test of Homeward’s mails"),
            t(
                """
                This server can send mails. An administrator sent this one as a test:

                {url}
                """, ["url": siteURL])
        )
    }

    var familyLeft: EmailText {
        EmailText(
            t("You left your family"),
            t(
                """
                You left your family at Homeward. You no longer see its children, chores and points.

                Wasn’t this you? Then choose a new password, and ask a parent of the family for an invitation.
                """)
        )
    }

    var removedFromFamily: EmailText {
        EmailText(
            t("You were removed from your family"),
            t(
                """
                You were removed from your family at Homeward. You no longer see its children, chores and points.

                Is this a mistake? Then contact the parents of the family. If someone else may be using a parent’s \
                account, contact the administrator of this server too.
                """)
        )
    }
}
