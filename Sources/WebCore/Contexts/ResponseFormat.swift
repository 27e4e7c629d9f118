package import HTTPTypes
import Kernel

/// The three representations of a resource.
package enum ResponseFormat: Sendable, Equatable {
    /// A whole HTML page.
    case page
    /// The part of a page that a script swaps in.
    case fragment
    /// JSON for programs.
    case json

    /// Negotiates the format by the request's `Accept` header. A client that names neither HTML nor JSON gets JSON if
    /// it sends a bearer token or JSON, else the page.
    package init(of head: HTTPRequest) {
        let fields = head.headerFields
        if fields[.hxRequest] == "true", fields[.hxBoosted] != "true", fields[.hxHistoryRestore] == nil {
            self = Self.quality(of: "application/json", in: fields[.accept] ?? "") > 0 ? .json : .fragment
            return
        }
        let accept = fields[.accept] ?? ""
        if accept == "application/json" {
            self = .json
            return
        }
        let json = Self.quality(of: "application/json", in: accept)
        let html = Self.quality(of: "text/html", in: accept)
        if json > 0, json >= html {
            self = .json
        } else if html > 0 {
            self = .page
        } else {
            self = Self.comesFromProgram(fields) ? .json : .page
        }
    }

    private static func comesFromProgram(_ fields: HTTPFields) -> Bool {
        if Credential.bearerToken(in: fields) != nil { return true }
        return fields[.contentType]?.lowercased().hasPrefix("application/json") ?? false
    }

    // The quality of a type that is named in full (RFC 9110, 12.5.1); wildcards don't say which format is meant.
    private static func quality(of type: String, in accept: String) -> Double {
        for range in accept.split(separator: ",") {
            let parts = range.split(separator: ";")
            guard let name = parts.first, name.trimmingSpaces().lowercased() == type else { continue }
            for parameter in parts.dropFirst() {
                let text = parameter.trimmingSpaces()
                if text.hasPrefix("q=") { return Double(text.dropFirst(2)) ?? 0 }
            }
            return 1
        }
        return 0
    }
}
