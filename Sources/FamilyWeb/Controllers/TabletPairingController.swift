import Accounts
import Family
import Hummingbird
import Kernel
import WebCore

/// `/family/tablet/pairing`: the link of a code, and the pairing that uses the code up.
struct TabletPairingController: Sendable {
    let pairings: TabletPairingService
    let sessions: SessionService

    func addRoutes(to open: RouterGroup<AppContext>) {
        open.get("tablet/pairing", use: new)
        open.post("tablet/pairing", use: create)
    }

    /// Only shows a confirmation: previews and prefetching of a link must not use its code up.
    @Sendable func new(_ request: Request, _ context: AppContext) async throws -> Response {
        let code = context.query("code")
        return try await explaining(context) {
            let name = try await pairings.parentName(ofCode: code, clientAddress: context.clientAddress)
            let page = TabletPairingPage(context, parentName: name, code: code ?? "")
            return try Responses.page(context, template: "family-tablet-pairing", page)
        }
    }

    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        var fields = try await Fields.read(request, context)
        let code = fields.string("code").value
        try fields.check()
        return try await explaining(context) {
            let device = DeviceInfo(name: context.deviceName, kind: .cookie, clientAddress: context.clientAddress)
            let paired = try await context.web.metrics.countingFailures(of: .code) {
                try await pairings.pair(code: code, device: device)
            }
            try await context.endReplacedSession(sessions)
            var response =
                context.face == .json
                ? try Responses.json(context, TabletJSON(paired.tablet), status: .created)
                : Responses.seeOther(
                    context, to: FamilyPath.tablet, toast: ShellToast(context.t("The tablet is paired")))
            response.startSession(paired.token, context)
            return response
        }
    }

    /// Shows what to do about a code that doesn't work; API clients get the error.
    private func explaining(_ context: AppContext, _ perform: () async throws -> Response) async throws -> Response {
        do {
            return try await perform()
        } catch let error as AppError {
            guard context.face != .json, [.notFound, .throttled, .invalid].contains(error.code) else { throw error }
            return try Responses.page(
                context, template: "family-tablet-code-invalid",
                status: error.code == .throttled ? .tooManyRequests : .notFound,
                InvalidTabletCodePage(context, problem: context.translated(error).message))
        }
    }
}
