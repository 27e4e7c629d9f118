import Crypto
import HTTPTypes
import Hummingbird
import NIOCore

/// Styles, scripts and icons. All of them stand below one folder that carries a version, so that browsers may keep them
/// for ever and relative references among them stay valid.
package struct StaticFiles: Sendable {
    private struct File: Sendable {
        let contents: ByteBuffer
        let compressed: ByteBuffer?
        let mediaType: String
        let entityTag: String
    }

    /// The present folder: `/static/VERSION`.
    package let folder: String
    private let version: String
    private let files: [String: File]

    /// Collects `static/X` (as `X`) and `vendor/X` (as `vendor/X`) of all modules. Twins compressed by gzip lie in
    /// `vendor/gzip`, named by their original's hash, and are not served by themselves. Styles in a folder `css/NAME` are
    /// served as one file, `css/NAME.css`: one file a component is good to work with, one request is good to wait for.
    init(_ modules: [EmbeddedFiles]) {
        var originals: [String: [UInt8]] = [:]
        var twins: [String: [UInt8]] = [:]
        for module in modules {
            for path in module.paths {
                if path.hasPrefix("vendor/gzip/") {
                    twins[String(path.dropFirst("vendor/gzip/".count))] = module.contents(of: path)
                } else if path.hasPrefix("static/") {
                    originals[String(path.dropFirst("static/".count))] = module.contents(of: path)
                } else if path.hasPrefix("vendor/") {
                    originals[path] = module.contents(of: path)
                }
            }
        }
        var whole = SHA256()
        var files: [String: File] = [:]
        for (name, contents) in Self.joiningStyles(originals).sorted(by: { $0.key < $1.key }) {
            let hash = Self.hexadecimal(SHA256.hash(data: contents))
            whole.update(data: Array("\(name) \(hash)\n".utf8))
            files[name] = File(
                contents: ByteBuffer(bytes: contents),
                compressed: twins["\(hash.prefix(16)).gz"].map(ByteBuffer.init(bytes:)),
                mediaType: Self.mediaType(of: name), entityTag: "\"\(hash.prefix(16))\""
            )
        }
        version = String(Self.hexadecimal(whole.finalize()).prefix(12))
        folder = "/static/\(version)"
        self.files = files
    }

    /// In the order of their names, which the styles must not depend on.
    private static func joiningStyles(_ originals: [String: [UInt8]]) -> [String: [UInt8]] {
        var joined: [String: [UInt8]] = [:]
        for (name, contents) in originals.sorted(by: { $0.key < $1.key }) {
            let parts = name.split(separator: "/")
            let isPart = parts.count == 3 && parts[0] == "css" && name.hasSuffix(".css")
            joined[isPart ? "css/\(parts[1]).css" : name, default: []] += contents
        }
        return joined
    }

    /// All names below the folder.
    package var names: [String] { files.keys.sorted() }

    /// Answers for one file.
    /// - Parameters:
    ///   - version: the one in the URL; with the present one, the answer may be kept for ever.
    ///   - name: below the folder.
    /// - Returns: `nil` for an unknown name.
    func response(version: some StringProtocol, name: String, head: HTTPRequest) -> Response? {
        guard let file = files[name] else { return nil }
        var headers = HTTPFields()
        headers[.cacheControl] = version == self.version ? "public, max-age=31536000, immutable" : "no-cache"
        headers[.eTag] = file.entityTag
        if file.compressed != nil { headers[.vary] = "Accept-Encoding" }
        if head.headerFields[.ifNoneMatch]?.contains(file.entityTag) ?? false {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = file.mediaType
        var contents = file.contents
        if let compressed = file.compressed, Self.takesGzip(head.headerFields[.acceptEncoding]) {
            headers[.contentEncoding] = "gzip"
            contents = compressed
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: contents))
    }

    private static func takesGzip(_ header: String?) -> Bool {
        guard let header else { return false }
        return header.split(separator: ",").contains { coding in
            let parts = coding.split(separator: ";").map { $0.trimmingSpaces().lowercased() }
            return parts.first == "gzip" && !parts.dropFirst().contains { Double($0.dropFirst(2)) == 0 }
        }
    }

    private static func mediaType(of name: String) -> String {
        switch name.split(separator: ".").last ?? "" {
        case "css": "text/css; charset=utf-8"
        case "js", "mjs": "text/javascript; charset=utf-8"
        case "json": "application/json"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "webp": "image/webp"
        case "ico": "image/x-icon"
        case "woff2": "font/woff2"
        case "webmanifest": "application/manifest+json"
        case "txt": "text/plain; charset=utf-8"
        default: "application/octet-stream"
        }
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in byte < 16 ? "0" + String(byte, radix: 16) : String(byte, radix: 16) }.joined()
    }
}
