import Accounts
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/alerts/{id}`: why the reader got an alert about an item.
struct ItemAlertsController: Sendable {
    let itemAlerts: ItemAlertService

    func addRoutes(to tracking: RouterGroup<SignedInContext>) {
        tracking.get("alerts/{id}", use: show)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let (alert, item, names) = try await itemAlerts.alert(context.id("id", of: ItemAlert.self), for: context.actor)
        return try Responses.of(
            context, template: "tracking-alert",
            page: { ItemAlertPage(context, alert, of: item, names: names, t: context.t) },
            json: { ItemAlertJSON(alert) })
    }
}
