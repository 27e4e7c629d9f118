import Accounts
import Family
import Hummingbird
import Kernel
import Pictures
import WebCore

extension FamilyPages {
    // MARK: Dashboard

    /// `/family`: the dashboard, or a page about Family for visitors who aren't signed in.
    @Sendable func start(_ request: Request, _ context: AppContext) async throws -> Response {
        guard context.identity != nil else {
            guard context.face == .page else { throw NotSignedIn() }
            return try Responses.page(
                context, template: "family-welcome", FamilyWelcomePage(context, t: context.familyStrings))
        }
        let context = try SignedInContext(context: context)
        if context.face == .page, let detour = RequiredProfileMiddleware.family.detour(context) {
            return Responses.seeOther(context, to: detour)
        }
        if context.face == .json { return try await listChildren(request, context) }
        if context.account.role == .child { return try await childDashboard(context) }
        let after = context.query("after")
        let page = try await family.children.list(for: context.actor, after: after, limit: Limits.pageSizeMaximum)
        let me = try await family.households.me(for: context.actor)
        let requests = try await family.requests.list(
            of: nil, for: context.actor, after: nil, limit: Limits.pageSizeMaximum)
        let waiting = Dictionary(grouping: requests.items, by: \.childID)
        return try Responses.page(
            context, template: "family-dashboard", fragment: "family-dashboard-rows",
            DashboardPage(
                context, me: me, page, requests: waiting, after: after, t: context.familyStrings,
                formatter: formatter(context))
        )
    }

    @Sendable func listChildren(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard context.face == .json else { return Responses.seeOther(context, to: FamilyPath.root) }
        let paging = try context.paging()
        let page = try await family.children.list(for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.json(context, ListJSON(items: page.items.map(ChildJSON.init), next: page.next))
    }

    /// The menu of the dashboard or the account page, as a page.
    @Sendable func showMenu(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let t = context.familyStrings
        let isAccount = context.isChild || context.query("for") == FamilyTab.account.rawValue
        let menu: ActionMenu =
            context.isChild ? ActionMenu(t.account.menu, [.signOut(t)]) : isAccount ? .account(t) : .dashboard(t)
        let back =
            isAccount
            ? ShellBack(url: FamilyPath.account, label: t.common.account)
            : ShellBack(url: FamilyPath.root, label: t.common.family)
        return try Responses.page(context, template: "family-menu", ActionMenuPage(context, menu, back: back))
    }

    // MARK: Profile

    @Sendable func showChild(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        if context.face == .json {
            let child = try await family.children.child(id, for: context.actor)
            return try Responses.json(context, ChildJSON(child), version: child.version)
        }
        if context.account.role == .child { return try await childProfile(context, id) }
        let child = try await family.children.child(id, for: context.actor)
        let assignments = try await family.assignments.list(
            of: id, for: context.actor, after: nil, limit: Self.finishedAtFirst)
        let requests = try await family.requests.list(
            of: id, for: context.actor, after: nil, limit: Limits.pageSizeMaximum)
        let contents = ProfileContents(
            child: child, assignments: assignments, requests: requests.items, chores: try await allChores(context))
        return try Responses.page(
            context, template: "family-child", fragment: "family-child-status", version: child.version,
            ProfilePage(context, contents, t: context.familyStrings, formatter: formatter(context))
        )
    }

    private static let finishedAtFirst = 10

    /// Returns all chores of the household. ``Limits/choresPerHousehold`` is at most one page.
    func allChores(_ context: SignedInContext) async throws -> [Chore] {
        try await family.chores.list(for: context.actor, after: nil, limit: Limits.pageSizeMaximum).items
    }

    @Sendable func showChildMenu(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let child = try await family.children.child(context.id("id", of: Person.self), for: context.actor)
        let menu = ActionMenu.profile(child.id, context.familyStrings)
        let back = ShellBack(url: FamilyPath.child(child.id), label: child.name)
        return try Responses.page(context, template: "family-menu", ActionMenuPage(context, menu, back: back))
    }

    // MARK: Add

    @Sendable func newChild(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await family.households.createIfMissing(for: context.actor)
        return try Responses.page(
            context, template: "family-person",
            PersonPage(adding: context, typed: PersonFormState(), error: nil, t: context.familyStrings))
    }

    @Sendable func addChild(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let t = context.familyStrings
        var typed = PersonFormState()
        return try await Responses.form(
            context, template: "family-person",
            page: { error in PersonPage(adding: context, typed: typed, error: context.translated(error), t: t) },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = PersonFormState(fields)
                var looks = AppearanceFormState(&fields)
                let name = fields.string("name").value
                let dateOfBirth = fields.string("dateOfBirth").value
                typed.take(looks)
                let change = try context.change(fields)
                try await looks.storePhoto(in: pictures, by: change, &fields) {
                    try await family.households.createIfMissing(for: context.actor)
                }
                typed.take(looks)
                let profile = ChildProfile(
                    name: name, dateOfBirth: dateOfBirth, theme: looks.theme.newValue,
                    avatarPictureID: looks.avatarPictureID.newValue)
                try fields.check { try family.children.validate(profile) }
                let child = try await family.children.create(profile, by: change)
                return try Responses.created(
                    context, location: FamilyPath.child(child.id), version: child.version,
                    json: { ChildJSON(child) }, seeOther: FamilyPath.root,
                    toast: ShellToast(FamilyStrings.fill(t.person.added, ["name": child.name]))
                )
            }
        )
    }

    // MARK: Edit

    @Sendable func editChild(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let child = try await family.children.child(context.id("id", of: Person.self), for: context.actor)
        return try Responses.page(
            context, template: "family-person", fragment: "family-person-fragment",
            PersonPage(editing: child, context, typed: PersonFormState(child), error: nil, t: context.familyStrings))
    }

    @Sendable func updateChild(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        if context.account.role == .child, context.face != .json { return try await childUpdate(request, context, id) }
        let t = context.familyStrings
        var typed = PersonFormState()
        let response = try await Responses.form(
            context, template: "family-person", fragment: "family-person-fragment",
            page: { error in
                let child = try await family.children.child(id, for: context.actor)
                let said = settle(error, context, &typed, PersonValues(child), version: child.version)
                return PersonPage(editing: child, context, typed: typed, error: said, t: t)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = PersonFormState(fields)
                var changes = ProfileChanges(
                    name: fields.string("name").edit, dateOfBirth: fields.string("dateOfBirth").edit)
                var looks = AppearanceFormState(&fields)
                typed.take(looks)
                let change = try context.change(fields)
                try await looks.storePhoto(in: pictures, by: change, &fields) {
                    try await family.children.requireEditing(id, by: context.actor)
                }
                typed.take(looks)
                changes.theme = looks.theme
                changes.avatarPictureID = looks.avatarPictureID
                try fields.check { [changes] in try family.children.validate(changes, isOwn: context.actor.person == id)
                }
                let child = try await family.children.update(id, changes, by: change)
                return try Responses.changed(
                    context, version: child.version, json: { ChildJSON(child) }, seeOther: FamilyPath.root,
                    toast: ShellToast(FamilyStrings.fill(t.person.updated, ["name": child.name]))
                )
            }
        )
        return response.inPlace(context)
    }

    /// Returns the error for the form after a failed edit. After a concurrent change, it merges the stored values with
    /// the typed ones.
    func settle(
        _ error: AppError, _ context: SignedInContext, _ typed: inout PersonFormState, _ present: PersonValues,
        version: Int64
    ) -> AppError {
        guard error.code == .conflict, typed.version != version else { return context.translated(error) }
        typed.rebase(on: present, version: version)
        return AppError(.conflict, context.familyStrings.common.movedOn)
    }

    // MARK: Delete

    @Sendable func deleteChild(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let t = context.familyStrings
        let name = try await family.childDeletions.delete(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: FamilyPath.root,
            toast: ShellToast(
                name.map { FamilyStrings.fill(t.person.deleted, ["name": $0]) } ?? t.common.deleted,
                undoURL: FamilyPath.child(id) + "/restoration", undoLabel: t.common.undo)
        )
    }

    @Sendable func restoreChild(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let child = try await family.childDeletions.restore(id, by: context.change(fields))
        let text = FamilyStrings.fill(context.familyStrings.person.restored, ["name": child.name])
        return try Responses.created(
            context, location: FamilyPath.child(id), version: child.version, json: { ChildJSON(child) },
            seeOther: FamilyPath.root, toast: ShellToast(text))
    }
}

extension Response {
    /// Returns the response with status 422 for a fragment: scripts put a form back into its place only for that
    /// status.
    func inPlace(_ context: SignedInContext) -> Response {
        guard context.face == .fragment, status != .ok else { return self }
        var response = self
        response.status = .unprocessableContent
        return response
    }
}

extension Edit {
    /// The value of `.set`; `nil` for other edits.
    fileprivate var newValue: Value? {
        if case .set(let value) = self { return value }
        return nil
    }
}
