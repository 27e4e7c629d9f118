/// The links in mails and from the command line.
struct AccountLinks: Sendable {
    /// The base URL of the site, without a slash at the end.
    let siteURL: String

    /// Returns the link that confirms an email, the current one or a new one.
    func verification(_ code: String) -> String { "\(siteURL)/email-verifications/\(code)" }

    /// Returns the link for a new password.
    func passwordReset(_ code: String) -> String { "\(siteURL)/password-resets/\(code)" }

    /// Returns the link of an administrator's invitation.
    func serverInvitation(_ code: String) -> String { "\(siteURL)\(InvitationPath.Issuer.server.rawValue)\(code)" }

    /// Returns the link that restores an old email.
    func emailUndo(_ code: String) -> String { "\(siteURL)/email-undos/\(code)" }
}
