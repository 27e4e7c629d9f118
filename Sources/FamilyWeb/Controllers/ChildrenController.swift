import Accounts
import Family
import Hummingbird
import Kernel
import Pictures
import WebCore

/// `/family/children` and `/family/children/{id}` for parents: adding, showing, editing and deleting children. The list
/// is only JSON, also for children.
struct ChildrenController: Sendable {
    let children: ChildService
    let deletions: ChildDeletionService
    let households: HouseholdService
    let pictures: PictureLibrary
    let positions: PositionLinks

    func addRoutes(to parents: RouterGroup<SignedInContext>) {
        let children = parents.group("children")
        children.get("new", use: new)
        children.post(use: create)
        children.get("{id}/edit", use: edit)
        children.delete("{id}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard context.face == .json else { return Responses.seeOther(context, to: FamilyPath.root) }
        let paging = try context.paging()
        let page = try await children.list(for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.json(context, ListJSON(items: page.items.map(ChildJSON.init), next: page.next))
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        if context.face == .json {
            let child = try await children.child(id, for: context.actor)
            return try Responses.json(context, ChildJSON(child), version: child.version)
        }
        let details = try await children.details(of: id, for: context.actor)
        let isShared = try await positions.isShared(id, context.actor)
        return try Responses.page(
            context, template: "family-child", fragment: "family-child-status", version: details.child.version,
            ParentChildPage(
                context, details, isPositionShared: isShared, t: context.t, formatter: context.familyFormatter)
        )
    }

    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await households.createIfMissing(for: context.actor)
        return try Responses.page(
            context, template: "family-person",
            PersonPage(adding: context, typed: PersonFormState(), error: nil, t: context.t))
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let t = context.t
        var typed = PersonFormState()
        return try await Responses.form(
            context, template: "family-person",
            page: { error in PersonPage(adding: context, typed: typed, error: context.translated(error), t: t) },
            perform: {
                var fields = try await Fields.read(request, context)
                let (changes, change) = try await typed.readChanges(&fields, in: pictures, context) {
                    try await households.createIfMissing(for: context.actor)
                }
                let profile = ChildProfile(
                    name: changes.name.newValue, dateOfBirth: changes.dateOfBirth.newValue,
                    theme: changes.theme.newValue, avatarPictureID: changes.avatarPictureID.newValue)
                try fields.check { try children.validate(profile) }
                let child = try await children.create(profile, by: change)
                return try Responses.created(
                    context, location: FamilyPath.child(child.id), version: child.version,
                    json: { ChildJSON(child) }, seeOther: FamilyPath.root,
                    toast: ShellToast(t("{name} is in the family now", ["name": child.name]))
                )
            }
        )
    }

    @Sendable func edit(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let child = try await children.child(context.id("id", of: Person.self), for: context.actor)
        return try Responses.page(
            context, template: "family-person", fragment: "family-person-fragment",
            PersonPage(editing: child, context, typed: PersonFormState(child), error: nil, t: context.t))
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let t = context.t
        var typed = PersonFormState()
        let response = try await Responses.form(
            context, template: "family-person", fragment: "family-person-fragment",
            page: { error in
                let child = try await children.child(id, for: context.actor)
                let shown = typed.rebase(after: error, on: PersonValues(child), version: child.version, context)
                return PersonPage(editing: child, context, typed: typed, error: shown, t: t)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                let (changes, change) = try await typed.readChanges(&fields, in: pictures, context) {
                    try await children.requireEditing(id, by: context.actor)
                }
                try fields.check { try children.validate(changes, isOwn: false) }
                let child = try await children.update(id, changes, by: change)
                return try Responses.changed(
                    context, version: child.version, json: { ChildJSON(child) }, seeOther: FamilyPath.root,
                    toast: ShellToast(t("{name} is updated", ["name": child.name]))
                )
            }
        )
        return response.inPlace(context)
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let t = context.t
        let name = try await deletions.delete(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: FamilyPath.root,
            toast: ShellToast(
                name.map { t("{name} is deleted", ["name": $0]) } ?? t("It is deleted"),
                undoURL: FamilyPath.child(id) + "/restoration", undoLabel: t("Undo"))
        )
    }
}
