import Family
import HTTPTypes
import Hummingbird
import Kernel
import WebCore

/// `/family/children/{id}/sign-in-codes`: creating and revoking the codes with which a child's devices sign in.
struct SignInCodesController: Sendable {
    let codes: SignInCodeService
    let children: ChildService

    func addRoutes(to parents: RouterGroup<SignedInContext>) {
        let codes = parents.group("children/{id}/sign-in-codes")
        codes.get(use: new)
        codes.post(use: create)
        codes.delete(use: destroy)
        codes.get("{codeId}", use: show)
    }

    /// Creates no code: a preview or a reload would revoke the code that a device is scanning.
    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let child = try await children.child(context.id("id", of: Person.self), for: context.actor)
        let isAfterSetup = context.query("from") == "setup"
        return try Responses.page(
            context, template: "family-code", CodePage(context, child, code: nil, isAfterSetup: isAfterSetup))
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let code = try await codes.create(for: id, by: context.change(fields))
        if context.face == .json {
            var response = try Responses.json(context, SignInCodeJSON(code), status: .created)
            response.headers[.location] = "\(FamilyPath.signInCodes(of: id))/\(code.id)"
            return response
        }
        let child = try await children.child(id, for: context.actor)
        return try Responses.page(
            context, template: "family-code", fragment: "family-code-card", status: .created,
            CodePage(context, child, code: code)
        )
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let child = try context.id("id", of: Person.self)
        let code = try context.id("codeId", of: SignInCode.self)
        let state = try await codes.state(code, of: child, for: context.actor)
        return try Responses.json(context, CodeStateJSON(code, state))
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await codes.revoke(of: id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: FamilyPath.devices(of: id),
            toast: ShellToast(context.t("All open codes were revoked"))
        )
    }
}
