import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/pauses`: the days on which nothing is due, for a child or for all.
struct PausesController: Sendable {
    let pauses: PauseService

    func addRoutes(to parents: RouterGroup<SignedInContext>) {
        parents.group("pauses")
            .get(use: index)
            .post(use: create)
            .delete("{id}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let details = try await pauses.details(for: context.actor)
        return try Responses.of(
            context, template: "family-pauses", fragment: "family-pauses-rows",
            page: { PausesPage(context, details, typed: PauseFormState(details), error: nil) },
            json: { ListJSON(items: details.pauses.map(PauseJSON.init), next: nil) })
    }

    @Sendable func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var typed: PauseFormState?
        return try await Responses.form(
            context, template: "family-pauses",
            page: { error in
                let details = try await pauses.details(for: context.actor)
                return PausesPage(
                    context, details, typed: typed ?? PauseFormState(details), error: context.translated(error))
            },
            perform: {
                var fields = try await Fields.read(request, context)
                let input: PauseInput
                if fields.isForm {
                    let state = PauseFormState(fields)
                    typed = state
                    input = state.input
                } else {
                    input = PauseInput(
                        child: fields.string("childId").value, startsOn: fields.string("startsOn").value,
                        endsOn: fields.string("endsOn").value)
                }
                try fields.check()
                let pause = try await pauses.create(input, by: context.change(fields))
                return try Responses.created(
                    context, location: FamilyPath.pause(pause.id), json: { PauseJSON(pause) },
                    seeOther: FamilyPath.pauses,
                    toast: ShellToast(
                        context.t("The pause is planned"), undoURL: FamilyPath.pause(pause.id) + "?_method=delete",
                        undoLabel: context.t("Undo")))
            })
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Pause.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await ParentActionResponder.redirectingErrors(context, to: FamilyPath.pauses) {
            let hadBegun = try await pauses.end(id, by: context.change(fields))
            return Responses.removed(
                context, seeOther: FamilyPath.pauses,
                toast: ShellToast(hadBegun ? context.t("Chores are due again") : context.t("The pause was removed")))
        }
    }
}
