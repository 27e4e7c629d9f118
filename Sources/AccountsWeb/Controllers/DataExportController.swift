import Accounts
import Hummingbird
import Kernel
import WebCore

/// `/account/export`: all data of the person as a zip.
struct DataExportController: Sendable {
    let exports: DataExportService

    func addRoutes(to account: RouterGroup<SignedInContext>) {
        account.get("export", use: show)
    }

    @Sendable func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let export: AccountExport
        do {
            export = try await exports.export(context.actor)
        } catch let error as AppError where error.code == .invalid && context.face == .page {
            return Responses.seeOther(context, to: "/account/proofs/\(SensitiveAct.export.rawValue)")
        }
        return Responses.stream(context, mediaType: "application/zip", filename: export.fileName, chunks: export)
    }
}
