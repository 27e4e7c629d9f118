import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Storage
import Testing

@testable import WebCore

@Suite("Responses")
struct ResponsesTests {
    private struct Thing: Encodable, Sendable {
        let name: String
        @Nullable var pictureId: String?
    }

    private struct Page: Sendable {
        let shell: Shell
        let name: String
        let errors: FormErrors
    }

    private static let files = [
        "templates/thing.mustache": "{{<shell}}{{$main}}{{>thing-part}}{{/main}}{{/shell}}",
        "templates/thing-part.mustache":
            "<p id=\"thing\">{{name}}{{#errors.name}}<i>{{.}}</i>{{/errors.name}}{{#errors.a.b}}<b>{{.}}</b>{{/errors.a.b}}</p>",
    ]
    private static let menu = AppMenu(
        id: "home", name: "Homeward", tabs: [.init(id: "home", label: "Home", icon: "house", url: "/")]
    )

    private static let routes: @Sendable (Routes) -> Void = { routes in
        routes.open.get("/thing") { _, context in
            try Responses.of(
                context, template: "thing", fragment: "thing-part", version: 3,
                page: { Page(shell: Shell(context, title: "Thing", menu: menu), name: "<Keys>", errors: .none) },
                json: { Thing(name: "Keys", pictureId: nil) }
            )
        }
        routes.open.post("/thing") { request, context in
            var fields = try await Fields.read(request, context)
            let name = fields.require("name")
            if name == "short" { fields.addError("a.b", "Deep.") }
            let typed = fields.typed("name")
            return try await Responses.form(
                context, template: "thing", fragment: "thing-part",
                page: { error in
                    Page(shell: Shell(context, title: "Thing", menu: menu), name: typed, errors: FormErrors(error))
                },
                perform: { [fields] in
                    try fields.check()
                    return try Responses.created(
                        context, location: "/thing/1", json: { Thing(name: name) }, seeOther: "/thing", toast: "Säved"
                    )
                }
            )
        }
        routes.signedIn.patch("/thing") { request, context in
            let fields = try await Fields.read(request, context)
            let change = try context.change(fields)
            let key = change.idempotency?.key ?? "none"
            let version = try context.ifMatch().map { "\($0)" } ?? "any"
            return try Responses.json(context, ["key": key, "version": version])
        }
        routes.open.get("/stream") { _, context in
            let chunks = AsyncStream<[UInt8]> { continuation in
                continuation.yield(Array("a part".utf8))
                continuation.finish()
            }
            return Responses.stream(context, mediaType: "text/csv", filename: "a.csv", chunks: chunks)
        }
        routes.open.get("/list") { _, context in
            let paging = try context.paging()
            return try Responses.json(context, ListJSON(items: [paging.limit], next: paging.after))
        }
    }

    @Test("One handler returns a page, a fragment or JSON")
    func faces() async throws {
        try await withSite(files: Self.files, routes: Self.routes) { site async throws in
            let page = try await site.get("/thing", .browser)
            #expect(page.text.hasPrefix("<!doctype html>"))
            #expect(page.text.contains("<p id=\"thing\">&lt;Keys&gt;</p>"))
            #expect(page.headers[.eTag] == "\"3\"")
            let fragment = try await site.get("/thing", HTTPFields.browser.adding(.hxRequest, "true"))
            #expect(fragment.text == "<p id=\"thing\">&lt;Keys&gt;</p>")
            let boosted = HTTPFields.browser.adding(.hxRequest, "true").adding(.hxBoosted, "true")
            #expect(try await site.get("/thing", boosted).text.hasPrefix("<!doctype html>"))
            let json = try await site.get("/thing", .json)
            #expect(json.text == #"{"name":"Keys","pictureId":null}"#)
            #expect(json.headers[.eTag] == "\"3\"")
        }
    }

    @Test("HEAD has the headers of GET and no body")
    func head() async throws {
        try await withSite(files: Self.files, routes: Self.routes) { site async throws in
            let get = try await site.get("/thing", .json)
            let head = try await site.send(.head, "/thing", .json)
            #expect(head.status == .ok)
            #expect(head.headers[.contentLength] == get.headers[.contentLength])
            #expect(head.body.readableBytes == 0)
        }
    }

    @Test("HEAD of a stream has no Content-Length")
    func headOfStream() async throws {
        try await withSite(.live, files: Self.files, routes: Self.routes) { site async throws in
            #expect(try await site.get("/stream").text == "a part")
            let head = try await site.send(.head, "/stream")
            #expect(head.status == .ok)
            #expect(head.headers[.contentType] == "text/csv")
            #expect(head.headers[.contentDisposition]?.hasPrefix("attachment") == true)
            #expect(head.headers[.contentLength] == nil)
            // Otherwise the end of a chunked body would follow, which HEAD doesn't have.
            #expect(head.headers[.connection] == "close")
        }
    }

    @Test("An invalid form returns with its errors and the entered values; a program gets the fields")
    func formErrors() async throws {
        try await withSite(files: Self.files, routes: Self.routes) { site async throws in
            let page = try await site.send(.post, "/thing", .form, "name=")
            #expect(page.status == .unprocessableContent)
            #expect(page.text.contains("<i>This is needed.</i>"))
            let deep = try await site.send(.post, "/thing", .form.adding(.hxRequest, "true"), "name=short")
            #expect(deep.status == .unprocessableContent)
            #expect(deep.text == "<p id=\"thing\">short<b>Deep.</b></p>")
            let json = try await site.send(.post, "/thing", .json, "{}")
            #expect(json.status == .unprocessableContent)
            #expect(json.text.contains(#""fields":{"name":"This is needed."}"#))
        }
    }

    @Test(
        "A form redirects, and the next page shows its toast once",
        arguments: ["http://localhost:8080", "https://home.example"])
    func toast(url: String) async throws {
        try await withSite(url: url, files: Self.files, routes: Self.routes) { site async throws in
            let post = try await site.send(.post, "/thing", .form, "name=Keys")
            #expect(post.status == .seeOther)
            #expect(post.headers[.location] == "/thing")
            let cookie = try #require(post.headers[.setCookie]?.split(separator: ";").first.map(String.init))
            // On HTTPS, another host of the domain can't set it.
            let name = site.web.site.isSecure ? "__Host-homeward-toast" : "homeward-toast"
            #expect(cookie.hasPrefix("\(name)="))
            #expect(post.headers[.setCookie]?.contains("; Secure") == site.web.site.isSecure)
            let reader = HTTPFields.browser.adding(.cookie, cookie)
            // A request that only caches the page leaves the toast to the page that is shown.
            let kept = try await site.get("/thing", reader.adding(.secFetchMode, "cors"))
            #expect(!kept.text.contains("Säved"))
            #expect(kept.headers[.setCookie] == nil)
            let page = try await site.get("/thing", reader)
            #expect(page.text.contains("<span hx-disable>Säved</span>"))
            let cleared = try #require(page.headers[.setCookie])
            #expect(cleared.hasPrefix("\(name)=;") && cleared.contains("; Max-Age=0"))
            #expect(try await !site.get("/thing", .browser).text.contains("Säved"))
            let htmx = try await site.send(.post, "/thing", .form.adding(.hxRequest, "true"), "name=Keys")
            #expect(htmx.status == .ok)
            #expect(htmx.headers[.hxRedirect] == "/thing")
            let json = try await site.send(.post, "/thing", .json, #"{"name":"Keys"}"#)
            #expect(json.status == .created)
            #expect(json.headers[.location] == "/thing/1")
            #expect(json.headers[.setCookie] == nil)
        }
    }

    @Test("A toast that a client forged can't link to another site")
    func forgedToast() async throws {
        try await withSite(files: Self.files, routes: Self.routes) { site async throws in
            let toast = ShellToast("<b>", undoURL: "https://evil.example/")
            let cookie = "\(SiteCookie.toast.name(on: site.web.site))=\(Flash.encoded(toast))"
            let page = try await site.get("/thing", HTTPFields.browser.adding(.cookie, cookie))
            #expect(!page.text.contains("evil.example"))
        }
    }

    @Test("Idempotency key and expected version are read from header or form")
    func changes() async throws {
        try await withSite(files: Self.files, routes: Self.routes) { site async throws in
            site.sessions.signIn("b", kind: .bearer)
            let json = HTTPFields.json.adding(.authorization, "Bearer b")
            func patch(_ headers: HTTPFields, _ body: String = "{}") async throws -> TestResponse {
                try await site.send(.patch, "/thing", headers, body)
            }
            #expect(try await patch(json).text == #"{"key":"none","version":"any"}"#)
            let keyed = json.adding(.idempotencyKey, "k1").adding(.ifMatch, "\"7\"")
            #expect(try await patch(keyed).text == #"{"key":"k1","version":"7"}"#)
            #expect(try await patch(json.adding(.ifMatch, "*")).text.contains("any"))
            #expect(try await patch(json.adding(.ifMatch, "W/\"7\"")).status == .conflict)
            let long = String(repeating: "k", count: 201)
            #expect(try await patch(json.adding(.idempotencyKey, long)).status == .unprocessableContent)
            let form = HTTPFields.form.adding(.authorization, "Bearer b").adding(.accept, "application/json")
            let typed = try await site.send(.post, "/thing?_method=patch", form, "idempotencyKey=k2")
            #expect(typed.text.contains(#""key":"k2""#))
            // In JSON the key is a header; a member of that name is an ordinary member.
            #expect(try await patch(json, #"{"idempotencyKey":"k3"}"#).text.contains("none"))
        }
    }

    @Test(
        "A list's limit is 1 to 200, by default 50",
        arguments: [
            ("", 50), ("?limit=1", 1), ("?limit=200", 200), ("?limit=", nil), ("?limit=0", nil), ("?limit=201", nil),
            ("?limit=-1", nil), ("?limit=x", nil), ("?limit=9999999999999999999", nil),
        ] as [(String, Int?)])
    func paging(_ query: String, _ limit: Int?) async throws {
        try await withSite(routes: Self.routes) { site async throws in
            let response = try await site.get("/list" + query, .json)
            if let limit {
                #expect(response.text == "{\"items\":[\(limit)],\"next\":null}")
            } else {
                #expect(response.status == .unprocessableContent)
                #expect(response.text.contains("\"limit\":"))
            }
            #expect(try await site.get("/list?after=a%2Bb+c", .json).text.contains(#""next":"a+b c""#))
        }
    }

    @Test("Pages and errors are in the reader's language")
    func language() async throws {
        try await withSite(files: Self.files, routes: Self.routes) { site async throws in
            let german = HTTPFields.browser.adding(.acceptLanguage, "it, de-AT;q=0.8, en;q=0.5")
            #expect(try await site.get("/thing", german).text.contains("<html lang=\"de\""))
            #expect(try await site.get("/nothing", german).text.contains("Es wurde gelöscht, oder die Adresse"))
            site.sessions.signIn("c", kind: .cookie, language: "en")
            let english = german.adding(.cookie, "homeward-session=c")
            #expect(try await site.get("/thing", english).text.contains("<html lang=\"en\""))
        }
    }
}
