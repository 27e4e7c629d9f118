import HTTPTypes
import Kernel
import Testing

@testable import WebCore

@Suite("The methods of a path")
struct RouteTableTests {
    private static func route(_ method: HTTPRequest.Method, _ path: String) -> RouteEntry {
        RouteEntry(method: method, path: path, access: .open, isServedWhileLocked: false, tokenScopes: [])
    }

    private static let table = RouteTable([
        route(.get, "/"), route(.get, "/items"), route(.post, "/items"), route(.get, "/items/{id}"),
        route(.delete, "/items/{item}"), route(.put, "/items/new"), route(.post, "/items/{id}/fixes"),
        route(.get, "/static/{version}/**"), route(.patch, "/{any}"),
    ])

    @Test(
        "A path has the methods of all routes that match it",
        arguments: [
            ("/", ["GET", "HEAD"]), ("", ["GET", "HEAD"]), ("/items", ["GET", "HEAD", "PATCH", "POST"]),
            ("/items/", ["GET", "HEAD", "PATCH", "POST"]), ("//items//7", ["DELETE", "GET", "HEAD"]),
            ("/items/new", ["DELETE", "GET", "HEAD", "PUT"]), ("/items/7/fixes", ["POST"]), ("/items/7/fixes/1", []),
            ("/static/1", []), ("/static/1/a", ["GET", "HEAD"]), ("/static/1/a/b/c", ["GET", "HEAD"]),
            ("/other", ["PATCH"]), ("/other/7", []), ("/items\u{301}/7", []),
        ])
    func methods(path: String, expected: [String]) { #expect(Self.table.methods(of: path).sorted() == expected) }
}
