import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/chores/{id}/skips/{date}`: a date on which a chore isn't due although its schedule has it.
struct SkipsController: Sendable {
    let skips: SkipService

    func addRoutes(to parents: RouterGroup<SignedInContext>) {
        parents.group("chores/{id}/skips/{date}")
            .put(use: update)
            .delete(use: destroy)
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await set(request, context, context.t("Skipped: the chore isn’t due on this day")) { chore, date, change in
            try await skips.skip(chore, on: date, by: change)
        }
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await set(request, context, context.t("The chore is due on this day again")) { chore, date, change in
            try await skips.restore(chore, on: date, by: change)
        }
    }

    private func set(
        _ request: Request, _ context: SignedInContext, _ toast: String,
        _ perform: (ID<Chore>, String, Change) async throws -> Void
    ) async throws -> Response {
        let chore = try context.id("id", of: Chore.self)
        let date = try context.parameters.require("date")
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        let from = fields.typed("from") == ScheduleFormState.fromChores ? "?from=\(ScheduleFormState.fromChores)" : ""
        let path = FamilyPath.schedule(of: chore) + from + "#schedule-dates"
        return try await ParentActionResponder.redirectingErrors(context, to: path) {
            try await perform(chore, date, context.change(fields))
            return Responses.removed(context, seeOther: path, toast: ShellToast(toast))
        }
    }
}
