import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/children/{id}/turns/{choreId}/{date}`: an occurrence of a chore that a child claims and gives back.
struct TurnsController: Sendable {
    let turns: TurnService
    let responder: ChildActionResponder

    func addRoutes(to shared: RouterGroup<SignedInContext>) {
        shared.group("children/{id}/turns/{choreId}/{date}")
            .put(use: update)
            .delete(use: destroy)
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let chore = try context.id("choreId", of: Chore.self)
        let date = try context.parameters.require("date")
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await responder.redirectingErrors(id, context, to: FamilyPath.today) {
            try await turns.claim(chore, on: date, for: id, by: context.change(fields))
            let isOwn = id == context.actor.person
            return try Responses.changed(
                context, json: { TurnJSON(childId: id, choreId: chore, occurrence: date) },
                seeOther: FamilyPath.today,
                toast: ShellToast(
                    isOwn ? context.t("It’s your turn now") : context.t("The chore was given out"),
                    undoURL: FamilyPath.turn(of: chore, on: date, for: id) + "?_method=delete",
                    undoLabel: context.t("Undo")))
        }
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let chore = try context.id("choreId", of: Chore.self)
        let date = try context.parameters.require("date")
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        return try await responder.redirectingErrors(id, context, to: FamilyPath.today) {
            try await turns.release(chore, on: date, of: id, by: context.change(fields))
            return Responses.removed(
                context, seeOther: FamilyPath.today,
                toast: ShellToast(context.t("Any child can claim it again")))
        }
    }
}
