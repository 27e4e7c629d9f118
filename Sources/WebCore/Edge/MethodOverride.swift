import HTTPTypes
import Hummingbird

/// Lets a plain form do what only scripts could: POST with `?_method=delete|patch|put`. A form's content type is needed,
/// so nothing but a form can be meant.
enum MethodOverride {
    static func apply(to request: Request) -> Request {
        guard request.method == .post, let query = request.head.path?.split(separator: "?", maxSplits: 1).last,
            query.contains("_method="), let method = method(in: query), isForm(request.headers[.contentType])
        else { return request }
        var head = request.head
        head.method = method
        return Request(head: head, body: request.body)
    }

    private static func method(in query: Substring) -> HTTPRequest.Method? {
        let pairs = URLEncodedForm.pairs(of: String(query), lenient: true) ?? []
        switch pairs.first(where: { $0.name == "_method" })?.value.lowercased() {
        case "delete": return .delete
        case "patch": return .patch
        case "put": return .put
        default: return nil
        }
    }

    private static func isForm(_ contentType: String?) -> Bool {
        let type = contentType?.lowercased() ?? ""
        return type.hasPrefix("application/x-www-form-urlencoded") || type.hasPrefix("multipart/form-data")
    }
}
