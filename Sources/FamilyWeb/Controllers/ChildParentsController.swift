import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/parents` for children, who don't see their parents' dates of birth.
struct ChildParentsController: Sendable {
    let parents: ParentService

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard context.face == .json else { return Responses.seeOther(context, to: FamilyPath.account) }
        let paging = try context.paging()
        let page = try await parents.list(for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.json(
            context, ListJSON(items: page.items.map { MemberJSON($0, isForChild: true) }, next: page.next))
    }
}
