import Foundation
package import HTTPTypes
package import Hummingbird
package import Kernel
import Logging
import NIOCore

/// Makes responses: a resource's three faces from one handler.
package enum Answer {
    /// The page, the fragment or the JSON of a resource, whichever was asked for; only that one is made.
    /// - Parameters:
    ///   - template: the page's template.
    ///   - fragment: the template of the part that scripts swap in; it gets the same view model. `nil`: the whole page.
    ///   - version: the resource's version, told as the entity tag.
    /// - Throws: what making or rendering throws.
    package static func of<Page>(
        _ context: some WebContext, template: String, fragment: String? = nil, status: HTTPResponse.Status = .ok,
        version: Int64? = nil, page: () throws -> Page, json: () throws -> some Encodable
    ) throws -> Response {
        switch context.face {
        case .json: try Self.json(context, json(), status: status, version: version)
        case .page, .fragment:
            try Self.page(context, template: template, fragment: fragment, status: status, version: version, page())
        }
    }

    /// The same with JSON that writes itself.
    /// - Throws: what making or rendering throws.
    package static func of<Page>(
        _ context: some WebContext, template: String, fragment: String? = nil, status: HTTPResponse.Status = .ok,
        version: Int64? = nil, page: () throws -> Page, json: () throws -> some WritesJSON
    ) throws -> Response {
        switch context.face {
        case .json: try Self.json(context, json(), status: status, version: version)
        case .page, .fragment:
            try Self.page(context, template: template, fragment: fragment, status: status, version: version, page())
        }
    }

    /// An HTML page, or its fragment.
    /// - Throws: when the template is unknown.
    package static func page<Page>(
        _ context: some WebContext, template: String, fragment: String? = nil, status: HTTPResponse.Status = .ok,
        version: Int64? = nil, _ page: Page
    ) throws -> Response {
        let isFragment = context.face == .fragment && fragment != nil
        let html = try context.web.renderer.render(page, template: isFragment ? fragment ?? template : template)
        var headers = privateHeaders(version: version)
        headers[.contentType] = htmlType
        if !isFragment, Flash.isWaiting(context) { headers[values: .setCookie].append(Flash.clearing(context.site)) }
        let body = PackedPage.body(html, accepted: context.header(.acceptEncoding), &headers)
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
    }

    /// JSON.
    /// - Throws: `EncodingError`.
    package static func json(
        _ context: some WebContext, _ value: some Encodable, status: HTTPResponse.Status = .ok, version: Int64? = nil
    ) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return json(ByteBuffer(bytes: try encoder.encode(value)), status, version)
    }

    /// JSON of a value that writes its own.
    package static func json(
        _ context: some WebContext, _ value: some WritesJSON, status: HTTPResponse.Status = .ok, version: Int64? = nil
    ) -> Response {
        json(ByteBuffer(bytes: JSONText(value).bytes), status, version)
    }

    private static func json(_ bytes: ByteBuffer, _ status: HTTPResponse.Status, _ version: Int64?) -> Response {
        var headers = privateHeaders(version: version)
        headers.append(HTTPField(name: .contentType, value: "application/json"))
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }

    /// 303, and what the next page says. To scripts, which can't see where a 303 leads: 200 with `HX-Redirect`. That is
    /// htmx, and the forms' own script, which wants pages as a browser gets them and says so by `HX-Boosted`.
    /// - Parameter to: a path of our own, or a full address.
    package static func seeOther(_ context: some WebContext, to: String, toast: ShellToast? = nil) -> Response {
        var headers = privateHeaders(version: nil)
        let isScript = context.face == .fragment || context.header(.hxBoosted) != nil
        headers[isScript ? .hxRedirect : .location] = to
        if let toast { headers[values: .setCookie].append(Flash.setting(toast, context.site)) }
        return Response(status: isScript ? .ok : .seeOther, headers: headers)
    }

    /// 204.
    package static func noContent(_ context: some WebContext) -> Response {
        Response(status: .noContent, headers: privateHeaders(version: nil))
    }

    /// Bytes of any type.
    /// - Parameter filename: offered for saving; `nil` shows the bytes in place.
    package static func bytes(
        _ context: some WebContext, _ bytes: [UInt8], mediaType: String, filename: String? = nil
    ) -> Response {
        var headers = privateHeaders(version: nil)
        headers[.contentType] = mediaType
        if let filename { headers[.contentDisposition] = attachment(filename) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Bytes that this person's browser may keep, but must ask about before it shows them again: 304 where it has them.
    /// - Parameters:
    ///   - tag: names the contents; other contents, another tag. Without quotation marks.
    ///   - contents: read only when they are sent. Whether they may be seen is to be checked before.
    /// - Throws: what `contents` throws.
    package static func kept(
        _ context: some WebContext, tag: String, contents: () async throws -> (bytes: [UInt8], mediaType: String)
    ) async throws -> Response {
        var headers = HTTPFields()
        headers[.cacheControl] = "private, no-cache"
        headers[.eTag] = "\"\(tag)\""
        if context.header(.ifNoneMatch)?.contains("\"\(tag)\"") ?? false {
            return Response(status: .notModified, headers: headers)
        }
        let (bytes, mediaType) = try await contents()
        headers[.contentType] = mediaType
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Bytes that are made while they are sent. An error in the middle cuts the connection, so that nobody takes a part
    /// for the whole.
    package static func stream<Chunks: AsyncSequence & Sendable>(
        _ context: some WebContext, mediaType: String, filename: String? = nil, chunks: Chunks
    ) -> Response where Chunks.Element == [UInt8] {
        var headers = privateHeaders(version: nil)
        headers[.contentType] = mediaType
        if let filename { headers[.contentDisposition] = attachment(filename) }
        if context.app.head.method == .head { return headOfStream(headers) }
        let logger = context.logger
        let body = ResponseBody { writer in
            var iterator = chunks.makeAsyncIterator()
            while true {
                let chunk: [UInt8]?
                do {
                    chunk = try await iterator.next()
                } catch {
                    logger.error("A download broke off", metadata: ["error": "\(error)"])
                    throw error
                }
                guard let chunk else { break }
                try await writer.write(ByteBuffer(bytes: chunk))
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// The answer to HEAD where GET would make a stream, whose length nobody knows.
    static func headOfStream(_ headers: HTTPFields) -> Response {
        var headers = headers
        headers[.transferEncoding] = "chunked"
        return Response(status: .ok, headers: headers)
    }

    // MARK: Headers

    static let htmlType = "text/html; charset=utf-8"

    static func privateHeaders(version: Int64?) -> HTTPFields {
        var headers = privateFields
        if let version { headers.append(HTTPField(name: .eTag, value: "\"\(version)\"")) }
        return headers
    }

    private static let privateFields: HTTPFields = {
        var headers = HTTPFields()
        headers[.cacheControl] = "private, no-store"
        headers[.vary] = "Accept, HX-Request"
        return headers
    }()

    // RFC 6266: a plain name for old clients, the true one for the others.
    private static func attachment(_ filename: String) -> String {
        let plain = String(
            filename.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_. ".contains($0)) ? $0 : "_" })
        let encoded = filename.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? plain
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
    }
}
