import Family
import Kernel
import WebCore

/// The page of an invitation for the invited person.
struct JoinPage: Sendable {
    let shell: Shell
    let t: FamilyInvitationStrings
    let code: String
    let hasInviter: Bool
    let lead: String
    let note: String
    let problem: String?
    let canJoin: Bool
    let isStranger: Bool
    let isForbidden: Bool
    let joinURL: String
    let homeURL: String
    let signInURL: String
    /// `nil` if sign-up is closed.
    let registerURL: String?

    init(_ context: AppContext, inviter: Inviter?, code: String, error: AppError?) {
        let words = context.familyStrings
        let t = words.child.invitation
        self.t = t
        shell = Shell(
            context, title: t.joinTitle, menu: .familySignedOut(words), isNarrow: true, hasTabs: false)
        self.code = code
        hasInviter = inviter != nil
        lead = FamilyStrings.fill(t.joinLead, ["name": inviter?.name ?? ""])
        note = FamilyStrings.fill(t.joinNote, ["name": inviter?.name ?? ""])
        problem = error.map { $0.fields.values.first ?? $0.message }
        isStranger = context.identity == nil
        isForbidden = context.isChild
        canJoin = !isStranger && !isForbidden && hasInviter
        joinURL = FamilyPath.parents
        homeURL = isStranger ? "/" : FamilyPath.root
        let here = PathSegment.encoded(FamilyPath.invitation(code))
        signInURL = "\(FamilyPath.accountSignIn)?return=\(here)"
        let isOffered = context.site.offersRegistration(destination: FamilyPath.invitation(code))
        registerURL = isOffered ? "/register?app=family&return=\(here)" : nil
    }
}
