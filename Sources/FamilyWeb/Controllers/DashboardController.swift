import Family
import Hummingbird
import Kernel
import WebCore

/// `/family` for parents: a card for each child.
struct DashboardController: Sendable {
    let households: HouseholdService

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let after = context.query("after")
        let dashboard = try await households.dashboard(for: context.actor, after: after)
        return try Responses.page(
            context, template: "family-dashboard", fragment: "family-dashboard-rows",
            DashboardPage(
                context, dashboard, after: after, t: context.t, formatter: context.familyFormatter)
        )
    }
}
