import Foundation
import Kernel

/// The address of an object store: `folder:PATH`, or `s3://BUCKET/PREFIX?endpoint=URL&region=NAME&style=path`.
package struct ObjectStoreAddress: Sendable, Hashable {
    /// The reason that a text isn't a valid address, for the administrator.
    package struct Problem: Error, Hashable, CustomStringConvertible {
        /// A phrase without a full stop.
        package let description: String

        init(_ description: String) { self.description = description }
    }

    enum Place: Sendable, Hashable {
        case folder(String)
        case bucket(S3Bucket)
    }

    let place: Place

    /// Parses an address.
    /// - Parameter region: The region for an address that names none.
    /// - Throws: ``Problem``.
    package init(_ text: String, region: String? = nil) throws(Problem) {
        if text.hasPrefix("s3:") {
            place = .bucket(try S3Bucket(text, region: region))
        } else {
            guard text.hasPrefix("folder:"), text.count > "folder:".count else {
                throw Problem("give folder:PATH, or s3://BUCKET?endpoint=URL")
            }
            place = .folder(String(text.dropFirst("folder:".count)))
        }
    }

    /// The folder; `nil` for a bucket.
    package var folder: String? {
        guard case .folder(let path) = place else { return nil }
        return path
    }

    /// Whether the store needs credentials.
    package var isBucket: Bool { folder == nil }
}

/// A bucket and its endpoint.
struct S3Bucket: Sendable, Hashable {
    private static let parameters: Set<String> = ["endpoint", "region", "style", "insecure"]
    private static let standardRegion = "us-east-1"

    let name: String
    /// The prefix of each key: empty, or with a trailing slash.
    let prefix: String
    let region: String
    /// `https`, or `http`.
    let scheme: String
    /// The endpoint's host, with its port unless that is the scheme's default.
    let authority: String
    /// Whether the bucket's name is in the path and not in the host name.
    let isPathStyle: Bool

    init(_ text: String, region: String?) throws(ObjectStoreAddress.Problem) {
        guard let parts = URLComponents(string: text), parts.scheme == "s3", let name = parts.host, parts.user == nil,
            parts.password == nil, parts.port == nil, parts.fragment == nil
        else { throw .init("give s3://BUCKET/PREFIX?endpoint=URL&region=NAME, without keys in it") }
        guard Self.isName(name) else { throw .init("“\(name)” is no name of a bucket") }
        var given: [String: String] = [:]
        for item in parts.queryItems ?? [] {
            guard Self.parameters.contains(item.name), given[item.name] == nil else {
                throw .init("“\(item.name)” is unknown or there twice; there are endpoint, region, style and insecure")
            }
            given[item.name] = item.value ?? ""
        }
        self.name = name
        prefix = try Self.prefix(parts.path)
        let chosenRegion = given["region"] ?? region ?? Self.standardRegion
        guard !chosenRegion.isEmpty,
            chosenRegion.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        else { throw .init("“\(chosenRegion)” is no name of a region") }
        self.region = chosenRegion
        let endpoint = given["endpoint"] ?? "https://s3.\(chosenRegion).amazonaws.com"
        (scheme, authority) = try Self.endpoint(endpoint, allowsHTTP: given["insecure"] == "true")
        switch given["style"] {
        case "path": isPathStyle = true
        case "host": isPathStyle = false
        // A certificate for *.host isn't valid for names with more dots.
        case nil: isPathStyle = given["endpoint"] != nil || name.contains(".")
        default: throw .init("style is path or host")
        }
    }

    /// The path of a key in the bucket, or of the bucket itself, percent-encoded.
    func path(of key: String?) -> String {
        let inside = key.map { PercentEncoding.encoded(prefix + $0, keepingSlashes: true) } ?? ""
        return isPathStyle ? "/\(name)/\(inside)" : "/\(inside)"
    }

    var host: String { isPathStyle ? authority : "\(name).\(authority)" }

    private static func prefix(_ path: String) throws(ObjectStoreAddress.Problem) -> String {
        let trimmed = path.split(separator: "/", omittingEmptySubsequences: true).joined(separator: "/")
        guard !trimmed.isEmpty else { return "" }
        guard ObjectKey.isValid(trimmed) else {
            throw .init("the prefix may hold a-z, 0-9, hyphens, points and slashes")
        }
        return trimmed + "/"
    }

    /// S3's rule for names: 3 to 63 of `a-z 0-9 . -`.
    private static func isName(_ name: String) -> Bool {
        (3...63).contains(name.utf8.count) && !name.contains("..")
            && name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "." || $0 == "-") }
            && name.first != "." && name.first != "-" && name.last != "." && name.last != "-"
    }

    private static func endpoint(
        _ text: String, allowsHTTP: Bool
    ) throws(ObjectStoreAddress.Problem) -> (scheme: String, authority: String) {
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty, let scheme = parts.scheme,
            ["http", "https"].contains(scheme), parts.path.isEmpty || parts.path == "/", parts.query == nil,
            parts.user == nil
        else { throw .init("give the endpoint as https://HOST or https://HOST:PORT") }
        let isLoopback = host == "localhost" || host == "[::1]" || host == "::1" || host.hasPrefix("127.")
        guard scheme == "https" || isLoopback || allowsHTTP else {
            throw .init(
                "the endpoint must be https: what is kept would travel in the clear. In a network of your own add insecure=true"
            )
        }
        let isUsual = parts.port == nil || parts.port == (scheme == "https" ? 443 : 80)
        let shown = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return (scheme, isUsual ? shown : "\(shown):\(parts.port ?? 0)")
    }
}
