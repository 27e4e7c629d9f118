import Foundation
package import HTTPTypes
package import Hummingbird
package import Kernel
import Logging
import NIOCore

/// Makes responses: a page, a fragment or JSON from one handler.
package enum Responses {
    /// Returns the page, the fragment or the JSON of a resource, by the request's format. Only the requested one is
    /// made.
    /// - Parameters:
    ///   - template: the page's template.
    ///   - fragment: the template of the part that scripts swap in; it has the same view model. `nil`: the whole
    ///     page.
    ///   - version: the resource's version, sent as the entity tag.
    /// - Throws: errors of making or rendering the response.
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

    /// The same for a value that writes its own JSON.
    /// - Throws: errors of making or rendering the response.
    package static func of<Page>(
        _ context: some WebContext, template: String, fragment: String? = nil, status: HTTPResponse.Status = .ok,
        version: Int64? = nil, page: () throws -> Page, json: () throws -> some JSONWritable
    ) throws -> Response {
        switch context.face {
        case .json: try Self.json(context, json(), status: status, version: version)
        case .page, .fragment:
            try Self.page(context, template: template, fragment: fragment, status: status, version: version, page())
        }
    }

    /// Returns an HTML page or its fragment.
    /// - Throws: when the template is unknown.
    package static func page<Page>(
        _ context: some WebContext, template: String, fragment: String? = nil, status: HTTPResponse.Status = .ok,
        version: Int64? = nil, _ page: Page
    ) throws -> Response {
        let isFragment = context.face == .fragment && fragment != nil
        let name = isFragment ? fragment ?? template : template
        context.web.onRender?(name, type(of: page))
        let html = try context.web.renderer.render(page, template: name, in: context.language)
        var headers = privateHeaders(version: version)
        headers[.contentType] = htmlType
        if !isFragment, Flash.isWaiting(context) { headers.clear(.toast, on: context.site) }
        let body = CompressedPage.body(html, accepted: context.header(.acceptEncoding), &headers)
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
    }

    /// Returns a JSON response.
    /// - Throws: `EncodingError`.
    package static func json(
        _ context: some WebContext, _ value: some Encodable, status: HTTPResponse.Status = .ok, version: Int64? = nil
    ) throws -> Response {
        json(ByteBuffer(bytes: try value.json()), status, version)
    }

    /// Returns a JSON response from a value that writes its own JSON.
    package static func json(
        _ context: some WebContext, _ value: some JSONWritable, status: HTTPResponse.Status = .ok, version: Int64? = nil
    ) -> Response {
        json(ByteBuffer(bytes: JSONText(value).bytes), status, version)
    }

    private static func json(_ bytes: ByteBuffer, _ status: HTTPResponse.Status, _ version: Int64?) -> Response {
        var headers = privateHeaders(version: version)
        headers.append(HTTPField(name: .contentType, value: "application/json"))
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }

    /// Redirects with 303, and sets the toast of the next page. Scripts can't see the target of a 303 and get 200 with
    /// `HX-Redirect` instead. These are htmx, and the script of the forms, which requests pages as a browser does and
    /// sends `HX-Boosted`.
    /// - Parameter to: a path of this server, or a full URL.
    package static func seeOther(_ context: some WebContext, to: String, toast: ShellToast? = nil) -> Response {
        var headers = privateHeaders(version: nil)
        let isScript = context.face == .fragment || context.header(.hxBoosted) != nil
        headers[isScript ? .hxRedirect : .location] = to
        if let toast { headers.set(.toast, to: Flash.encoded(toast), on: context.site) }
        return Response(status: isScript ? .ok : .seeOther, headers: headers)
    }

    /// Returns 204.
    package static func noContent(_ context: some WebContext) -> Response {
        Response(status: .noContent, headers: privateHeaders(version: nil))
    }

    /// Returns bytes of any media type.
    /// - Parameter filename: the suggested file name of a download; `nil` shows the bytes in the browser.
    package static func bytes(
        _ context: some WebContext, _ bytes: [UInt8], mediaType: String, filename: String? = nil
    ) -> Response {
        var headers = privateHeaders(version: nil)
        headers[.contentType] = mediaType
        if let filename { headers[.contentDisposition] = attachment(filename) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Returns bytes that the person's browser may cache but must revalidate: 304 if it has them.
    /// - Parameters:
    ///   - tag: identifies the contents and changes with them. Without quotation marks.
    ///   - contents: called only if the bytes are sent. Check the permission to read them before.
    /// - Throws: errors of `contents`.
    package static func cacheable(
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

    /// Returns bytes that are made while they are sent. An error in the middle closes the connection, so that a client
    /// doesn't take a part for the whole.
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

    /// The response to HEAD of a stream, whose length is unknown.
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

    // RFC 6266: an ASCII name for old clients, the full name for the others.
    private static func attachment(_ filename: String) -> String {
        let plain = String(
            filename.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_. ".contains($0)) ? $0 : "_" })
        let encoded = filename.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? plain
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
    }
}
