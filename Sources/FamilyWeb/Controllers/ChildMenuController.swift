import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/menu` for children: the menu of the account page.
struct ChildMenuController: Sendable {
    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let t = context.t
        let menu = ActionMenu(t("Add or sign out"), [.signOut(t)])
        let back = ShellBack(url: FamilyPath.account, label: t("Account"))
        return try Responses.page(context, template: "family-menu", ActionMenuPage(context, menu, back: back))
    }
}
