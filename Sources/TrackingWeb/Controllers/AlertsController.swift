import Accounts
import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/alerts`: when the reader is notified of separations.
struct AlertsController: Sendable {
    let alerts: AlertService
    let replays: SeparationReplayService

    func addRoutes(to tracking: RouterGroup<SignedInContext>) {
        tracking.get("alerts", use: show)
        tracking.patch("alerts", use: update)
        tracking.post("alerts/replay", use: replay)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await response(nil, context)
    }

    /// Shows the page again with what would have come last month with each mode.
    @Sendable func replay(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await response(replays.replayModes(for: context.actor), context)
    }

    private func response(
        _ replayed: [AlertMode: Replay]?, _ context: SignedInContext
    ) async throws -> Response {
        if context.face == .json {
            return try Responses.json(context, AlertsJSON(try await alerts.mode(for: context.actor), replayed))
        }
        let (mode, safePlaceCount) = try await alerts.choiceWithPlaceCount(for: context.actor)
        return try Responses.page(
            context, template: "tracking-alerts",
            AlertsPage(context, mode: mode, places: safePlaceCount, replays: replayed ?? [:], t: context.t)
        )
    }

    @Sendable func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let mode = fields.choice("mode", of: AlertMode.self)
        let destination = LocalPath(fields.typed("return"))?.text ?? TrackingPath.alerts
        try fields.check()
        if mode.isNull { throw AppError.invalid("mode", "Choose one of these.") }
        if let mode = mode.value { try await alerts.setMode(mode, by: context.change(fields)) }
        let present = try await alerts.mode(for: context.actor)
        return try Responses.changed(
            context, version: nil, json: { AlertsJSON(present) }, seeOther: destination,
            toast: ShellToast(context.t("Saved"))
        )
    }
}
