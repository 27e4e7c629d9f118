import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/deleted-children`: the children that can be restored, and their erasure.
struct DeletedChildrenController: Sendable {
    let deletions: ChildDeletionService

    func addRoutes(to parents: RouterGroup<SignedInContext>) {
        let group = parents.group("deleted-children")
        group.get(use: index)
        group.get("{id}", use: show)
        group.delete("{id}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let children = try await deletions.list(for: context.actor)
        if context.face == .json {
            return try Responses.json(context, ListJSON(items: children.map(DeletedChildJSON.init), next: nil))
        }
        return try Responses.page(
            context, template: "family-deleted-children", fragment: "family-deleted-children-rows",
            DeletedChildrenPage(context, children))
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        if context.face == .json {
            return try Responses.json(
                context, DeletedChildJSON(try await deletions.deletedChild(id, for: context.actor)))
        }
        return try Responses.page(
            context, template: "family-deleted-child", fragment: "family-deleted-child-status",
            try await page(id, context))
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let password = fields.string("password").value
        return try await Responses.form(
            context, template: "family-deleted-child", fragment: "family-deleted-child-status",
            page: { error in try await page(id, context, error: context.translated(error)) },
            perform: { [fields] in
                try fields.check()
                try await deletions.erase(id, password: password, by: context.change(fields))
                return Responses.removed(
                    context, seeOther: FamilyPath.deletedChildren,
                    toast: ShellToast(context.t("The child was erased")))
            })
    }

    private func page(
        _ id: PersonID, _ context: SignedInContext, error: AppError? = nil
    ) async throws -> DeletedChildPage {
        let details = try await deletions.details(of: id, for: context.actor)
        return DeletedChildPage(context, details.child, proof: details.proof, error: error)
    }
}
