import HTTPTypes
import Hummingbird
import Kernel
import Tracking
import WebCore

/// Says what Tracking refuses in the reader's language; and to a browser that asks for what is gone, where to go on.
struct TrackingRefusals: RouterMiddleware {
    typealias Context = SignedInContext

    func handle(
        _ request: Request, context: SignedInContext,
        next: @concurrent (Request, SignedInContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as AppError where error.code == .notFound && context.face != .json {
            context.web.metrics.countError(error.code)
            return try Answer.page(
                context, template: "tracking-gone", status: .notFound, GonePage(context, t: context.words)
            )
        } catch let error as AppError {
            throw error.translated(to: context.language)
        }
    }
}
