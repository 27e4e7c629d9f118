import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import NIOCore
import Storage
import Synchronization
import TestSupport
import Testing

@testable import WebCore

struct SecretFailure: Error, CustomStringConvertible {
    let description = "the password of the database is hunter2"
}

@Suite("The outermost responder")
struct RootResponderTests {
    private struct ErrorBody: Decodable {
        struct Content: Decodable {
            let code: String
            let message: String
            let fields: [String: String]
            let requestId: String
        }
        let error: Content
    }

    private static let statuses: [(AppError.Code, Int)] = [
        (.malformed, 400), (.invalid, 422), (.unauthenticated, 401), (.forbidden, 403), (.notFound, 404),
        (.conflict, 409), (.insufficientFunds, 409), (.rewardNotFunded, 409), (.tooLarge, 413), (.locked, 423),
        (.throttled, 429), (.internal, 500), (.unavailable, 503),
    ]

    @Test("Each error code has its status and one format, as JSON and as a page")
    func shapes() async throws {
        #expect(Self.statuses.count == AppError.Code.allCases.count)
        try await withSite(
            routes: { routes in
                routes.open.get("/fail/{code}") { _, context -> Response in
                    let code = try #require(AppError.Code(rawValue: try context.text("code")))
                    throw AppError(code, "What to do.", fields: ["name": "Why."], retryAfterSeconds: 7)
                }
            },
            { site async throws in
                for (code, status) in Self.statuses {
                    let json = try await site.get("/fail/\(code.rawValue)", .json)
                    #expect(json.status.code == status)
                    #expect(json.headers[.contentType] == "application/json")
                    #expect(json.headers[.retryAfter] == (code == .internal ? nil : "7"))
                    let body = try JSONDecoder().decode(ErrorBody.self, from: Data(json.body.readableBytesView))
                    #expect(body.error.code == code.rawValue)
                    #expect(!body.error.requestId.isEmpty)
                    #expect(body.error.fields == (code == .internal ? [:] : ["name": "Why."]))
                    let page = try await site.get("/fail/\(code.rawValue)", .browser)
                    // A locked page redirects to the lock screen.
                    guard code != .locked else {
                        #expect(page.status == .seeOther)
                        continue
                    }
                    #expect(page.status.code == status)
                    // A page shows it in its navigation bar; a fragment has none.
                    #expect(!page.text.contains("<h2 class=\"empty-title\">"))
                    #expect(page.text.contains("What to do.") == (code != .internal))
                    let part = try await site.get("/fail/\(code.rawValue)", .browser.adding(.hxRequest, "true"))
                    #expect(part.text.contains("<h2 class=\"empty-title\">"))
                }
            })
    }

    @Test("An unknown error shows only the request's id, and is logged in full")
    func unknownError() async throws {
        try await withSite(
            routes: { $0.open.get("/fail") { _, _ -> Response in throw SecretFailure() } },
            { site async throws in
                for headers in [HTTPFields.json, .browser] {
                    let response = try await site.get("/fail", headers)
                    #expect(response.status == .internalServerError)
                    #expect(!response.text.contains("hunter2"))
                    let id = try #require(response.headers[.xRequestID])
                    #expect(response.text.contains(id))
                    let lines = site.log.lines
                    #expect(lines.contains { $0.hasPrefix("error") && $0.contains("hunter2") && $0.contains(id) })
                }
            })
    }

    @Test("Unknown paths and methods get errors in the same format")
    func unknownRoutes() async throws {
        try await withSite(
            routes: { $0.open.post("/things/{id}") { _, context in Responses.noContent(context) } },
            { site async throws in
                let missing = try await site.get("/nothing", .json)
                #expect(missing.status == .notFound)
                #expect(missing.text.contains("\"code\":\"not_found\""))
                let method = try await site.get("/things/1", .json)
                #expect(method.status == .methodNotAllowed)
                #expect(method.text.contains("\"code\":\"malformed\""))
                #expect(method.headers[.allow] == "POST")
                #expect(try await site.send(.options, "/things/1", .json).status == .methodNotAllowed)
                #expect(try await site.get("/nothing", .browser).text.contains("<!doctype html>"))
            })
    }

    @Test("A 20 MB body gets a readable 413 over a real connection, and the connection stays usable")
    func largeBody() async throws {
        try await withSite(
            .live,
            routes: { routes in
                routes.open.post("/things") { request, context in
                    _ = try await Fields.read(request, context)
                    return Responses.noContent(context)
                }
                routes.device.post("/raw") { request, context in
                    _ = try await Body.bytes(request, limit: Limits.ingestBytes)
                    return Responses.noContent(context)
                }
            },
            { site async throws in
                let large = ByteBuffer(repeating: UInt8(ascii: "x"), count: 20 * 1024 * 1024)
                try await site.withPatientClient { client in
                    for path in ["/things", "/raw"] {
                        let response = try await client.post(path, headers: .json, body: large)
                        #expect(response.status == .contentTooLarge)
                        let body = String(buffer: try #require(response.body))
                        #expect(body.contains("\"code\":\"too_large\""))
                    }
                    let small = try await client.post("/things", headers: .json, body: ByteBuffer(string: "{}"))
                    #expect(small.status == .noContent)
                }
            })
    }

    @Test("Unsupported content types and malformed bodies are rejected")
    func contentTypes() async throws {
        try await withSite(
            routes: { routes in
                routes.open.post("/things") { request, context in
                    var fields = try await Fields.read(request, context)
                    let name = fields.require("name")
                    try fields.check()
                    return try Responses.json(context, ["name": name])
                }
                routes.open.delete("/things") { request, context in
                    _ = try await Fields.read(request, context, emptyAllowed: true)
                    return Responses.noContent(context)
                }
            },
            { site async throws in
                func post(_ type: String?, _ body: String) async throws -> TestResponse {
                    var headers: HTTPFields = [.accept: "application/json"]
                    headers[.contentType] = type
                    return try await site.send(.post, "/things", headers, body)
                }
                #expect(try await post("text/plain", "x").status.code == 415)
                #expect(try await post("text/plain", "x").text.contains("\"code\":\"malformed\""))
                #expect(try await post(nil, "").status == .badRequest)
                #expect(try await post("application/json", "").status == .badRequest)
                #expect(try await post("application/json", "[]").status == .unprocessableContent)
                #expect(try await post("application/json; charset=utf-8", #"{"name":"a"}"#).status == .ok)
                #expect(try await post("application/merge-patch+json", #"{"name":"a"}"#).status == .ok)
                #expect(try await post("application/x-www-form-urlencoded", "name=a").status == .ok)
                #expect(try await post("multipart/form-data", "x").status == .badRequest)
                let multipart = "--B\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\na\r\n--B--\r\n"
                #expect(try await post("multipart/form-data; boundary=B", multipart).text == #"{"name":"a"}"#)
                #expect(try await post("multipart/form-data; boundary=\"B\"", multipart).status == .ok)
                #expect(try await post("multipart/form-data; boundary=C", multipart).status == .badRequest)
                #expect(try await site.send(.delete, "/things", [.accept: "application/json"]).status == .noContent)
            })
    }

    @Test("A plain form can override its method; other requests can't")
    func methodOverride() async throws {
        try await withSite(
            routes: { routes in
                routes.open.post("/things") { _, context in try Responses.json(context, ["was": "post"]) }
                routes.open.delete("/things") { _, context in try Responses.json(context, ["was": "delete"]) }
                routes.open.patch("/things") { _, context in try Responses.json(context, ["was": "patch"]) }
            },
            { site async throws in
                func was(_ query: String, _ headers: HTTPFields) async throws -> String {
                    try await site.send(.post, "/things" + query, headers, "").text
                }
                let multipart = HTTPFields.form.adding(.contentType, "multipart/form-data; boundary=x")
                #expect(try await was("?_method=delete", .form) == #"{"was":"delete"}"#)
                #expect(try await was("?a=b&_method=PATCH", multipart) == #"{"was":"patch"}"#)
                #expect(try await was("?_method=delete", .json) == #"{"was":"post"}"#)
                #expect(try await was("?_method=trace", .form) == #"{"was":"post"}"#)
                #expect(try await was("", .form) == #"{"was":"post"}"#)
            })
    }

    struct OriginCase: CustomTestStringConvertible, Sendable {
        let headers: HTTPFields
        let isRefused: Bool
        var testDescription: String { "\(headers)" }
    }

    @Test(
        "A write from another website is rejected",
        arguments: [
            OriginCase(headers: [.secFetchSite: "same-origin"], isRefused: false),
            OriginCase(headers: [.secFetchSite: "none"], isRefused: false),
            OriginCase(headers: [.secFetchSite: "same-site"], isRefused: true),
            OriginCase(headers: [.secFetchSite: "cross-site"], isRefused: true),
            OriginCase(headers: [.secFetchSite: "cross-site", .origin: "http://localhost:8080"], isRefused: true),
            OriginCase(headers: [.origin: "http://localhost:8080"], isRefused: false),
            OriginCase(headers: [.origin: "http://localhost:8081"], isRefused: true),
            OriginCase(headers: [.origin: "https://localhost:8080"], isRefused: true),
            OriginCase(headers: [.origin: "null"], isRefused: true),
            OriginCase(headers: [:], isRefused: false),
        ])
    func crossOrigin(_ origin: OriginCase) async throws {
        try await withSite(
            routes: { routes in
                routes.open.post("/things") { _, context in Responses.noContent(context) }
                routes.open.get("/things") { _, context in Responses.noContent(context) }
                routes.device.post("/ingest") { _, context in Responses.noContent(context) }
            },
            { site async throws in
                site.sessions.signIn("token", kind: .bearer)
                let write = try await site.send(.post, "/things", origin.headers)
                #expect(write.status == (origin.isRefused ? .forbidden : .noContent))
                #expect(try await site.get("/things", origin.headers).status == .noContent)
                #expect(try await site.send(.post, "/ingest", origin.headers).status == .noContent)
                let bearer = origin.headers.adding(.authorization, "Bearer token")
                #expect(try await site.send(.post, "/things", bearer).status == .noContent)
            })
    }

    @Test("Pages have a strict policy, all responses nosniff and the server's mark, HTTPS responses HSTS")
    func securityHeaders() async throws {
        try await withSite(
            url: "https://home.example", files: ["templates/plain.mustache": "<p>{{name}}</p>"],
            routes: { routes in
                routes.open.get("/page") { _, context in
                    try Responses.page(context, template: "plain", ["name": "<b>\"&'"])
                }
            },
            { site async throws in
                let page = try await site.get("/page", .browser)
                let policy = try #require(page.headers[.contentSecurityPolicy])
                for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"] {
                    #expect(policy.contains(part))
                }
                #expect(policy.contains("img-src 'self' data: blob: https://tile.openstreetmap.org;"))
                #expect(!policy.contains("unsafe"))
                #expect(page.headers[.xContentTypeOptions] == "nosniff")
                #expect(page.headers[.strictTransportSecurity] != nil)
                #expect(page.headers[.cacheControl] == "private, no-store")
                #expect(page.headers[.vary] == "Accept, HX-Request, Accept-Encoding")
                #expect(!page.text.contains("<b>"))
                let health = try await site.get("/health/live")
                #expect(health.headers[.contentSecurityPolicy] == nil)
                #expect(health.headers[.xContentTypeOptions] == "nosniff")
                for response in [page, health, try await site.get("/missing", .json)] {
                    #expect(response.headers[.homewardServer] == "1")
                }
            })
    }

    @Test("The access log has method, route, status and time, and no secret of path or query")
    func accessLog() async throws {
        try await withSite(
            routes: { $0.open.get("/resets/{code}") { _, context in Responses.noContent(context) } },
            { site async throws in
                _ = try await site.get("/resets/s3cret?token=t0ken")
                let lines = site.log.lines.filter { $0.contains("Request") }
                #expect(lines.count == 1)
                let line = try #require(lines.first)
                #expect(line.hasPrefix("info"))
                for part in ["GET", "/resets/{code}", "204", "milliseconds", "hb.request.id"] {
                    #expect(line.contains(part))
                }
                #expect(!line.contains("s3cret"))
                #expect(!line.contains("t0ken"))
            })
    }

    @Test("requests and errors are counted by route pattern")
    func metrics() async throws {
        try await withSite(
            routes: { $0.open.get("/things/{id}") { _, context in Responses.noContent(context) } },
            { site async throws in
                for id in 0..<3 { _ = try await site.get("/things/\(id)") }
                for id in 0..<5 { _ = try await site.get("/nothing/\(id)") }
                _ = try await site.send(HTTPRequest.Method("BREW") ?? .get, "/things/1")
                let text = try await site.get("/metrics").text
                #expect(
                    text.contains(#"homeward_http_requests_total{route="/things/{id}",method="GET",status="204"} 3"#))
                #expect(text.contains(#"homeward_http_requests_total{route="NotFound",method="GET",status="404"} 5"#))
                #expect(text.contains(#"method="other""#))
                #expect(text.contains(#"homeward_errors_total{code="not_found"} 5"#))
                #expect(!text.contains("/nothing"))
            })
    }

    @Test("Health: always live, ready while the store can be read")
    func health() async throws {
        try await withSite { site async throws in
            #expect(try await site.get("/health/live").text == #"{"client":"connection","status":"ok"}"#)
            #expect(try await site.get("/health/ready").status == .ok)
            await site.database.close()
            #expect(try await site.get("/health/live").status == .ok)
            let ready = try await site.get("/health/ready")
            #expect(ready.status == .serviceUnavailable)
            #expect(ready.text.contains("\"code\":\"unavailable\""))
        }
    }
}
