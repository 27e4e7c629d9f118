import Kernel
import Tracking
import WebCore

/// The page of an invitation to an item, for the invited person.
struct ItemInvitationPage: Sendable {
    let shell: Shell
    let code: String
    let invitationLead: String?
    let invitationNote: String?
    let problem: String?
    let canJoin: Bool
    let isStranger: Bool
    let isForbidden: Bool
    let joinURL: String
    let homeURL: String
    let signInURL: String
    /// `nil` if sign-up is closed.
    let registerURL: String?

    init(_ context: AppContext, _ preview: ItemInvitationPreview?, code: String, error: AppError? = nil) {
        let t = context.t
        shell = Shell(
            context, title: t("Shared item"), menu: .tracking(t), isNarrow: true, hasTabs: false)
        self.code = code
        invitationLead = preview.map {
            t("{name} shares {item} with you.", ["name": $0.inviterName, "item": $0.itemName])
        }
        invitationNote = preview.map { $0.access.offer(t) }
        problem = error.map { $0.fields.values.first ?? $0.message }
        isStranger = context.identity == nil
        isForbidden = context.isChild
        canJoin = !isStranger && !isForbidden && preview != nil
        joinURL = TrackingPath.invitations
        homeURL = isStranger ? "/" : TrackingPath.items
        let path = "\(TrackingPath.invitations)/\(code)"
        let here = PercentEncoding.encoded(path)
        signInURL = "/sign-in?return=\(here)"
        registerURL =
            context.offersRegistration(destination: path) ? "/register?app=tracking&return=\(here)" : nil
    }
}
