import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/tablet/children/{id}`: what a child does on a shared tablet. It does the same as on its own device, after
/// ``TabletDayService/authenticate(_:pin:on:)`` has checked the tablet and the picture PIN.
struct TabletActionsController: Sendable {
    let days: TabletDayService
    let requests: ChoreRequestService
    let turns: TurnService
    let childRequests: ChildRequestsController

    func addRoutes(to tablets: RouterGroup<SignedInContext>) {
        let child = tablets.group("children/{id}")
        child.post("requests", use: report)
        child.delete("requests/{requestId}", use: withdraw)
        child.put("turns/{choreId}/{date}", use: claim)
        child.delete("turns/{choreId}/{date}", use: release)
    }

    @Sendable func report(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        var fields = try await Fields.read(request, context)
        do {
            let child = try await days.authenticate(id, pin: fields.typed("pin"), on: context.actor)
            return try await childRequests.create(
                fields, of: id, context.acting(as: child.account), returningTo: FamilyPath.tabletChild(id),
                hasPicturePIN: child.hasPicturePIN)
        } catch let error as AppError {
            // The form stays, with the steps. A photo is only stored for a child that is known.
            guard context.face != .json, fields.typed("proof") == "true", Self.isAboutPIN(error),
                let chore = fields.id("choreId", of: Chore.self).value
            else { return try failure(error, id, context) }
            let child = try await days.child(id, on: context.actor)
            return try await childRequests.page(
                of: chore, fields, context.acting(as: child.account), hasPicturePIN: true, error: error)
        }
    }

    @Sendable func withdraw(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let requestID = try context.id("requestId", of: ChoreRequest.self)
        return try await act(request, context) { fields, id, context in
            try await requests.withdraw(requestID, of: id, by: context.change(fields))
            return Responses.removed(
                context, seeOther: FamilyPath.tabletChild(id), toast: ShellToast(context.t("Taken back")))
        }
    }

    @Sendable func claim(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let chore = try context.id("choreId", of: Chore.self)
        let date = try context.parameters.require("date")
        return try await act(request, context) { fields, id, context in
            try await turns.claim(chore, on: date, for: id, by: context.change(fields))
            return try Responses.changed(
                context, json: { TurnJSON(childId: id, choreId: chore, occurrence: date) },
                seeOther: FamilyPath.tabletChild(id), toast: ShellToast(context.t("It’s your turn now")))
        }
    }

    @Sendable func release(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let chore = try context.id("choreId", of: Chore.self)
        let date = try context.parameters.require("date")
        return try await act(request, context) { fields, id, context in
            try await turns.release(chore, on: date, of: id, by: context.change(fields))
            return Responses.removed(
                context, seeOther: FamilyPath.tabletChild(id),
                toast: ShellToast(context.t("Any child can claim it again")))
        }
    }

    /// Performs an action as the child of the path. If it fails, pages return to the child with the reason.
    private func act(
        _ request: Request, _ context: SignedInContext,
        _ perform: (Fields, PersonID, SignedInContext) async throws -> Response
    ) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        do {
            let child = try await days.authenticate(id, pin: fields.typed("pin"), on: context.actor)
            return try await perform(fields, id, context.acting(as: child.account))
        } catch let error as AppError {
            return try failure(error, id, context)
        }
    }

    private func failure(_ error: AppError, _ child: PersonID, _ context: SignedInContext) throws -> Response {
        guard context.face != .json, [.conflict, .notFound, .invalid, .throttled].contains(error.code) else {
            throw error
        }
        return Responses.seeOther(
            context, to: FamilyPath.tabletChild(child) + (Self.isAboutPIN(error) ? TabletChildPage.wrongPIN : ""),
            toast: context.failureToast(error))
    }

    private static func isAboutPIN(_ error: AppError) -> Bool { error.fields["pin"] != nil }
}
