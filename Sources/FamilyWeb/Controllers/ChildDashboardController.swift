import Family
import Hummingbird
import WebCore

/// `/family` for children: the child's own card, then those of its siblings.
struct ChildDashboardController: Sendable {
    let households: HouseholdService
    let positions: PositionLinks

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let dashboard = try await households.childDashboard(for: context.actor)
        let askers = try await positions.askers(context.actor)
        return try Responses.page(
            context, template: "family-my", fragment: "family-my-rows",
            ChildDashboardPage(context, dashboard, askers: askers, formatter: context.familyFormatter)
        )
    }
}
