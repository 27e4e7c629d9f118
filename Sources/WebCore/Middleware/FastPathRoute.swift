import HTTPTypes

/// A fast path for frequent device requests: it bypasses the router and its context, which cost more than the rest of
/// the response. The same path is a regular route too, which handles everything that the fast path declines.
package struct FastPathRoute: Sendable {
    /// Handles the undecoded query of a GET.
    /// - Returns: true when the message was accepted, which gets an empty 200; false leaves the request to the
    ///   regular route, and must have no effect.
    /// - Throws: the errors that a handler of the regular route can throw.
    package typealias Handler = @Sendable (_ query: Substring) async throws -> Bool

    let path: String
    let handler: Handler

    /// Creates a fast path for GET with a query.
    package init(_ path: String, handler: @escaping Handler) {
        self.path = path
        self.handler = handler
    }

    /// The query of a request for this route; `nil` for any other request.
    func query(of request: HTTPRequest) -> Substring? {
        guard request.method == .get, let target = request.path, target.utf8.count > path.utf8.count,
            target.utf8.starts(with: path.utf8)
        else { return nil }
        let mark = target.utf8.index(target.startIndex, offsetBy: path.utf8.count)
        guard target.utf8[mark] == UInt8(ascii: "?") else { return nil }
        return target[target.utf8.index(after: mark)...]
    }
}
