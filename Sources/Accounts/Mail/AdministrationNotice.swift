/// What an administrator did to an account, as its owner is notified by mail. The values name the mail for
/// administrators.
package enum AdministrationNotice: String, Sendable, CaseIterable {
    case disabled = "account-disabled"
    case enabled = "account-enabled"
    case sessionsEnded = "sessions-ended"
    /// A link for a new password was created, which the administrator passes on.
    case resetLinkCreated = "reset-link-created"
    case administratorGranted = "administrator-granted"
    case administratorRevoked = "administrator-revoked"
    case deleted = "account-deleted"
    case walletToppedUp = "wallet-topped-up"
    case walletPaidOut = "wallet-paid-out"
    case quotaChanged = "quota-changed"
}
