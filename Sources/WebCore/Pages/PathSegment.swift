import Foundation

/// Percent encoding for parts of a URL.
package enum PathSegment {
    // RFC 3986's unreserved characters.
    private static let allowed = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    /// Encodes `text` as one segment of a path, or one value of a query.
    package static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
}
