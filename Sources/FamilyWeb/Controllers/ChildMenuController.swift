import Family
import Hummingbird
import WebCore

/// `/family/menu` for children: the menu of the account page.
struct ChildMenuController: Sendable {
    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let t = context.familyStrings
        let menu = ActionMenu(t.account.menu, [.signOut(t)])
        let back = ShellBack(url: FamilyPath.account, label: t.common.account)
        return try Responses.page(context, template: "family-menu", ActionMenuPage(context, menu, back: back))
    }
}
