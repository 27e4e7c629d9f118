import Accounts
import Family
import Hummingbird
import WebCore

/// `/family/scan`: the scanner for the QR codes of sign-in codes.
struct CodeScannerController: Sendable {
    func addRoutes(to open: RouterGroup<AppContext>) {
        open.get("scan", use: show)
    }

    @Sendable func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let isUnlocked = context.identity?.session.isLocked == false
        if isUnlocked, context.face == .page { return Responses.seeOther(context, to: FamilyPath.root) }
        return try Responses.page(context, template: "family-scan", fragment: "family-scanner", ScanPage(context))
    }
}
