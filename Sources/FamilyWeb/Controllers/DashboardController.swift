import Family
import Hummingbird
import Kernel
import WebCore

/// `/family` for parents: a card for each child.
struct DashboardController: Sendable {
    let children: ChildService
    let households: HouseholdService
    let requests: ChoreRequestService

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let after = context.query("after")
        let page = try await children.list(for: context.actor, after: after, limit: Limits.pageSizeMaximum)
        let me = try await households.me(for: context.actor)
        let open = try await requests.list(
            of: nil, for: context.actor, after: nil, limit: Limits.pageSizeMaximum)
        let waiting = Dictionary(grouping: open.items, by: \.childID)
        return try Responses.page(
            context, template: "family-dashboard", fragment: "family-dashboard-rows",
            DashboardPage(
                context, me: me, page, requests: waiting, after: after, t: context.familyStrings,
                formatter: context.familyFormatter)
        )
    }
}
