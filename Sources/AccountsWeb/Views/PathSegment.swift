import Foundation

/// Text in a URL.
enum PathSegment {
    // RFC 3986's unreserved characters.
    private static let allowed = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    /// `text` as one segment of a path, or one value of a query.
    static func encoded(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "" }
}

extension Destination {
    /// A link to `path` that doesn't forget the destination.
    func carried(to path: String) -> String {
        asked.isEmpty ? path : "\(path)?return=\(PathSegment.encoded(asked))"
    }
}
