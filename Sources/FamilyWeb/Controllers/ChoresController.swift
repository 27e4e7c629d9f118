import Accounts
import Family
import Hummingbird
import Kernel
import Pictures
import Storage
import WebCore

/// `/family/chores` and `/family/chores/{id}` for parents: listing, adding, editing and deleting chores. For children
/// the list is only JSON.
struct ChoresController: Sendable {
    let chores: ChoreService
    let schedules: ScheduleService
    let households: HouseholdService
    let pictures: PictureLibrary

    func addRoutes(to parents: RouterGroup<SignedInContext>, shared: RouterGroup<SignedInContext>) {
        shared.get("chores", use: index)
        let chores = parents.group("chores")
        chores.get("new", use: new)
        chores.post(use: create)
        chores.get("{id}/edit", use: edit)
        chores.patch("{id}", use: update)
        chores.delete("{id}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard context.face == .json else { return try await list(context) }
        let paging = try context.paging()
        let page = try await chores.list(for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.json(context, ListJSON(items: page.items.map(ChoreJSON.init), next: page.next))
    }

    private func list(_ context: SignedInContext) async throws -> Response {
        if context.isChild { return Responses.seeOther(context, to: FamilyPath.account) }
        let plan = try await schedules.plan(for: context.actor)
        return try Responses.page(
            context, template: "family-chores", fragment: "family-chores-rows", ChoreListPage(context, plan))
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let chore = try await chores.chore(context.id("id", of: Chore.self), for: context.actor)
        guard context.face == .json else {
            return Responses.seeOther(context, to: FamilyPath.chore(chore.id) + "/edit")
        }
        return try Responses.json(context, ChoreJSON(chore), version: chore.version)
    }

    @Sendable func new(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await households.createIfMissing(for: context.actor)
        return try Responses.page(
            context, template: "family-chore",
            ChorePage(context, editing: nil, typed: ChoreFormState(), error: nil, t: context.t))
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let t = context.t
        var typed = ChoreFormState()
        return try await Responses.form(
            context, template: "family-chore",
            page: { error in
                ChorePage(context, editing: nil, typed: typed, error: context.translated(error), t: t)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = ChoreFormState(fields)
                var input = ChoreInput(
                    name: fields.string("name").value, pictureID: fields.id("pictureId", of: Picture.self).value,
                    automaticHours: fields.integer("automaticHours").value,
                    automaticPoints: fields.integer("automaticPoints").value, steps: fields.steps().newValue ?? [],
                    needsPhoto: fields.needsPhoto().newValue ?? false)
                let upload = fields.file("picture")
                let change = try context.change(fields)
                if let picture = try await fields.store(upload, in: pictures, by: change) {
                    input.pictureID = picture
                    // A browser doesn't fill a file field again, so the form names the stored picture when it is shown
                    // again.
                    typed.picture = picture.description
                }
                try fields.check { [input] in try input.check(hasUpload: upload?.bytes.isEmpty == false) }
                let saved = try await chores.create(input, by: change)
                let text =
                    saved.hasTwin
                    ? t("“{name}” is added. There is another chore with the same name or picture.")
                    : t("“{name}” is added")
                return try Responses.created(
                    context, location: FamilyPath.chore(saved.chore.id), version: saved.chore.version,
                    json: { SavedChoreJSON(saved) }, seeOther: FamilyPath.root,
                    toast: ShellToast(Translator.filled(text, ["name": saved.chore.name]))
                )
            }
        )
    }

    @Sendable func edit(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let details = try await schedules.details(of: context.id("id", of: Chore.self), for: context.actor)
        return try Responses.page(
            context, template: "family-chore",
            ChorePage(
                context, editing: details.chore, schedule: details.schedule, typed: ChoreFormState(details.chore),
                error: nil, t: context.t))
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Chore.self)
        let t = context.t
        var typed = ChoreFormState()
        return try await Responses.form(
            context, template: "family-chore",
            page: { error in
                let details = try await schedules.details(of: id, for: context.actor)
                let chore = details.chore
                var shown = context.translated(error)
                if error.code == .conflict, typed.version != chore.version {
                    typed.version = chore.version
                    shown = AppError(
                        .conflict,
                        t(
                            """
                            This was changed elsewhere. You now see the current state with your changes. Save again \
                            to keep them.
                            """
                        ))
                }
                return ChorePage(
                    context, editing: chore, schedule: details.schedule, typed: typed, error: shown, t: t)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = ChoreFormState(fields)
                var changes = ChoreChanges(
                    name: fields.string("name").edit, pictureID: fields.id("pictureId", of: Picture.self).edit,
                    automaticHours: fields.integer("automaticHours").edit,
                    automaticPoints: fields.integer("automaticPoints").edit, steps: fields.steps(),
                    needsPhoto: fields.needsPhoto())
                let upload = fields.file("picture")
                let change = try context.change(fields)
                // Check access before decoding the picture.
                if upload != nil { _ = try await chores.chore(id, for: context.actor) }
                if let picture = try await fields.store(upload, in: pictures, by: change) {
                    changes.pictureID = .set(picture)
                    typed.picture = picture.description
                }
                try fields.check { [changes] in try changes.check() }
                let saved = try await chores.update(id, changes, by: change)
                let text =
                    saved.hasTwin
                    ? t("“{name}” is updated. There is another chore with the same name or picture.")
                    : t("“{name}” is updated")
                return try Responses.changed(
                    context, version: saved.chore.version, json: { SavedChoreJSON(saved) },
                    seeOther: FamilyPath.account,
                    toast: ShellToast(Translator.filled(text, ["name": saved.chore.name]))
                )
            }
        )
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Chore.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let t = context.t
        let name = try await chores.delete(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: FamilyPath.account,
            toast: ShellToast(
                name.map { t("“{name}” is deleted", ["name": $0]) } ?? t("It is deleted"),
                undoURL: FamilyPath.chore(id) + "/restoration",
                undoLabel: t("Undo"))
        )
    }
}
