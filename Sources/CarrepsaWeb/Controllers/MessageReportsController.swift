import Accounts
import Carrepsa
import Hummingbird
import Kernel
import WebCore

/// `/carrepsa/message-reports`: the messages that people reported, for administrators.
struct MessageReportsController: Sendable {
    let reports: MessageReportService

    func addRoutes(to root: RouterGroup<SignedInContext>) {
        root.get("message-reports", use: index)
        root.delete("message-reports/{id}", use: destroy)
    }

    @Sendable func index(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let paging = try context.paging()
        let page = try await reports.list(for: context.actor, after: paging.after, limit: paging.limit)
        return try Responses.of(
            context, template: "carrepsa-message-reports",
            page: { MessageReportListPage(context, page) },
            json: { ListJSON(items: page.items.map(MessageReportJSON.init), next: page.next) })
    }

    @Sendable func destroy(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try context.id("id", of: MessageReport.self)
        let fields = try await Fields.read(request, context, emptyAllowed: true)
        try await reports.close(id, by: context.change(fields))
        return Responses.removed(
            context, seeOther: CarrepsaPath.messageReports, toast: ShellToast(context.t("Report handled")))
    }
}
