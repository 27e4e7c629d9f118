import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/children/{id}/assignments`: the assignments of a child, also for children; giving points and undoing an
/// assignment for parents.
struct AssignmentsController: Sendable {
    let assignments: AssignmentService
    let children: ChildService
    let responder: ChildActionResponder

    func addRoutes(to parents: RouterGroup<SignedInContext>, shared: RouterGroup<SignedInContext>) {
        shared.get("children/{id}/assignments", use: index)
        let assignments = parents.group("children/{id}/assignments")
        assignments.get("new", use: new)
        assignments.post(use: create)
        assignments.delete("{assignmentId}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let paging = try context.paging()
        if context.face == .json {
            let page = try await assignments.list(of: id, for: context.actor, after: paging.after, limit: paging.limit)
            return try Responses.json(context, ListJSON(items: page.items.map(AssignmentJSON.init), next: page.next))
        }
        let entries = try await assignments.listWithChild(
            id, for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.page(
            context, template: "family-assignments", fragment: "family-assignment-rows",
            AssignmentListPage(
                context, entries, after: paging.after, t: context.t, formatter: context.familyFormatter)
        )
    }

    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        return try Responses.page(
            context, template: "family-assign", fragment: "family-assign-fragment",
            try await page(for: id, .nothing, nil, context))
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        var typed = PointsFormState.nothing
        let response = try await Responses.form(
            context, template: "family-assign", fragment: "family-assign-fragment",
            page: { error in
                try await page(for: id, typed, context.translated(error), context)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = PointsFormState(fields)
                let isFromToday = fields.isForm && fields.typed("from") == RequestRow.today
                let entries = fields.isForm && !isFromToday ? typed.entries : fields.assignmentInputs()
                guard isFromToday else {
                    return try await create(entries, for: id, fields, seeOther: FamilyPath.child(id), context)
                }
                return try await responder.redirectingErrors(id, context, to: FamilyPath.today) { [fields] in
                    try await create(entries, for: id, fields, seeOther: FamilyPath.today, context)
                }
            }
        )
        return response.inPlace(context)
    }

    private func create(
        _ entries: [AssignmentInput], for id: PersonID, _ fields: Fields, seeOther: String, _ context: SignedInContext
    ) async throws -> Response {
        try fields.check()
        let created = try await assignments.assign(entries, to: id, by: context.change(fields))
        let toast = context.face == .json ? nil : try await toast(for: created, id, context)
        return try Responses.created(
            context, location: FamilyPath.assignments(of: id),
            json: { ListJSON(items: created.map(AssignmentJSON.init), next: nil) }, seeOther: seeOther, toast: toast)
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let assignment = try context.id("assignmentId", of: Assignment.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await responder.redirectingErrors(id, context) {
            try await assignments.undo(assignment, of: id, by: context.change(fields))
            return Responses.removed(
                context, seeOther: FamilyPath.child(id), toast: ShellToast(context.t("Undone")))
        }
    }

    private func page(
        for child: PersonID, _ typed: PointsFormState, _ error: AppError?, _ context: SignedInContext
    ) async throws -> AssignPage {
        let assignable = try await assignments.assignableChores(for: child, by: context.actor)
        return AssignPage(
            context, child: assignable.child, chores: assignable.chores, typed: typed, error: error,
            t: context.t, formatter: context.familyFormatter)
    }

    private func toast(
        for created: [Assignment], _ id: PersonID, _ context: SignedInContext
    ) async throws -> ShellToast {
        let child = try await children.child(id, for: context.actor)
        let points = context.familyFormatter.points(Int64(created.reduce(0) { $0 + $1.points }))
        return ShellToast(
            context.t("{points} for {name}", ["points": points, "name": child.name]))
    }
}
