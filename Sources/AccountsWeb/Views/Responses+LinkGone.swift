import Hummingbird
import WebCore

extension Responses {
    /// The page for a link that is unknown, used or expired.
    static func linkGone(_ context: AppContext) throws -> Response {
        try page(context, template: "accounts-link-gone", status: .notFound, LinkGonePage(context))
    }
}
