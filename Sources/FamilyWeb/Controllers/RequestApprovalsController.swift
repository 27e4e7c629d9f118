import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/children/{id}/requests/{requestId}/approval`: giving the points of a request.
struct RequestApprovalsController: Sendable {
    let decisions: RequestDecisionService
    let responder: ChildActionResponder

    func addRoutes(to parents: RouterGroup<SignedInContext>) {
        parents.post("children/{id}/requests/{requestId}/approval", use: create)
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let requestID = try context.id("requestId", of: ChoreRequest.self)
        var fields = try await Fields.read(request, context)
        let points = fields.integer("points").value
        let path = responder.returnPath(of: id, fields)
        return try await responder.redirectingErrors(id, context, to: path) { [fields] in
            try fields.check()
            let assignment = try await decisions.approve(
                requestID, of: id, points: points, by: context.change(fields))
            let text = context.t(
                "{points} for “{chore}”",
                ["points": context.familyFormatter.points(Int64(assignment.points)), "chore": assignment.name])
            return try Responses.created(
                context, location: FamilyPath.assignments(of: id), json: { AssignmentJSON(assignment) },
                seeOther: path, toast: ShellToast(text))
        }
    }
}
