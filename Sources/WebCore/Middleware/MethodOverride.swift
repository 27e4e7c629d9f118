import HTTPTypes
import Hummingbird

/// Lets a plain form send other methods: POST with `?_method=delete
/// patch
/// put`. It requires a form's content type, so that it only applies to forms.
enum MethodOverride {
    static func apply(to request: Request) -> Request {
        // Every device message passes here, so other requests are excluded as early as possible.
        guard request.method == .post, let path = request.head.path,
            let mark = path.utf8.firstIndex(of: UInt8(ascii: "?")), isForm(request.headers[.contentType]),
            let method = method(in: path[path.utf8.index(after: mark)...])
        else { return request }
        var head = request.head
        head.method = method
        return Request(head: head, body: request.body)
    }

    private static func method(in query: Substring) -> HTTPRequest.Method? {
        guard query.contains("_method=") else { return nil }
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
