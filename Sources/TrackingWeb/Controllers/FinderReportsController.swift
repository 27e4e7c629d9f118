import Hummingbird
import Kernel
import Tracking
import WebCore

/// `/tracking/items/{id}/finder-reports`: finders' messages about an item, and the replies to them.
struct FinderReportsController: Sendable {
    let finderReports: FinderReportService

    func addRoutes(to items: RouterGroup<SignedInContext>) {
        items.get("{id}/finder-reports", use: index)
        items.get("{id}/finder-reports/{reportId}", use: show)
        items.delete("{id}/finder-reports/{reportId}", use: destroy)
        items.put("{id}/finder-reports/{reportId}/reply", use: reply)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        let paging = try context.paging()
        let page = try await finderReports.list(
            of: id, for: context.actor, after: paging.after, limit: paging.limit)
        guard context.face == .json else { return Responses.seeOther(context, to: TrackingPath.item(id)) }
        return try Responses.json(
            context, ListJSON(items: page.items.map(FinderReportJSON.init), next: page.next))
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let details = try await find(context)
        return try Responses.of(
            context, template: "tracking-finder-report", version: details.report.version,
            page: { FinderReportPage(context, details, error: nil, t: context.t) },
            json: { FinderReportJSON(details.report) }
        )
    }

    @Sendable func reply(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        let reportID = try context.id("reportId", of: FinderReport.self)
        var typed = ""
        return try await Responses.form(
            context, template: "tracking-finder-report",
            page: { error in
                FinderReportPage(context, try await find(context), typed: typed, error: error, t: context.t)
            },
            perform: {
                var fields = try await Fields.read(request, context)
                typed = fields.typed("message")
                let message = fields.string("message").value ?? ""
                try fields.check()
                let report = try await finderReports.reply(
                    message, to: reportID, of: id, by: context.change(fields))
                return try Responses.changed(
                    context, version: report.version, json: { FinderReportJSON(report) },
                    seeOther: TrackingPath.finderReport(reportID, of: id), toast: ShellToast(context.t("Reply saved"))
                )
            }
        )
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: Item.self)
        let reportID = try context.id("reportId", of: FinderReport.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await finderReports.delete(reportID, of: id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: TrackingPath.item(id), toast: ShellToast(context.t("Message deleted")))
    }

    private func find(_ context: SignedInContext) async throws -> FinderReportDetails {
        try await finderReports.report(
            context.id("reportId", of: FinderReport.self), of: context.id("id", of: Item.self), for: context.actor)
    }
}
