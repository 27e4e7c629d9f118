import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/chores/{id}/restoration`: restoring a deleted chore.
struct ChoreRestorationsController: Sendable {
    let chores: ChoreService

    func addRoutes(to parents: RouterGroup<SignedInContext>) {
        parents.post("chores/{id}/restoration", use: create)
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Chore.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let chore = try await chores.restore(id, by: context.change(fields))
        let text = context.t("“{name}” is back", ["name": chore.name])
        return try Responses.created(
            context, location: FamilyPath.chore(id), version: chore.version, json: { ChoreJSON(chore) },
            seeOther: FamilyPath.account, toast: ShellToast(text))
    }
}
