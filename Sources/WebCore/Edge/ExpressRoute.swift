import HTTPTypes

/// A short cut for what devices send all day: past the router and its context, which cost more than the rest of the
/// answer. The same path is a usual route as well, for whatever the short cut leaves to it.
package struct ExpressRoute: Sendable {
    /// Takes the query of a GET, not decoded.
    /// - Returns: true when the message was taken, which is answered by an empty 200; false leaves the answer to the
    ///   usual route, and nothing may have been done then.
    /// - Throws: what a handler of the usual route may throw.
    package typealias Handler = @Sendable (_ query: Substring) async throws -> Bool

    let path: String
    let handler: Handler

    /// Makes a short cut for GET with a query.
    package init(_ path: String, handler: @escaping Handler) {
        self.path = path
        self.handler = handler
    }

    /// What follows the question mark, if the request is one of this route's.
    func query(of request: HTTPRequest) -> Substring? {
        guard request.method == .get, let target = request.path, target.utf8.count > path.utf8.count,
            target.utf8.starts(with: path.utf8)
        else { return nil }
        let mark = target.utf8.index(target.startIndex, offsetBy: path.utf8.count)
        guard target.utf8[mark] == UInt8(ascii: "?") else { return nil }
        return target[target.utf8.index(after: mark)...]
    }
}
