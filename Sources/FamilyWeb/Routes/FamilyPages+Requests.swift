import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/children/{id}/requests`: a child's requests for points, and a parent's decisions.
extension FamilyPages {
    @Sendable func listRequests(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        guard context.face == .json else { return Responses.seeOther(context, to: FamilyPath.child(id)) }
        let paging = try context.paging()
        let page = try await family.requests.list(
            of: id, for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.json(context, ListJSON(items: page.items.map(ChoreRequestJSON.init), next: page.next))
    }

    /// The page that a notification links to. Redirects to the child's page if a parent decided on the request.
    @Sendable func showRequest(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let requestID = try context.id("requestId", of: ChoreRequest.self)
        if context.face == .json {
            return try Responses.json(
                context, ChoreRequestJSON(try await family.requests.request(requestID, of: id, for: context.actor)))
        }
        if context.isChild { return Responses.seeOther(context, to: FamilyPath.child(id)) }
        return try await performOrRedirect(id, context) {
            try Responses.page(
                context, template: "family-request-page",
                try await requestPage(requestID, of: id, reason: "", error: nil, context))
        }
    }

    private func requestPage(
        _ requestID: ID<ChoreRequest>, of id: PersonID, reason: String, error: AppError?, _ context: SignedInContext
    ) async throws -> RequestPage {
        let asked = try await family.requests.request(requestID, of: id, for: context.actor)
        let child = try await family.children.child(id, for: context.actor)
        return RequestPage(
            context, asked, childName: child.name, reason: reason, error: error, formatter: formatter(context))
    }

    @Sendable func approve(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let requestID = try context.id("requestId", of: ChoreRequest.self)
        var fields = try await Fields.read(request, context)
        let points = fields.integer("points").value
        let path = returnPath(of: id, fields)
        return try await performOrRedirect(id, context, at: path) { [fields] in
            try fields.check()
            let booked = try await family.requestDecisions.approve(
                requestID, of: id, points: points, by: context.change(fields))
            let words = FamilyStrings.fill(
                context.familyStrings.profile.approved,
                ["points": formatter(context).points(Int64(booked.points)), "chore": booked.name])
            return try Responses.created(
                context, location: FamilyPath.assignments(of: id), json: { AssignmentJSON(booked) },
                seeOther: path, toast: ShellToast(words))
        }
    }

    /// Declines a request as a parent, or withdraws it as the child.
    @Sendable func endRequest(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let requestID = try context.id("requestId", of: ChoreRequest.self)
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let reason = fields.string("reason").value
        let typed = fields.typed("reason")
        let path = returnPath(of: id, fields)
        do {
            return try await performOrRedirect(id, context, at: path, keeping: fields.typed("from") == "request") {
                [fields] in
                try fields.check()
                return try await end(requestID, of: id, reason: reason, to: path, context.change(fields), context)
            }
        } catch let error as AppError where context.face != .json && error.code == .invalid {
            return try Responses.page(
                context, template: "family-request-page", status: .unprocessableContent,
                try await requestPage(
                    requestID, of: id, reason: typed, error: context.translated(error), context))
        }
    }

    private func end(
        _ requestID: ID<ChoreRequest>, of id: PersonID, reason: String?, to path: String, _ change: Change,
        _ context: SignedInContext
    ) async throws -> Response {
        let asked =
            context.face == .json ? nil : try? await family.requests.request(requestID, of: id, for: context.actor)
        let name: KeyValuePairs = ["chore": asked?.name ?? ""]
        guard context.isChild else {
            try await family.requestDecisions.decline(requestID, of: id, reason: reason, by: change)
            let text = FamilyStrings.fill(context.familyStrings.profile.declined, name)
            return Responses.removed(context, seeOther: path, toast: ShellToast(text))
        }
        try await family.requests.withdraw(requestID, of: id, by: change)
        let text = FamilyStrings.fill(context.familyStrings.parents.requestWithdrawn, name)
        return Responses.removed(context, seeOther: path, toast: ShellToast(text))
    }

    private func returnPath(of id: PersonID, _ fields: Fields) -> String {
        fields.typed("from") == RequestRow.dashboard ? FamilyPath.root : FamilyPath.child(id)
    }
}
