import HTTPTypes
import Hummingbird
import Kernel
import Tracking
import WebCore

/// The middleware that translates Tracking's errors, and shows browsers a page with a link for absent resources.
struct TrackingErrorMiddleware: RouterMiddleware {
    typealias Context = SignedInContext

    func handle(
        _ request: Request, context: SignedInContext,
        next: @concurrent (Request, SignedInContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as AppError where error.code == .notFound && context.face != .json {
            context.web.metrics.countError(error.code)
            return try Responses.page(
                context, template: "tracking-gone", status: .notFound, NotFoundPage(context, t: context.t)
            )
        } catch let error as AppError {
            throw error.translated(to: context.language)
        }
    }
}
