import Crypto
import HTTPTypes
import Hummingbird
import Kernel
import NIOCore

/// Styles, scripts and icons. All of them are in one folder whose name contains a version, so that browsers may cache
/// them indefinitely and relative references among them stay valid.
package struct StaticFiles: Sendable {
    private struct File: Sendable {
        let contents: ByteBuffer
        /// `nil` for a file that isn't sent compressed.
        let compressed: CompressedFile?
        let mediaType: String
        let entityTag: String
    }

    private static let worthCompressingBytes = 1_000

    /// The current folder: `/static/VERSION`.
    package let folder: String
    /// The version of this build's files: the first 12 hexadecimal digits of a hash over all of them.
    package let version: String
    private let files: [String: File]
    /// The names of the files that only re-export joined modules; no page loads them.
    package let standIns: Set<String>

    /// Collects `static/X` (as `X`) and `vendor/X` (as `vendor/X`) of all modules. Files in `vendor/gzip` are
    /// compressed versions, named by the hash of their original, and aren't served under their own name. Our own styles
    /// and scripts are joined here, and compressed by ``compress()``.
    /// - Parameter generated: further files, by their names below the folder.
    init(_ modules: [EmbeddedFiles], generated: [String: [UInt8]] = [:]) {
        var originals = generated
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
        let joined = AssetBundles.of(originals)
        standIns = joined.standIns
        for (name, contents) in joined.files.sorted(by: { $0.key < $1.key }) {
            let hash = Hexadecimal.encoded(SHA256.hash(data: contents))
            whole.update(data: Array("\(name) \(hash)\n".utf8))
            files[name] = File(
                contents: ByteBuffer(bytes: contents),
                compressed: twins["\(hash.prefix(16)).gz"].map { CompressedFile($0) }
                    ?? (Self.isWorthCompressing(name, contents) ? CompressedFile() : nil),
                mediaType: Self.mediaType(of: name), entityTag: "\"\(hash.prefix(16))\""
            )
        }
        version = String(Hexadecimal.encoded(whole.finalize()).prefix(12))
        folder = "/static/\(version)"
        self.files = files
    }

    private static func isWorthCompressing(_ name: String, _ contents: [UInt8]) -> Bool {
        let isOurs = name.hasPrefix("css/") || name.hasPrefix("js/") || name.hasSuffix(".webmanifest")
        return isOurs && contents.count >= worthCompressingBytes
    }

    /// Compresses the files that have no compressed version yet. Until then, they are sent uncompressed.
    func compress() {
        for file in files.values { file.compressed?.make(from: file.contents) }
    }

    /// All names below the folder.
    package var names: [String] { files.keys.sorted() }

    /// The first 16 hexadecimal digits of each file's SHA-256, by its name below the folder.
    package var tags: [String: String] { files.mapValues { String($0.entityTag.dropFirst().dropLast()) } }

    /// Returns the response for one file.
    /// - Parameters:
    ///   - version: the version in the URL; with the current one, the response may be cached indefinitely.
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
        if CompressedPage.takesGzip(head.headerFields[.acceptEncoding]), let compressed = file.compressed?.contents {
            headers[.contentEncoding] = "gzip"
            contents = compressed
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: contents))
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
}
