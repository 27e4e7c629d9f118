import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/invitations`: creating and revoking invitations for other parents.
struct HouseholdInvitationsController: Sendable {
    let invitations: InvitationService

    func addRoutes(to parents: RouterGroup<SignedInContext>) {
        let invitations = parents.group("invitations")
        invitations.get(use: new)
        invitations.post(use: create)
        // Shares the name of the parameter with the page of the invited person.
        invitations.delete("{code}", use: destroy)
    }

    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        if context.face == .json {
            let open = try await invitations.list(for: context.actor)
            return try Responses.json(context, ListJSON(items: open.map(OpenInvitationJSON.init), next: nil))
        }
        return try Responses.page(context, template: "family-invite", try await page(context))
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let password = fields.string("password").value
        return try await Responses.form(
            context, template: "family-invite",
            page: { error in try await page(context, error: context.translated(error)) },
            perform: { [fields] in
                try fields.check()
                let invitation = try await invitations.create(password: password, by: context.change(fields))
                if context.face == .json {
                    var response = try Responses.json(context, InvitationJSON(invitation), status: .created)
                    response.headers[.location] = FamilyPath.invitation(invitation.code)
                    return response
                }
                return try Responses.page(
                    context, template: "family-invite", status: .created,
                    try await page(context, invitation: invitation))
            }
        )
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("code", of: Invitation.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await ParentActionResponder.redirectingErrors(context, to: FamilyPath.invitations) {
            try await invitations.revoke(id, by: context.change(fields))
            return Responses.removed(
                context, seeOther: FamilyPath.invitations,
                toast: ShellToast(context.t("The invitation was revoked")))
        }
    }

    private func page(
        _ context: SignedInContext, invitation: Invitation? = nil, error: AppError? = nil
    ) async throws -> InvitePage {
        let details = try await invitations.details(for: context.actor)
        return try InvitePage(
            context, invitation: invitation, open: details.open, proof: details.proof, error: error)
    }
}
