import Hummingbird
import WebCore

extension Response {
    /// Returns the response with status 422 for a fragment: scripts put a form back into its place only for that
    /// status.
    func inPlace(_ context: SignedInContext) -> Response {
        guard context.face == .fragment, status != .ok else { return self }
        var response = self
        response.status = .unprocessableContent
        return response
    }
}
