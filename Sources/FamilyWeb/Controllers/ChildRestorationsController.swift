import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/children/{id}/restoration`: restoring a deleted child.
struct ChildRestorationsController: Sendable {
    let deletions: ChildDeletionService

    func addRoutes(to parents: RouterGroup<SignedInContext>) {
        parents.post("children/{id}/restoration", use: create)
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let child = try await deletions.restore(id, by: context.change(fields))
        let text = context.t("{name} is back", ["name": child.name])
        return try Responses.created(
            context, location: FamilyPath.child(id), version: child.version, json: { ChildJSON(child) },
            seeOther: FamilyPath.root, toast: ShellToast(text))
    }
}
