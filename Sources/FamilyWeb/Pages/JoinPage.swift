import Family
import Kernel
import WebCore

/// The page of an invitation for the invited person.
struct JoinPage: Sendable {
    let shell: Shell
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
        let t = context.t
        shell = Shell(
            context, title: t("Join a family"), menu: .familySignedOut(context.t), isNarrow: true, hasTabs: false)
        self.code = code
        hasInviter = inviter != nil
        lead = t("{name} invites you to run the family together.", ["name": inviter?.name ?? ""])
        note = t(
            "You can see and do the same as {name}: children, chores, points and contracts.",
            ["name": inviter?.name ?? ""])
        problem = error.map { $0.fields.values.first ?? $0.message }
        isStranger = context.identity == nil
        isForbidden = context.isChild
        canJoin = !isStranger && !isForbidden && hasInviter
        joinURL = FamilyPath.parents
        homeURL = isStranger ? "/" : FamilyPath.root
        let here = PercentEncoding.encoded(FamilyPath.invitation(code))
        signInURL = "\(FamilyPath.accountSignIn)?return=\(here)"
        let isOffered = context.offersRegistration(destination: FamilyPath.invitation(code))
        registerURL = isOffered ? "/register?app=family&return=\(here)" : nil
    }
}
