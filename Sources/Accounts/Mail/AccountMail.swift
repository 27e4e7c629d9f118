import Kernel
import Translations

/// A mail about an account.
enum AccountMail: Sendable {
    /// The link that confirms the email address.
    case verification(url: String)
    /// The link for a new password.
    case reset(url: String)
    /// Replaces the link for a new password where the address isn't confirmed.
    case resetUnconfirmed
    /// The link that confirms a new email address.
    case emailChange(url: String)
    /// A security notice: a new email address was entered.
    case emailChangeRequested(undoURL: String?)
    /// A security notice: the new email address is in use.
    case emailChanged(undoURL: String?)
    /// A security notice: the account has a new password.
    case passwordChanged
    /// A security notice: a passkey was added on a device.
    case passkeyAdded(device: String)
    /// A security notice: an access token was created.
    case accessTokenCreated(name: String)
    /// A notice that an access token expires within ``Limits/accessTokenReminderSeconds``.
    case accessTokenExpires(name: String)
    /// A security notice: an identity at a provider was linked.
    case linked(provider: String)
    /// A security notice: an event of the recipient's family.
    case family(FamilyNotice, siteURL: String)
    /// The link with which an invited person creates an account.
    case invitation(url: String)
    /// A security notice: what an administrator did to the recipient's account.
    case administration(AdministrationNotice)
    /// A security notice: an import into the account ended.
    case imported(isComplete: Bool, siteURL: String)
    /// The link to the page of a delivery, for its recipient.
    case delivery(DeliveryNotice, url: String)
    /// The mail by which an administrator tests the settings. It isn't queued.
    case test(siteURL: String)

    /// Security notices have their own lane.
    var lane: MailLane {
        switch self {
        case .verification, .reset, .resetUnconfirmed, .emailChange, .invitation, .delivery, .test: .account
        case .emailChangeRequested, .emailChanged, .passwordChanged, .passkeyAdded, .accessTokenCreated,
            .accessTokenExpires, .linked, .family, .administration, .imported:
            .security
        }
    }

    /// The kind of the job that sends a link for a new password. The mail is rendered when it is sent.
    static let resetKind = "reset"

    /// The kind of the job that sends the mail, as administrators see it.
    var kind: String {
        switch self {
        case .verification: "verification"
        case .reset, .resetUnconfirmed: Self.resetKind
        case .emailChange: "email-change"
        case .emailChangeRequested: "email-change-requested"
        case .emailChanged: "email-changed"
        case .passwordChanged: "password-changed"
        case .passkeyAdded: "passkey-added"
        case .accessTokenCreated: "access-token-created"
        case .accessTokenExpires: "access-token-expires"
        case .linked: "provider-linked"
        case .family(.left, _): "family-left"
        case .family(.removed, _): "family-removed"
        case .family(.childDeleted, _): "child-deleted"
        case .invitation: "invitation"
        case .administration(let notice): notice.rawValue
        case .imported(true, _): "import-finished"
        case .imported(false, _): "import-failed"
        case .delivery: "delivery"
        case .test: "test"
        }
    }

    /// Whether one person can cause the notice again and again without a proof. Such notices are counted by recipient.
    var isRepeatableWithoutProof: Bool {
        switch self {
        case .family(.childDeleted, _): true
        case .verification, .reset, .resetUnconfirmed, .emailChange, .emailChangeRequested, .emailChanged,
            .passwordChanged, .passkeyAdded, .accessTokenCreated, .accessTokenExpires, .linked, .family, .invitation,
            .administration, .imported, .delivery, .test:
            false
        }
    }

    /// Returns the rendered mail.
    func email(to recipient: MailRecipient, language: String) -> Email {
        let t = Translations.translator(Language(rawValue: language) ?? .english)
        let text = EmailText(self, to: recipient, t)
        let greeting = recipient.name.map { t("Hello {name},", ["name": $0]) } ?? t("Hello,")
        return Email(
            to: recipient.address, subject: text.subject, body: "\(greeting)\n\n\(text.body)",
            language: t.language.rawValue,
            account: recipient.account.map { "\($0)" })
    }
}

/// The address that a mail is sent to.
///
/// A mail to an address that was never confirmed contains no text that a person entered. The address may belong to a
/// stranger, and a name can be an advertisement with a link.
struct MailRecipient: Sendable {
    let address: String
    let isConfirmed: Bool
    /// The account's name; `nil` where the address isn't confirmed.
    let name: String?
    /// The account that the mail is about; `nil` for a test mail.
    let account: PersonID?

    /// A recipient at an address that isn't confirmed.
    init(unconfirmed address: EmailAddress, of account: PersonID?) {
        self.address = address.text
        self.account = account
        isConfirmed = false
        name = nil
    }

    /// The owner of an account; `nil` for an account without an email address.
    init?(ownerOf account: Account) {
        guard let email = account.email else { return nil }
        address = email
        self.account = account.id
        isConfirmed = account.emailVerifiedAt != nil
        name = isConfirmed ? account.name : nil
    }
}
