import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/deleted-children`: the children that can be restored, and their erasure.
struct DeletedChildrenController: Sendable {
    let family: FamilyServices
    let accounts: AccountService

    /// - Parameter group: the group `/family/deleted-children`, which admits only parents.
    func addRoutes(to group: RouterGroup<SignedInContext>) {
        group.get(use: list)
        group.get("{id}", use: show)
        group.delete("{id}", use: erase)
    }

    @Sendable func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let children = try await family.childDeletions.list(for: context.actor)
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
                context, DeletedChildJSON(try await family.childDeletions.deletedChild(id, for: context.actor)))
        }
        return try Responses.page(
            context, template: "family-deleted-child", fragment: "family-deleted-child-status",
            try await page(id, context))
    }

    @Sendable func erase(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        var fields = try await Fields.read(request, context, emptyAllowed: true)
        let password = fields.string("password").value
        return try await Responses.form(
            context, template: "family-deleted-child", fragment: "family-deleted-child-status",
            page: { error in try await page(id, context, error: context.translated(error)) },
            perform: { [fields] in
                try fields.check()
                try await family.childDeletions.erase(id, password: password, by: context.change(fields))
                return Responses.removed(
                    context, seeOther: FamilyPath.deletedChildren,
                    toast: ShellToast(context.familyStrings.deletion.erased))
            })
    }

    private func page(
        _ id: PersonID, _ context: SignedInContext, error: AppError? = nil
    ) async throws -> DeletedChildPage {
        let child = try await family.childDeletions.deletedChild(id, for: context.actor)
        let proof = try await accounts.proofState(of: context.actor, for: .eraseChild)
        return DeletedChildPage(context, child, proof: proof, error: error)
    }
}

/// A deleted child in the JSON API.
struct DeletedChildJSON: Encodable {
    private enum Key: String, CodingKey {
        case deletedAt, restorableUntil
    }

    private let child: DeletedChild

    init(_ child: DeletedChild) { self.child = child }

    func encode(to encoder: any Encoder) throws {
        try MemberJSON(child.member).encode(to: encoder)
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(child.deletedAt, forKey: .deletedAt)
        try object.encode(child.restorableUntil, forKey: .restorableUntil)
    }
}
