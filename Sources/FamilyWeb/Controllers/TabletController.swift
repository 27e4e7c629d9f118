import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/tablet`: the day of all children and of one child, on a shared tablet.
struct TabletController: Sendable {
    let days: TabletDayService
    let chores: ChoreService

    func addRoutes(to tablets: RouterGroup<SignedInContext>) {
        tablets.get(use: index)
        tablets.get("children/{id}", use: show)
        tablets.get("children/{id}/chores/{choreId}", use: edit)
        tablets.post("children/{id}/picture-pin", use: check)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let day = try await days.day(for: context.actor)
        return try Responses.of(
            context, template: "family-tablet", fragment: "family-tablet-rows",
            page: { TabletPage(context, day) }, json: { FamilyTodayJSON(day.today) })
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let day = try await days.day(of: context.id("id", of: Person.self), for: context.actor)
        return try Responses.of(
            context, template: "family-tablet-child", fragment: "family-tablet-child-rows",
            page: { TabletChildPage(context, day) }, json: { FamilyTodayJSON(day.today) })
    }

    /// The form with which a child reports a chore that has steps or needs a photo.
    @Sendable func edit(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Person.self)
        let child = try await days.child(id, on: context.actor)
        let acting = context.acting(as: child.account)
        let chore = try await chores.chore(context.id("choreId", of: Chore.self), for: acting.actor)
        let typed = ChoreDoneFormState(
            occurrence: context.query("occurrence") ?? "", hasPicturePIN: child.hasPicturePIN)
        return try Responses.page(
            acting, template: "family-chore-done", ChoreDonePage(acting, chore, typed: typed, error: nil))
    }

    /// Checks the pictures that a child taps, so that it need not find out when it reports a chore.
    @Sendable func check(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        _ = try await days.authenticate(
            context.id("id", of: Person.self), pin: fields.typed("pin"), on: context.actor)
        return Responses.noContent(context)
    }
}
