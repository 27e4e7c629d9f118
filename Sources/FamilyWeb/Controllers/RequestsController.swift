import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/children/{id}/requests` for parents: a child's requests for points, and declining one. The list is only
/// JSON, also for children.
struct RequestsController: Sendable {
    let requests: ChoreRequestService
    let decisions: RequestDecisionService
    let responder: ChildActionResponder

    func addRoutes(to shared: RouterGroup<SignedInContext>) {
        shared.get("children/{id}/requests", use: index)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        guard context.face == .json else { return Responses.seeOther(context, to: FamilyPath.child(id)) }
        let paging = try context.paging()
        let page = try await requests.list(
            of: id, for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.json(context, ListJSON(items: page.items.map(ChoreRequestJSON.init), next: page.next))
    }

    /// The page that a notification links to. Redirects to the child's page if a parent decided on the request.
    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let requestID = try context.id("requestId", of: ChoreRequest.self)
        if context.face == .json {
            return try Responses.json(
                context, ChoreRequestJSON(try await requests.request(requestID, of: id, for: context.actor)))
        }
        return try await responder.redirectingErrors(id, context) {
            try Responses.page(
                context, template: "family-request-page",
                try await page(
                    requestID, of: id, from: context.query("from") ?? "",
                    isDeclining: context.query("view") == "decline", reason: "", error: nil, context))
        }
    }

    /// Declines the request.
    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let requestID = try context.id("requestId", of: ChoreRequest.self)
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let reason = fields.string("reason").value
        let typed = fields.typed("reason")
        let path = responder.returnPath(of: id, fields)
        do {
            return try await responder.redirectingErrors(id, context, to: path, throwsInvalid: true) { [fields] in
                try fields.check()
                let change = try context.change(fields)
                let name = await responder.choreName(of: requestID, of: id, requests, context)
                try await decisions.decline(requestID, of: id, reason: reason, by: change)
                let text = context.t("“{chore}” declined", ["chore": name])
                return Responses.removed(context, seeOther: path, toast: ShellToast(text))
            }
        } catch let error as AppError where context.face != .json && error.code == .invalid {
            return try Responses.page(
                context, template: "family-request-page", status: .unprocessableContent,
                try await page(
                    requestID, of: id, from: fields.typed("from"), isDeclining: true, reason: typed,
                    error: context.translated(error), context))
        }
    }

    private func page(
        _ requestID: ID<ChoreRequest>, of id: PersonID, from: String, isDeclining: Bool, reason: String,
        error: AppError?, _ context: SignedInContext
    ) async throws -> RequestPage {
        let details = try await requests.details(requestID, of: id, for: context.actor)
        return RequestPage(
            context, details.request, childName: details.child.name, from: from, isDeclining: isDeclining,
            reason: reason, error: error, formatter: context.familyFormatter)
    }
}
