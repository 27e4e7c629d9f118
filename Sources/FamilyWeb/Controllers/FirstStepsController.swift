import Family
import Hummingbird
import WebCore

/// `/family/first-steps`: the first steps of a new family, which the dashboard shows until they are done or hidden.
struct FirstStepsController: Sendable {
    let firstSteps: FirstStepsService

    func addRoutes(to parents: RouterGroup<SignedInContext>) {
        parents.delete("first-steps", use: destroy)
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await firstSteps.hide(by: context.change(fields))
        return Responses.removed(context, seeOther: FamilyPath.root, toast: nil)
    }
}
