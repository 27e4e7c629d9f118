import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/requests`: the open requests of all children, also for children as JSON; approving several at once.
struct WaitingRequestsController: Sendable {
    let requests: ChoreRequestService
    let decisions: RequestDecisionService

    func addRoutes(to parents: RouterGroup<SignedInContext>, shared: RouterGroup<SignedInContext>) {
        shared.get("requests", use: index)
        parents.post("requests/approvals", use: create)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        if context.face == .json {
            let paging = try context.paging()
            let page = try await requests.list(
                of: nil, for: context.actor, after: paging.after, limit: paging.limit)
            return try Responses.json(context, ListJSON(items: page.items.map(ChoreRequestJSON.init), next: page.next))
        }
        // Children see their requests on their own page.
        guard !context.isChild else {
            return Responses.seeOther(context, to: FamilyPath.child(context.actor.person))
        }
        let after = context.query("after")
        let waiting = try await requests.waiting(for: context.actor, after: after)
        return try Responses.page(
            context, template: "family-requests", fragment: "family-requests-rows",
            WaitingRequestsPage(context, waiting, after: after, formatter: context.familyFormatter))
    }

    /// Gives the same points for all chosen requests.
    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let ids =
            fields.strings(
                "requestIds", atMost: Limits.assignmentEntries, excess: FamilyMessage.tooManyApprovals.text
            ).value ?? []
        let chosen = ids.compactMap { ID<ChoreRequest>($0) }
        if chosen.count < ids.count { fields.addError("requestIds", context.t("Choose one of the choices given.")) }
        let points = fields.integer("points").value
        do {
            try fields.check()
            let made = try await decisions.approve(all: chosen, points: points, by: context.change(fields))
            let text = context.t(
                "{n} chore approved, {points}", plural: "{n} chores approved, {points} each", count: made.count,
                [
                    "n": String(made.count),
                    "points": context.familyFormatter.points(Int64(made.first?.points ?? 0)),
                ])
            return try Responses.created(
                context, location: FamilyPath.waiting,
                json: { ListJSON(items: made.map(AssignmentJSON.init), next: nil) }, seeOther: FamilyPath.waiting,
                toast: ShellToast(text))
        } catch let error as AppError {
            // The page has no place for errors of fields, and shows the present state again.
            guard context.face != .json, [.conflict, .invalid].contains(error.code) else { throw error }
            let shown = context.translated(error)
            return Responses.seeOther(
                context, to: FamilyPath.waiting,
                toast: ShellToast(shown.fields.values.min() ?? shown.message, isProblem: true))
        }
    }
}
