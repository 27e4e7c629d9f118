import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/chores/{id}/requests/new`: the form with which a child reports a chore that has steps or needs a photo.
struct ChoreDoneController: Sendable {
    let chores: ChoreService

    func addRoutes(to shared: RouterGroup<SignedInContext>) {
        shared.get("chores/{id}/requests/new", use: show)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let chore = try await chores.chore(context.id("id", of: Chore.self), for: context.actor)
        // Parents give points, and have their own form for the chore.
        guard context.isChild else { return Responses.seeOther(context, to: FamilyPath.chore(chore.id) + "/edit") }
        let typed = ChoreDoneFormState(
            occurrence: context.query("occurrence") ?? "", from: context.query("from") ?? "")
        return try Responses.page(
            context, template: "family-chore-done", ChoreDonePage(context, chore, typed: typed, error: nil))
    }
}
