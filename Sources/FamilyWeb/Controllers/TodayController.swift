import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/today`: what is due, waiting and done: of all children for parents, its own for a child.
struct TodayController: Sendable {
    let today: TodayService

    func addRoutes(to shared: RouterGroup<SignedInContext>) {
        shared.get("today", use: show)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let found = try await today.today(for: context.actor)
        return try Responses.of(
            context, template: "family-today", fragment: "family-today-rows",
            page: { TodayPage(context, found, formatter: context.familyFormatter) },
            json: { FamilyTodayJSON(found) })
    }
}
