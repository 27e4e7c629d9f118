import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/chores/{id}` for children, who see their chores on their own page.
struct ChildChoresController: Sendable {
    let chores: ChoreService

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let chore = try await chores.chore(context.id("id", of: Chore.self), for: context.actor)
        guard context.face == .json else { return Responses.seeOther(context, to: FamilyPath.root) }
        return try Responses.json(context, ChoreJSON(chore), version: chore.version)
    }
}
