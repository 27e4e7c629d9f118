import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/menu` and `/family/children/{id}/menu` for parents: the menus of the plus buttons as pages.
struct MenusController: Sendable {
    let children: ChildService

    func addRoutes(to parents: RouterGroup<SignedInContext>) {
        parents.get("children/{id}/menu", use: showForChild)
    }

    /// The menu of the dashboard or the account page.
    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let t = context.t
        let isAccount = context.query("for") == FamilyTab.account.rawValue
        let menu: ActionMenu = isAccount ? .account(t) : .dashboard(t)
        let back =
            isAccount
            ? ShellBack(url: FamilyPath.account, label: t("Account"))
            : ShellBack(url: FamilyPath.root, label: t("Family"))
        return try Responses.page(context, template: "family-menu", ActionMenuPage(context, menu, back: back))
    }

    @Sendable func showForChild(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let child = try await children.child(context.id("id", of: Person.self), for: context.actor)
        let menu = ActionMenu.profile(child.id, context.t)
        let back = ShellBack(url: FamilyPath.child(child.id), label: child.name)
        return try Responses.page(context, template: "family-menu", ActionMenuPage(context, menu, back: back))
    }
}
