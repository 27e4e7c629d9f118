import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/account` for children: their own profile and their parents.
struct ChildAccountController: Sendable {
    let children: ChildService
    let households: HouseholdService

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        if context.face == .json {
            let me = try await households.me(for: context.actor)
            return try Responses.json(context, MemberJSON(me), version: me.version)
        }
        let account = try await households.childAccount(for: context.actor)
        return try Responses.page(
            context, template: "family-my-account", fragment: "family-my-account-rows",
            ChildAccountPage(context, account, formatter: context.familyFormatter)
        )
    }

    @Sendable func edit(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let child = try await children.child(context.actor.person, for: context.actor)
        return try Responses.page(
            context, template: "family-my-edit", ChildEditPage(context, typed: ChildProfileFormState(child), error: nil)
        )
    }
}
