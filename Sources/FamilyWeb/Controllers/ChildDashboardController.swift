import Family
import Hummingbird
import Kernel
import WebCore

/// `/family` for children: the child's own card, then those of its siblings.
struct ChildDashboardController: Sendable {
    let children: ChildService
    let today: TodayService

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let page = try await children.list(for: context.actor, after: nil, limit: Limits.pageSizeMaximum)
        return try Responses.page(
            context, template: "family-my", fragment: "family-my-rows",
            ChildDashboardPage(
                context, page.items, today: try await today.today(for: context.actor),
                formatter: context.familyFormatter)
        )
    }
}
