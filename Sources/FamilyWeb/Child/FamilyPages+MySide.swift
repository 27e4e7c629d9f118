import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// The child's version of the pages that it shares with its parents.
extension FamilyPages {
    /// `/family`: the child's own card, then those of its siblings.
    func childDashboard(_ context: SignedInContext) async throws -> Response {
        let children = try await family.children.list(for: context.actor, after: nil, limit: Limits.pageSizeMaximum)
        return try Responses.page(
            context, template: "family-my", fragment: "family-my-rows",
            ChildDashboardPage(context, children.items, formatter: formatter(context))
        )
    }

    /// `/family/children/{id}`: the child's own page, or a sibling's without actions.
    func childProfile(_ context: SignedInContext, _ id: PersonID) async throws -> Response {
        let child = try await family.children.child(id, for: context.actor)
        let finished = try await family.assignments.list(
            of: id, for: context.actor, after: nil, limit: ChildProfilePage.finishedShown)
        var chores: [Chore] = []
        var requests: [ChoreRequest] = []
        if id == context.actor.person {
            chores = try await family.chores.list(for: context.actor, after: nil, limit: Limits.pageSizeMaximum).items
            requests = try await family.requests.list(
                of: id, for: context.actor, after: nil, limit: Limits.pageSizeMaximum
            )
            .items
        }
        return try Responses.page(
            context, template: "family-my-profile", fragment: "family-my-profile-rows",
            ChildProfilePage(
                context, child, finished: finished, chores: chores, requests: requests, formatter: formatter(context))
        )
    }

    /// `/family/account`.
    func childAccount(_ context: SignedInContext) async throws -> Response {
        let child = try await family.children.child(context.actor.person, for: context.actor)
        let parents = try await family.parents.list(for: context.actor, after: nil, limit: Limits.pageSizeMaximum)
        return try Responses.page(
            context, template: "family-my-account", fragment: "family-my-account-rows",
            ChildAccountPage(context, child, parents: parents.items, formatter: formatter(context))
        )
    }

    /// `/family/account/edit`.
    func childAccountEdit(_ context: SignedInContext) async throws -> Response {
        let child = try await family.children.child(context.actor.person, for: context.actor)
        return try Responses.page(
            context, template: "family-my-edit", ChildEditPage(context, typed: MyProfileFormState(child), error: nil))
    }

    /// Saves that form, then redirects to the account page.
    func childUpdate(_ request: Request, _ context: SignedInContext, _ id: PersonID) async throws -> Response {
        var fields = try await Fields.read(request, context)
        var typed = MyProfileFormState(fields)
        return try await Responses.form(
            context, template: "family-my-edit",
            page: { error in
                let error = context.translated(error)
                if error.code == .conflict, error.fields.isEmpty {
                    // Use the present version only after the child has seen the conflict, so that saving again
                    // overwrites it knowingly.
                    typed.version = String(try await family.children.child(id, for: context.actor).version)
                }
                return ChildEditPage(context, typed: typed, error: error)
            },
            perform: {
                var looks = AppearanceFormState(&fields)
                var changes = ProfileChanges(
                    name: fields.string("name").edit, dateOfBirth: fields.string("dateOfBirth").edit,
                    theme: looks.theme)
                let before = try context.change(fields)
                let version = try context.ifMatch() ?? Int64(typed.version)
                let change = Change(actor: before.actor, idempotency: before.idempotency, ifVersion: version)
                try await looks.storePhoto(in: pictures, by: change, &fields) {
                    try await family.children.requireEditing(id, by: context.actor)
                }
                typed.avatar = looks.chosenAvatar
                changes.avatarPictureID = looks.avatarPictureID
                try fields.check { [changes] in try family.children.validate(changes, isOwn: true) }
                let child = try await family.children.update(id, changes, by: change)
                return try Responses.changed(
                    context, version: child.version, json: { ChildJSON(child) }, seeOther: FamilyPath.account,
                    toast: ShellToast(context.familyStrings.child.my.updated)
                )
            }
        )
    }
}

/// The typed values of a child's own form, to show them again after an error.
struct MyProfileFormState: Sendable {
    var name: String
    var dateOfBirth: String
    var theme: String
    var avatar: String
    var version: String

    init(_ child: Child) {
        name = child.name
        dateOfBirth = child.dateOfBirth
        theme = child.theme
        avatar = child.avatarPictureID?.description ?? ""
        version = String(child.version)
    }

    init(_ fields: Fields) {
        name = fields.typed("name")
        dateOfBirth = fields.typed("dateOfBirth")
        theme = fields.typed("theme")
        avatar = AppearanceFormState.chosenAvatar(fields)
        version = fields.typed("version")
    }
}
