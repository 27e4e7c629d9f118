import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import NIOCore
import Testing

@testable import WebCore

@Suite("The head of a request")
struct RequestHeadTests {
    private static let marks = String(repeating: "\u{301}", count: 14_000)

    private func seen(_ head: HTTPRequest) -> RequestHeadCheck {
        RequestHeadCheck(Request(head: head, body: .init(buffer: ByteBuffer())))
    }

    private func head(_ target: String = "/", _ fields: HTTPFields = [:]) -> HTTPRequest {
        HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: target, headerFields: fields)
    }

    @Test("A decisive header must be ASCII", arguments: RequestHeadCheck.semanticHeaders)
    func decisiveHeaders(name: HTTPField.Name) {
        #expect(seen(head("/", [name: "x\u{301}"])).problem == .header)
        #expect(seen(head("/", [name: "x"])).problem == nil)
    }

    @Test("Any other header that isn't ASCII is removed")
    func otherHeaders() {
        let fields: HTTPFields = [
            .accept: "text/html\(Self.marks)", .acceptLanguage: "de\(Self.marks)", .userAgent: "Käse",
            .referer: "http://x/é",
            .acceptEncoding: "gzip",
        ]
        let checked = seen(head("/", fields))
        #expect(checked.problem == nil)
        #expect(checked.request.headers == [.acceptEncoding: "gzip"])
    }

    @Test("Only the cookies that aren't ASCII are removed")
    func cookies() {
        let checked = seen(head("/", [.cookie: "city=Köln; homeward-session=abc; x=\u{301}"]))
        #expect(checked.problem == nil)
        #expect(Cookies.value(of: "homeward-session", in: checked.request.headers) == "abc")
        #expect(checked.request.headers[.cookie]?.utf8.allSatisfy { $0 < 0x80 } == true)
    }

    @Test("A host that isn't ASCII is rejected")
    func host() {
        var head = head()
        head.authority = "h\u{f6}st"
        #expect(seen(head).problem == .header)
    }

    @Test("A target with a long run of marks is rejected, raw or percent-encoded, in the path or the query")
    func targets() {
        let encoded = String(repeating: "%CC%81", count: 31)
        for target in [
            "/\(encoded)", "/x?q=\(encoded)", "/x?\(encoded)=1", "/x?q=" + String(repeating: "\u{301}", count: 31),
        ] {
            let checked = seen(head(target))
            #expect(checked.problem == .marks)
            #expect(checked.request.head.path?.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "%") } == true)
        }
        let allowed = head("/x?q=" + String(repeating: "%CC%81", count: 30))
        #expect(seen(allowed).problem == nil)
        #expect(seen(allowed).request.head == allowed)
    }

    @Test("A target is refused by its length before anything else is done with it")
    func length() {
        func path(_ count: Int) -> String { "/" + String(repeating: "a", count: count - 1) }
        func query(_ count: Int) -> String { String(repeating: "a", count: count) }
        let (longestPath, longestQuery) = (path(Limits.pathBytes), query(Limits.queryBytes))
        for target in [longestPath, "\(longestPath)?\(longestQuery)", "/?\(longestQuery)"] {
            #expect(seen(head(target)).problem == nil)
        }
        for target in [
            path(Limits.pathBytes + 1), "\(path(Limits.pathBytes + 1))?a", "/?\(query(Limits.queryBytes + 1))",
            "\(longestPath)?\(longestQuery)a", "/" + String(repeating: "%CC%81", count: 5_000),
        ] {
            let checked = seen(head(target, [.accept: "\u{e9}"]))
            #expect(checked.problem == .length)
            #expect(checked.request.head.path == "/")
            #expect(checked.request.headers[.accept] == nil)
        }
    }

    @Test("A path that is too long gets 414, as JSON, page and HEAD, also below a route")
    func tooLong() async throws {
        try await withSite(
            routes: { routes in routes.open.get("/seen/{id}") { _, _ in Response(status: .ok) } },
            { site async throws in
                let path = "/seen/" + String(repeating: "a", count: Limits.pathBytes)
                let json = try await site.get(path, .json)
                #expect(json.status.code == 414)
                #expect(json.text.contains("\"code\":\"malformed\""))
                let page = try await site.get(path, .browser)
                #expect(page.status.code == 414)
                #expect(page.text.contains("This address is too long."))
                #expect(try await site.send(.head, path).status.code == 414)
                #expect(try await site.send(.post, path).status.code == 414)
                #expect(try await site.get("/seen/a?\(String(repeating: "a", count: 20_000))").status.code == 414)
                #expect(try await site.get("/seen/\(String(repeating: "a", count: 1_000))").status == .ok)
            })
    }

    @Test("each query value with U+0000 is named")
    func null() {
        #expect(seen(head("/x?after=%00x&limit=5&from=a%00")).problem == .null(names: ["after", "from"]))
        #expect(seen(head("/x?%00=1")).problem == nil)
        #expect(seen(head("/x%00?a=1")).problem == nil)
    }

    @Test("Rejected requests don't reach routes, and get the error as JSON, page and HEAD")
    func routes() async throws {
        try await withSite(
            routes: { routes in
                routes.open.get("/seen") { request, context in
                    #expect(request.headers[.acceptLanguage] == nil)
                    return Response(status: .ok)
                }
            },
            { site async throws in
                #expect(try await site.get("/seen", [.acceptLanguage: "de\u{301}"]).status == .ok)
                let refused = try await site.get("/seen", .json.adding(.idempotencyKey, "\u{e9}"))
                #expect(refused.status == .badRequest)
                #expect(refused.text.contains("\"code\":\"malformed\""))
                let page = try await site.get("/seen?x=\(String(repeating: "%CC%81", count: 31))", .browser)
                #expect(page.status == .badRequest)
                #expect(page.text.contains("This address has too many combining marks in a row."))
                #expect(page.headers[.contentSecurityPolicy] != nil)
            })
    }

    /// The processor time of this thread. Unlike the time of day, it doesn't grow while other work runs.
    private static var threadSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The least processor time of three tries, in seconds.
    private func cost(_ work: () throws -> Void) rethrows -> Double {
        try (0..<3).map { _ in
            let start = Self.threadSeconds
            try work()
            return Self.threadSeconds - start
        }.min() ?? 0
    }

    @Test("Sixteen times as many marks cost about sixteen times as much, not 256 times")
    func costGrowsWithLength() throws {
        let short = String(repeating: "\u{301}\u{323}", count: 1_500)
        let long = String(repeating: "\u{301}\u{323}", count: 16 * 1_500)
        let works: [(String) throws -> Void] = [
            { run in _ = try? Fields.json(Array("{\"\(run)\":1,\"\(run)x\":2}".utf8), .english) },
            { run in
                var fields = try Fields.json(Array("{\"name\":\"\(run)\",\"kind\":\"\(run)\"}".utf8), .english)
                #expect(fields.string("name") == .absent)
                #expect(fields.boolean("kind") == .absent)
                _ = fields.plainDigest
            },
            { run in _ = URLEncodedForm.fields(of: Array("a=\(run)&\(run)=b".utf8)) },
            { run in
                let head = head("/x?q=\(run)", [.accept: run, .acceptLanguage: run, .cookie: "a=\(run)"])
                let checked = seen(head)
                _ = ResponseFormat(of: checked.request.head)
                _ = Language.preferred(by: checked.request.headers[.acceptLanguage])
                _ = Cookies.value(of: "homeward-session", in: checked.request.headers)
            },
            { run in
                let line = "Content-Disposition: form-data; name=\"\(run)\"; filename=\"\(run)\""
                #expect(throws: MultipartParser.Failure.malformed) { try MultipartHeaders.part(line) }
            },
        ]
        for (index, work) in works.enumerated() {
            // Half of the exponent between linear and quadratic. Another try only helps against a disturbed one.
            var factors: [Double] = []
            repeat {
                factors.append(try cost { try work(long) } / cost { try work(short) })
            } while factors.last ?? 0 >= 64 && factors.count < 3
            #expect(factors.contains { $0 < 64 }, "\(index): \(factors)")
        }
    }

    @Test(
        "Headers and bodies with tens of thousands of marks get a response",
        .timeLimit(.minutes(1)))
    func longRuns() async throws {
        let run = String(repeating: "\u{301}\u{323}", count: 24_000)
        let escaped = String(repeating: "\\u0301", count: 16_000)
        let encoded = String(repeating: "%CC%81", count: 16_000)
        let bodies: [(HTTPFields, String, Int)] = [
            (.json, "{\"\(run)\":1}", 400), (.json, "{\"\(escaped)\":1}", 400), (.json, "{\"name\":\"\(run)\"}", 422),
            (.json, "{\"name\":\"\(escaped)\"}", 422), (.form, "\(encoded)=1", 400), (.form, "name=\(encoded)", 422),
            (.form, "name=\(run)", 422),
        ]
        try await withSite(
            routes: { routes in
                routes.open.post("/names") { request, context in
                    var fields = try await Fields.read(request, context)
                    _ = fields.require("name")
                    try fields.check()
                    return Response(status: .ok)
                }
            },
            { site async throws in
                for (headers, body, status) in bodies {
                    let answer = try await site.send(.post, "/names", headers.adding(.accept, "application/json"), body)
                    #expect(answer.status.code == status, "\(body.prefix(20))")
                    if status == 422 { #expect(answer.text.contains("Too many marks are on one letter.")) }
                }
                for name in [HTTPField.Name.accept, .acceptLanguage, .cookie, .userAgent, .referer] {
                    _ = try await site.get("/names", HTTPFields.json.adding(name, "x\(run)"))
                }
            })
    }
}
