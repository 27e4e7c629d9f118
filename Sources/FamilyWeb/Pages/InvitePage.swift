import Accounts
import Family
import Kernel
import WebCore

/// The page that creates and shows an invitation.
struct InvitePage: Sendable {
    let shell: Shell
    let formURL: String
    let doneURL: String
    let isMade: Bool
    let link: String
    let qr: String
    let expiry: FormattedTime?
    let linkNote: String
    let invitations: [InvitationRow]
    let hasInvitations: Bool
    /// The proof that the next invitation requires; `nil` if one is stored.
    let proof: ProofField?

    init(
        _ context: SignedInContext, invitation: Invitation?, open: [OpenInvitation], proof: ProofState,
        error: AppError?
    ) throws {
        let errors = FormErrors(error)
        self.proof = .beside(
            proof, for: .inviteParent, message: errors["password"] ?? errors.message ?? "",
            destination: FamilyPath.invitations, context.t)
        shell = Shell(
            context, title: context.t("Invite a parent"), menu: .family(context.t, for: context.account),
            isLargeTitle: false, isNarrow: true, hasTabs: false,
            back: ShellBack(url: FamilyPath.account, label: context.t("Account"))
        )
        formURL = FamilyPath.invitations
        doneURL = FamilyPath.account
        isMade = invitation != nil
        link = invitation?.url ?? ""
        qr = try invitation.map { try QRCode.svg($0.url) } ?? ""
        let formatter = context.familyFormatter
        expiry = invitation.map { FormattedTime($0.expiresAt, formatter.times) }
        linkNote = context.t(
            "The link works once and expires after {n} hour. Send it only to the person you invite.",
            plural: "The link works once and expires after {n} hours. Send it only to the person you invite.",
            count: Limits.invitationSeconds.wholeHours)
        invitations = open.map {
            InvitationRow($0, isMine: $0.by == context.actor.person, context.t, formatter)
        }
        hasInvitations = !open.isEmpty
    }
}

/// An open invitation in the list of the page.
struct InvitationRow: Sendable {
    let byText: String
    let expiry: FormattedTime
    let revokeURL: String
    let revokeLabel: String

    init(_ invitation: OpenInvitation, isMine: Bool, _ t: Translator, _ formatter: FamilyFormatter) {
        byText = isMine ? t("By you") : t("By {name}", ["name": invitation.byName])
        expiry = FormattedTime(invitation.expiresAt, formatter.times)
        revokeURL = "\(FamilyPath.invitations)/\(invitation.id)?_method=delete"
        revokeLabel = t("Revoke the invitation, {by}", ["by": byText])
    }
}
