import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/tablets`: the shared tablets of a family, and the codes that pair them.
struct TabletsController: Sendable {
    let tablets: TabletService

    func addRoutes(to parents: RouterGroup<SignedInContext>) {
        parents.group("tablets")
            .get(use: index)
            .delete("{id}", use: destroy)
            .get("codes", use: newCode)
            .post("codes", use: createCode)
            .get("codes/{id}", use: showCode)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let found = try await tablets.overview(for: context.actor)
        return try Responses.of(
            context, template: "family-tablets", fragment: "family-tablets-rows",
            page: { TabletsPage(context, found) },
            json: { ListJSON(items: found.tablets.map(TabletJSON.init), next: nil) })
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Tablet.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await ParentActionResponder.redirectingErrors(context, to: FamilyPath.tablets) {
            try await tablets.remove(id, by: context.change(fields))
            return Responses.removed(
                context, seeOther: FamilyPath.tablets, toast: ShellToast(context.t("The tablet was removed")))
        }
    }

    /// Creates no code: a preview or a reload would revoke the code that a tablet is scanning.
    @Sendable func newCode(_ request: Request, _ context: SignedInContext) async throws -> Response {
        _ = try await tablets.list(for: context.actor)
        return try Responses.page(context, template: "family-tablet-code", TabletCodePage(context, code: nil))
    }

    @Sendable func createCode(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        do {
            let code = try await tablets.createCode(by: context.change(fields))
            if context.face == .json {
                var response = try Responses.json(context, SignInCodeJSON(code), status: .created)
                response.headers[.location] = "\(FamilyPath.tabletCodes)/\(code.id)"
                return response
            }
            return try Responses.page(
                context, template: "family-tablet-code", fragment: "family-code-card", status: .created,
                TabletCodePage(context, code: code))
        } catch let error as AppError {
            guard context.face != .json, error.code == .conflict else { throw error }
            return Responses.seeOther(context, to: FamilyPath.tablets, toast: context.failureToast(error))
        }
    }

    @Sendable func showCode(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let code = try context.id("id", of: TabletCode.self)
        let state = try await tablets.state(of: code, for: context.actor)
        return try Responses.json(context, CodeStateJSON(code, state))
    }
}
