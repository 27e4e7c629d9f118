import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/admin/invitations`: invitations to create an account on this server.
struct ServerInvitationsController: Sendable {
    let invitations: ServerInvitationService

    func addRoutes(to routes: RouterGroup<SignedInContext>) {
        routes
            .get(use: index)
            .post(use: create)
            .delete("{id}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let open = try await invitations.list(for: context.actor)
        return try Responses.of(
            context, template: "admin-invitations",
            page: { try page(context, open) },
            json: { ListJSON(items: open.map(ServerInvitationJSON.init), next: nil) }
        )
    }

    /// Shows the link once. The server stores only its hash.
    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let email = fields.string("email").value
        let typed = fields.typed("email")
        return try await Responses.form(
            context, template: "admin-invitations",
            page: { error in
                try page(
                    context, try await invitations.list(for: context.actor), typed: typed,
                    error: error.translated(to: context.language))
            },
            perform: { [fields] in
                try fields.check()
                let new = try await invitations.create(
                    email: email, language: context.language.rawValue, by: context.change(fields))
                guard context.face != .json else {
                    var response = try Responses.json(context, NewServerInvitationJSON(new), status: .created)
                    response.headers[.location] = "\(AdminPath.invitations)/\(new.invitation.id)"
                    return response
                }
                let open = try await invitations.list(for: context.actor)
                return try Responses.page(
                    context, template: "admin-invitations", status: .created, try page(context, open, new: new))
            }
        )
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: ServerInvitation.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await invitations.revoke(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: AdminPath.invitations, toast: ShellToast(context.t("The invitation was revoked")))
    }

    private func page(
        _ context: SignedInContext, _ open: [ServerInvitation], new: NewServerInvitation? = nil, typed: String = "",
        error: AppError? = nil
    ) throws -> ServerInvitationsPage {
        try ServerInvitationsPage(
            context, open: open, new: new, sendsMail: invitations.sendsMail, typed: typed, error: error)
    }
}

/// The view model of the invitations.
struct ServerInvitationsPage: Sendable {
    let shell: Shell
    let formURL: String
    let problem: String?
    /// How long an invitation is valid.
    let note: String
    let sendsMail: Bool
    let emailText: String
    let emailError: String?
    /// The new invitation, shown once; `nil` for none.
    let made: MadeInvitation?
    let hasInvitations: Bool
    let invitations: [ServerInvitationRow]

    init(
        _ context: SignedInContext, open: [ServerInvitation], new: NewServerInvitation?, sendsMail: Bool, typed: String,
        error: AppError?
    ) throws {
        let errors = FormErrors(error)
        let times = TimeFormatter(context.t, now: context.web.clock.now)
        formURL = AdminPath.invitations
        problem = errors.message
        note = context.t(
            "Each invitation is for one account and works for {n} day.",
            plural: "Each invitation is for one account and works for {n} days.",
            count: Limits.serverInvitationSeconds.wholeDays)
        self.sendsMail = sendsMail
        emailText = typed
        emailError = errors["email"]
        made = try new.map { try MadeInvitation($0, context.t, times) }
        invitations = open.map { ServerInvitationRow($0, context.t, times) }
        hasInvitations = !open.isEmpty
        shell = .admin(context, title: context.t("Invitations"))
    }
}

/// A new invitation with its link.
struct MadeInvitation: Sendable {
    let link: String
    let qr: String
    let expiry: FormattedTime
    /// Where it was mailed to; `nil` if the administrator passes it on.
    let sentText: String?

    init(_ new: NewServerInvitation, _ t: Translator, _ times: TimeFormatter) throws {
        link = new.url
        qr = try QRCode.svg(new.url)
        expiry = FormattedTime(new.invitation.expiresAt, times)
        sentText = new.invitation.email.map { t("The invitation is on its way to {email}.", ["email": $0]) }
    }
}

/// An open invitation.
struct ServerInvitationRow: Sendable {
    let titleText: String
    let expiry: FormattedTime
    let revokeURL: String
    let revokeLabel: String

    init(_ invitation: ServerInvitation, _ t: Translator, _ times: TimeFormatter) {
        titleText =
            invitation.email ?? invitation.creator.map { t("Created by {name}", ["name": $0]) } ?? t("Invitation")
        expiry = FormattedTime(invitation.expiresAt, times)
        revokeURL = "\(AdminPath.invitations)/\(invitation.id)?_method=delete"
        revokeLabel = t("Revoke the invitation “{name}”", ["name": titleText])
    }
}
