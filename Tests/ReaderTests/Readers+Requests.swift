import Foundation
import Storage
@testable import Accounts
import HTTPTypes
import Hummingbird
@testable import Kernel
import NIOCore
@testable import Server
@testable import TrackingWeb
import Translations

@testable import WebCore

extension OutsideReader {
    private static let targetBytes = Limits.pathBytes + Limits.queryBytes

    /// Calls `read` with a request as the product's handlers see it.
    private static func head(
        _ path: String, _ fields: HTTPFields = [:], _ read: (HTTPRequest) throws -> Void = { _ in }
    ) rethrows {
        let head = HTTPRequest(
            method: .post, scheme: "http", authority: "localhost", path: path, headerFields: fields)
        let checked = RequestHeadCheck(Request(head: head, body: .init(buffer: ByteBuffer())))
        guard checked.problem == nil else { return }
        try read(checked.request.head)
    }

    private static func header(
        _ name: HTTPField.Name, _ sources: String..., prefix: String = "",
        read: @escaping @Sendable (HTTPRequest, String) throws -> Void
    ) -> OutsideReader {
        OutsideReader(
            "header \(name.rawName)", all: ["WebCore/Middleware/RequestHeadCheck.swift"] + sources,
            limit: Limits.headerBytes, frames: [(prefix, "")]
        ) { bytes in
            var fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            fields[name] = nil
            fields.append(HTTPField(name: name, value: bytes))
            try head("/", fields) { head in try read(head, head.headerFields[name] ?? "") }
        }
    }

    /// Reads a body that arrives in pieces.
    private static func body(_ bytes: [UInt8], _ pieceBytes: Int, limit: Int) async throws -> [UInt8] {
        let pieces = Pieces(bytes: bytes, pieceBytes: pieceBytes)
        let head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/")
        let request = Request(head: head, body: RequestBody(asyncSequence: pieces))
        return try await Body.bytes(request, limit: limit)
    }

    private struct Pieces: AsyncSequence, Sendable {
        let bytes: [UInt8]
        let pieceBytes: Int

        func makeAsyncIterator() -> Iterator { Iterator(rest: bytes[...], pieceBytes: pieceBytes) }

        struct Iterator: AsyncIteratorProtocol {
            var rest: ArraySlice<UInt8>
            let pieceBytes: Int

            mutating func next() async throws -> ByteBuffer? {
                guard !rest.isEmpty else { return nil }
                defer { rest = rest.dropFirst(pieceBytes) }
                return ByteBuffer(bytes: rest.prefix(pieceBytes))
            }
        }
    }

    private static let routes = RouteTable(
        ["tracking", "family", "carrepsa", "account", "admin"].flatMap { module in
            (0..<100).map { index in
                RouteEntry(
                    method: .get, path: "/\(module)/list\(index)/{id}/part/**", access: .open,
                    isServedWhileLocked: false, tokenScopes: [])
            }
        })

    static let requests: [OutsideReader] = [
        OutsideReader(
            "path", "WebCore/Middleware/RouteTable.swift", "WebCore/Middleware/FastPathRoute.swift",
            "WebCore/Middleware/RequestHeadCheck.swift", limit: Limits.pathBytes,
            frames: [("/", ""), ("/tracking/list1/", "")]
        ) { bytes in
            head(String(decoding: bytes, as: UTF8.self)) { head in
                let path = head.path ?? ""
                _ = FastPathRoute("/ingest/osmand") { _ in true }.query(of: head)
                _ = routes.methods(of: path)
                _ = LocalPath(path)
                _ = path.removingPercentEncoding
            }
        },
        OutsideReader(
            "query", "WebCore/Fields/URLEncodedForm.swift", "WebCore/Middleware/MethodOverride.swift",
            "WebCore/Contexts/Paging.swift", limit: Limits.queryBytes, frames: [("/?", ""), ("/?_method=", "")]
        ) { bytes in
            let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            try head(String(decoding: bytes, as: UTF8.self), form) { head in
                let request = Request(head: head, body: .init(buffer: ByteBuffer()))
                _ = MethodOverride.apply(to: request)
                let pairs = URLEncodedForm.pairs(of: request.uri.query ?? "", lenient: true) ?? []
                _ = try Paging(limit: pairs.first?.value, after: pairs.last?.value, language: .english)
            }
        },
        OutsideReader(
            "target that is too long", "WebCore/Middleware/RequestHeadCheck.swift", limit: Limits.headerBytes,
            frames: [("/", ""), ("/?", "")]
        ) { bytes in try head(String(decoding: bytes, as: UTF8.self)) },
        header(.cookie, "WebCore/Contexts/Credential.swift") { head, _ in
            for name in ["homeward-session", "homeward-open", "homeward-app"] {
                _ = Cookies.value(of: name, in: head.headerFields)
            }
        },
        header(.cookie, "WebCore/Responses/Flash.swift", "Kernel/JSONSyntax.swift", prefix: "homeward-toast=") {
            head, _ in
            let value = Cookies.value(of: "homeward-toast", in: head.headerFields) ?? ""
            _ = Base64URL.decoded(value).flatMap { JSONSyntax.decoded(ShellToast.self, $0) }
        }.named("cookie of a toast"),
        header(.accept, "WebCore/Contexts/ResponseFormat.swift") { head, _ in _ = ResponseFormat(of: head) },
        header(.acceptLanguage, "Kernel/Localization/Language.swift") { _, value in _ = Language.preferred(by: value) },
        header(.userAgent, "Accounts/Rules/DeviceName.swift") { _, value in _ = DeviceName.describe(userAgent: value) },
        header(
            .xForwardedFor, "WebCore/Contexts/TrustedProxies.swift", "WebCore/Contexts/ForwardedHeaders.swift",
            "Kernel/AddressRange.swift"
        ) { _, value in
            let proxies = try TrustedProxies("127.0.0.1, ::1, 10.0.0.0/8")
            _ = proxies.clientAddress(peer: "127.0.0.1", forwardedFor: value)
        },
        header(.forwarded, "WebCore/Contexts/ForwardedHeaders.swift", prefix: "for=") { _, value in
            let proxies = try TrustedProxies("127.0.0.1, ::1, 10.0.0.0/8")
            _ = proxies.clientAddress(peer: "127.0.0.1", forwardedFor: nil, forwarded: value)
        },
        header(.authorization, "WebCore/Contexts/Credential.swift", prefix: "Bearer ") { head, _ in
            _ = Token.hash(shown: Credential.bearerToken(in: head.headerFields) ?? "")
        },
        header(.authorization, "TrackingWeb/Controllers/BasicCredential.swift", prefix: "Basic ") { _, value in
            _ = BasicCredential(value)
        }.named("header Authorization: Basic"),
        header(.contentType, "WebCore/Fields/MultipartHeaders.swift", prefix: "multipart/form-data;") { _, value in
            _ = MultipartHeaders.parameters(of: value)
        },
        header(.ifModifiedSince, "Kernel/Instant+Foundation.swift") { _, value in _ = Instant(httpDate: value) },
        header(.ifMatch, "WebCore/Contexts/WebContext.swift") { _, value in
            _ = value.hasPrefix("\"") && value.hasSuffix("\"") ? Int64(value.dropFirst().dropLast()) : nil
        },
        header(.hxCurrentURL, "WebCore/Pages/LocalPath.swift") { _, value in _ = LocalPath(value) },
        OutsideReader("body", fed: "WebCore/Fields/Body.swift", limit: Limits.bodyBytes) { bytes, pieceBytes in
            _ = try await body(bytes, pieceBytes, limit: Limits.bodyBytes)
        },
        OutsideReader(
            "form", "WebCore/Fields/URLEncodedForm.swift", "WebCore/Fields/Fields.swift",
            "WebCore/Fields/FieldValue.swift", "Kernel/MemberName.swift", limit: Limits.bodyBytes,
            frames: [("", ""), ("a=", ""), ("a.b=1&", ""), ("", "=1")]
        ) { bytes in
            guard let pairs = URLEncodedForm.fields(of: bytes) else { return }
            use(try Fields.form(pairs, Translations.translator(.english)))
        },
        OutsideReader(
            "multipart form", fed: "WebCore/Fields/MultipartParser.swift", "WebCore/Fields/MultipartHeaders.swift",
            limit: Limits.multipartBytes,
            frames: [
                ("", ""), ("--x", ""), ("--x\r\n", ""), ("--x\r\nContent-Disposition: ", ""),
                ("--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n", "\r\n--x--"),
                ("--x\r\nContent-Disposition: form-data; name=\"a\"; filename=\"b\"\r\n\r\n", "\r\n--x--"),
            ]
        ) { bytes, pieceBytes in
            guard var parser = MultipartParser(boundary: "x", onlyFile: "a") else { return }
            var rest = bytes[...]
            while !rest.isEmpty {
                try parser.feed(rest.prefix(pieceBytes))
                rest = rest.dropFirst(pieceBytes)
                _ = parser.drainFile("a")
            }
            _ = try parser.finish().map { FieldValue(typed: $0.bytes) }
        },
        OutsideReader(
            "JSON body", "Kernel/JSONReader.swift", "Kernel/JSONNumber.swift", "WebCore/Fields/Fields+Reading.swift",
            "WebCore/Fields/Fields+Lists.swift", limit: Limits.bodyBytes,
            frames: [
                ("", ""), ("{\"a\":", "}"), ("{\"a\":\"", "\"}"), ("{\"a\":[", "0]}"), ("{\"a\":1", "}"),
                ("{\"a\":0.", "}"),
                ("{\"a\":1e", "}"), ("{\"", "\":1}"), ("{\"a\":[", "\"a\"]}"), ("{", "\"b\":1}"),
            ]
        ) { bytes in use(try Fields.json(bytes, Translations.translator(.english))) },
    ]

    /// Reads a field in every way.
    private static func use(_ fields: Fields) {
        var fields = fields
        for name in ["a", "a.b", "a.0.b"] {
            _ = fields.string(name)
            _ = fields.integer(name)
            _ = fields.double(name)
            _ = fields.boolean(name)
            _ = fields.instant(name)
            _ = fields.strings(name, atMost: .max)
            _ = fields.lines(name, atMost: .max)
            _ = fields.id(name, of: Account.self)
            _ = fields.indices(name, atMost: .max)
            _ = fields.names(below: name, atMost: .max)
        }
        _ = BodyDigestKey(secret: [1]).digest(of: fields)
    }
}
