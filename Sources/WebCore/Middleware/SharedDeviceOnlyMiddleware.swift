import Accounts
import Hummingbird
import Kernel

/// Rejects requests of everyone but shared devices: pages lead to the start page, programs get 403.
struct SharedDeviceOnlyMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: SignedInContext,
        next: @concurrent (Request, SignedInContext) async throws -> Response
    ) async throws -> Response {
        guard context.account.role == .sharedDevice else {
            if context.face == .page, request.method == .get { return Responses.seeOther(context, to: "/") }
            throw AppError(.forbidden, context.t("This is for shared devices."))
        }
        return try await next(request, context)
    }
}

/// The page of shared devices.
package enum SharedDevicePath {
    package static let page = "/family/tablet"
}
