import Accounts
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/items/{id}/invitations`: links with which other people join an item.
struct ItemInvitationsController: Sendable {
    let invitations: ItemInvitationService
    let members: ItemMemberService
    let proofs: ProofService

    func addRoutes(to items: RouterGroup<SignedInContext>) {
        items.post("{id}/invitations", use: create)
        items.delete("{id}/invitations/{invitation}", use: destroy)
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        var fields = try await Fields.read(request, context)
        let access = fields.requireChoice("access", of: GrantableAccess.self)
        let password = fields.string("password").value
        try fields.check()
        guard let access else { throw AppError.notFound }
        return try await ItemPeopleErrors.redirecting(context, to: id) { [fields] in
            let proof = try await proofs.evidence(password: password, of: context.actor)
            let created = try await invitations.create(to: id, access.access, proof: proof, by: context.change(fields))
            if context.face == .json {
                return try Responses.json(context, NewItemInvitationJSON(created), status: .created)
            }
            let people = try await members.people(of: id, for: context.actor)
            return try Responses.page(
                context, template: "tracking-people", status: .created,
                ItemPeoplePage(context, people, created: created))
        }
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        let invitation = try context.id("invitation", of: ItemInvitation.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await ItemPeopleErrors.redirecting(context, to: id) {
            try await invitations.revoke(invitation, to: id, by: context.change(fields))
            return Responses.removed(
                context, seeOther: TrackingPath.people(of: id),
                toast: ShellToast(context.t("The invitation was revoked")))
        }
    }
}

/// `/tracking/invitations`: the page of the invited person, and joining the item.
struct ItemInvitationAcceptancesController: Sendable {
    let invitations: ItemInvitationService

    func addRoutes(to tracking: RouterGroup<SignedInContext>, open: RouterGroup<AppContext>) {
        open.get("{code}", use: show)
        tracking.post("invitations", use: create)
    }

    @Sendable func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let code = try context.text("code")
        do {
            let preview = try await invitations.preview(ofCode: code, clientAddress: context.clientAddress)
            return try Responses.of(
                context, template: "tracking-invitation",
                page: { ItemInvitationPage(context, preview, code: code) },
                json: { ItemInvitationPreviewJSON(preview) })
        } catch let error as AppError where error.code == .notFound && context.face == .page {
            return try Responses.page(
                context, template: "tracking-invitation", status: .notFound,
                ItemInvitationPage(context, nil, code: code))
        }
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let code = fields.require("code")
        return try await Responses.form(
            context, template: "tracking-invitation",
            page: { error in
                let preview = try? await invitations.preview(ofCode: code, clientAddress: context.clientAddress)
                return ItemInvitationPage(
                    context.app, preview, code: code, error: error.translated(to: context.language))
            },
            perform: { [fields] in
                try fields.check()
                let id = try await invitations.accept(
                    code, clientAddress: context.clientAddress, by: context.change(fields))
                return try Responses.created(
                    context, location: TrackingPath.item(id), json: { JoinedItemJSON(id: id) },
                    seeOther: TrackingPath.item(id), toast: ShellToast(context.t("It’s in your list now")))
            })
    }
}
