import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/chores/{id}/schedule`: when a chore is due, and for which children.
struct SchedulesController: Sendable {
    let schedules: ScheduleService

    func addRoutes(to parents: RouterGroup<SignedInContext>) {
        parents.group("chores/{id}/schedule")
            .get(use: show)
            .put(use: update)
            .delete(use: destroy)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let details = try await schedules.details(of: context.id("id", of: Chore.self), for: context.actor)
        if context.face == .json {
            guard let schedule = details.schedule else { throw AppError.notFound }
            return try Responses.json(
                context, ChoreScheduleJSON(schedule, timeZone: details.timeZone), version: schedule.version)
        }
        var typed = ScheduleFormState(details)
        typed.from = context.query("from") ?? ""
        return try Responses.page(
            context, template: "family-schedule", SchedulePage(context, details, typed: typed, error: nil))
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Chore.self)
        let t = context.t
        var typed: ScheduleFormState?
        return try await Responses.form(
            context, template: "family-schedule",
            page: { error in
                let details = try await schedules.details(of: id, for: context.actor)
                var shown = typed ?? ScheduleFormState(details)
                // The form shows the typed values, and saving it again replaces what was changed elsewhere.
                if error.code == .conflict { shown.version = details.schedule?.version }
                return SchedulePage(context, details, typed: shown, error: context.translated(error))
            },
            perform: {
                var fields = try await Fields.read(request, context)
                let input: ChoreScheduleInput
                if fields.isForm {
                    let state = ScheduleFormState(&fields)
                    typed = state
                    for (field, message) in state.errors(t) { fields.addError(field, message) }
                    input = state.input
                } else {
                    input = fields.scheduleInput()
                }
                try fields.check { try input.check() }
                let saved = try await schedules.set(input, of: id, by: context.change(fields))
                let details = try await schedules.details(of: id, for: context.actor)
                return try Responses.changed(
                    context, version: saved.version,
                    json: { ChoreScheduleJSON(saved, timeZone: details.timeZone) },
                    seeOther: typed?.returnURL(of: id) ?? FamilyPath.chore(id) + "/edit",
                    toast: ShellToast(
                        t(
                            "“{name}”: {schedule}",
                            ["name": details.chore.name, "schedule": ScheduleFormatter(context).summary(saved)])))
            })
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Chore.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let path = FamilyPath.chore(id) + "/edit"
        return try await ParentActionResponder.redirectingErrors(context, to: path) {
            try await schedules.remove(of: id, by: context.change(fields))
            return Responses.removed(
                context, seeOther: path, toast: ShellToast(context.t("This chore has no fixed days any more.")))
        }
    }
}
