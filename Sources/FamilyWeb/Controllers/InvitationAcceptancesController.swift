import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/invitations/{code}` and `POST /family/parents`: the page of the invited person, and joining the household.
struct InvitationAcceptancesController: Sendable {
    let acceptances: InvitationAcceptanceService

    func addRoutes(to parents: RouterGroup<SignedInContext>, open: RouterGroup<AppContext>) {
        open.get("invitations/{code}", use: show)
        parents.post("parents", use: create)
    }

    @Sendable func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let code = try context.text("code")
        let inviter = try await acceptances.inviter(ofCode: code, clientAddress: context.clientAddress)
        return try Responses.of(
            context, template: "family-join", page: { JoinPage(context, inviter: inviter, code: code, error: nil) },
            json: { InviterJSON(inviter) }
        )
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let code = fields.string("code").value
        return try await Responses.form(
            context, template: "family-join",
            page: { error in
                // A rejected code was counted already. Look the inviter up only after other errors.
                let isRefused = error.code == .throttled || error.code == .invalid
                let inviter =
                    isRefused
                    ? nil
                    : try? await acceptances.inviter(
                        ofCode: code, clientAddress: context.clientAddress)
                return JoinPage(
                    context.app, inviter: inviter, code: code ?? "",
                    error: context.translated(error))
            },
            perform: { [fields] in
                try fields.check()
                let parents = try await acceptances.accept(
                    code, clientAddress: context.clientAddress, by: context.change(fields))
                return try Responses.created(
                    context, location: FamilyPath.parents,
                    json: { ListJSON(items: parents.items.map { MemberJSON($0) }, next: parents.next) },
                    seeOther: FamilyPath.root, toast: ShellToast(context.t("You are in the family now"))
                )
            }
        )
    }
}
