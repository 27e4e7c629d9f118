import Foundation

/// Where an object store is: `folder:PATH`, or `s3://BUCKET/PREFIX?endpoint=URL&region=NAME&style=path`.
package struct ObjectStoreAddress: Sendable, Hashable {
    /// Why a text is no address; to be told to who wrote it.
    package struct Problem: Error, Hashable, CustomStringConvertible {
        /// In half a sentence.
        package let description: String

        init(_ description: String) { self.description = description }
    }

    enum Place: Sendable, Hashable {
        case folder(String)
        case bucket(S3Bucket)
    }

    let place: Place

    /// Reads an address.
    /// - Parameter region: what holds when the address names no region.
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

    /// Whether a key is needed to get there.
    package var isBucket: Bool { folder == nil }
}

/// A bucket and the way to it.
struct S3Bucket: Sendable, Hashable {
    private static let parameters: Set<String> = ["endpoint", "region", "style", "insecure"]
    private static let standardRegion = "us-east-1"

    let name: String
    /// Before each key: empty, or with a slash at its end.
    let prefix: String
    let region: String
    /// `https`, or `http`.
    let scheme: String
    /// The endpoint's host with its port where that isn't the scheme's own.
    let authority: String
    /// The bucket's name stands in the path, not before the host.
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
        // A certificate for *.host doesn't hold for names with more dots.
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

    /// As S3 demands it: 3 to 63 of `a-z 0-9 . -`.
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
