import Accounts
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Testing

@testable import WebCore

@Suite("Offline pages: what the server sends to the service worker")
struct OfflineTests {
    private struct Told: Decodable {
        let version: String
        let folder: String
        let assets: [String: String]
        let pages: Int
        let pictures: Int
    }

    private static func told(_ script: String) throws -> Told {
        let line = try #require(script.split(separator: "\n").first { $0.hasPrefix("self.homeward") })
        let json = line.dropFirst("self.homeward = ".count).dropLast()
        return try JSONDecoder().decode(Told.self, from: Data(json.utf8))
    }

    @Test("The worker's script is revalidated each time, and may load nothing from other sites")
    func script() async throws {
        try await withSite { site async throws in
            let answer = try await site.get("/service-worker.js")
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "text/javascript; charset=utf-8")
            #expect(answer.headers[.cacheControl] == "no-cache")
            let policy = try #require(answer.headers[.contentSecurityPolicy])
            #expect(policy == "default-src 'none'; script-src 'self'; connect-src 'self'")
            let told = try Self.told(answer.text)
            #expect(told.folder == site.web.files.folder)
            #expect(told.folder == "/static/\(told.version)")
            #expect(told.pages == Limits.offlinePages)
            #expect(told.pictures == Limits.offlinePictures)
            #expect(
                answer.text.contains(
                    "importScripts(\"\(told.folder)/js/queue.js\", \"\(told.folder)/js/worker-offline.js\""))
        }
    }

    @Test("Its list has every style and script that a page needs, each with its hash")
    func assets() async throws {
        try await withSite { site async throws in
            let told = try Self.told(try await site.get("/service-worker.js").text)
            for name in [
                "css/all.css", "js/app.js", "js/map.js", "js/libraries.js",
            ] {
                #expect(told.assets[name] != nil, "\(name)")
            }
            #expect(told.assets["vendor/world.json"] == nil, "large, and only for maps")
            #expect(told.assets["vendor/icons.svg"] == nil, "pages bring their icons")
            for (name, tag) in told.assets {
                let answer = try await site.get("\(told.folder)/\(name)")
                let digest = SHA256.hash(data: Array(answer.body.readableBytesView))
                let text = digest.prefix(8).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
                #expect(text == tag, "\(name)")
            }
        }
    }

    @Test("Its list omits the scripts that only re-export joined modules")
    func standIns() async throws {
        try await withSite { site async throws in
            let told = try Self.told(try await site.get("/service-worker.js").text)
            let standIns = site.web.files.standIns
            #expect(standIns.isSuperset(of: ["js/form.js", "js/toast.js", "js/live.js"]))
            #expect(standIns.isDisjoint(with: told.assets.keys))
            #expect(told.assets["js/queue.js"] != nil && told.assets["js/lock-early.js"] != nil)
        }
    }

    @Test("Another limit makes another script with another tag")
    func tag() async throws {
        try await withSite { site async throws in
            let first = try OfflineRoutes.script(site.web.files)
            let second = try OfflineRoutes.script(site.web.files, pages: Limits.offlinePages + 1)
            #expect(OfflineRoutes.tag(of: first) != OfflineRoutes.tag(of: second))
            let answer = try await site.get("/service-worker.js")
            #expect(answer.headers[.eTag] == OfflineRoutes.tag(of: first))
        }
    }

    private static let module = { @Sendable (routes: Routes) in
        routes.everyone.get("/notes/{id}") { _, context in Responses.text(context, "note") }
        routes.everyone.get("/notes/{id}/track") { _, context in
            Responses.text(context, "<gpx/>", mediaType: "application/gpx+xml")
        }
        routes.everyone.get("/codes") { _, context in Responses.text(context, "code") }
        routes.everyone.get("/broken/{id}") { _, _ -> Response in throw AppError.notFound }
        routes.open.get("/welcome") { _, context in Responses.text(context, "welcome") }
        routes.everyone.post("/notes/{id}") { _, context in Responses.text(context, "changed") }
    }

    @Test("Only routes that their module named may be cached, and only for an account")
    func marks() async throws {
        try await withSite(
            offlinePaths: ["/notes/{id}", "/notes/{id}/track", "/broken/{id}", "/welcome"], routes: Self.module
        ) { site async throws in
            let identity = site.sessions.signIn("mia", kind: .cookie)
            site.sessions.signIn("program", kind: .bearer)
            let cookie: HTTPFields = [.cookie: "homeward-session=mia", .accept: "text/html"]
            let mark = HTTPField.Name.homewardOffline
            let owner = HTTPField.Name.homewardAccount

            let note = try await site.get("/notes/1", cookie)
            #expect(note.headers[mark] == "keep")
            #expect(note.headers[owner] == "\(identity.account.id)")
            #expect(try await site.get("/notes/1/track", cookie).headers[mark] == nil, "a download")
            let code = try await site.get("/codes", cookie)
            #expect(code.headers[mark] == nil, "the response doesn't allow caching")
            #expect(code.headers[owner] == "\(identity.account.id)")
            let broken = try await site.get("/broken/1", cookie)
            #expect(broken.status == .notFound)
            #expect(broken.headers[mark] == nil)
            #expect(broken.headers[owner] == "\(identity.account.id)")
            let signedOutResponse = try await site.get("/welcome", [.accept: "text/html"])
            #expect(signedOutResponse.headers[mark] == nil)
            #expect(
                signedOutResponse.headers[owner] == "none", "so that the browser deletes the earlier account's pages")
            #expect(try await site.get("/welcome", cookie).headers[mark] == "keep")
            let refused = try await site.get("/notes/1", [.accept: "text/html"])
            #expect(refused.headers[mark] == nil)
            #expect(refused.headers[owner] == "none")
            let program = try await site.get("/notes/1", [.authorization: "Bearer program"])
            #expect(program.headers[owner] == nil)
        }
    }

    @Test("A change that one person queued isn't made for another")
    func owners() async throws {
        try await withSite(offlinePaths: [], routes: Self.module) { site async throws in
            let mia = site.sessions.signIn("mia", kind: .cookie)
            let ben = site.sessions.signIn("ben", kind: .cookie)
            let fields = { (account: String) -> HTTPFields in
                [
                    .cookie: "homeward-session=mia", .accept: "application/json", .homewardAccount: account,
                    .secFetchSite: "same-origin",
                ]
            }
            #expect(try await site.send(.post, "/notes/1", fields("\(mia.account.id)")).status == .ok)
            let other = try await site.send(.post, "/notes/1", fields("\(ben.account.id)"))
            #expect(other.status == .unauthorized)
        }
    }

    @Test("The fallback page contains no personal data, with or without a session")
    func offlinePage() async throws {
        try await withSite { site async throws in
            let identity = site.sessions.signIn("mia", kind: .cookie)
            let answer = try await site.get("/offline", [.cookie: "homeward-session=mia", .accept: "text/html"])
            #expect(answer.status == .ok)
            #expect(answer.text.contains("No connection"))
            #expect(!answer.text.contains("\(identity.account.id)"))
            #expect(!answer.text.contains("data-live-stream"))
            #expect(answer.headers[.homewardOffline] == nil)
            let german = try await site.get("/offline", [.accept: "text/html", .acceptLanguage: "de"])
            #expect(german.text.contains("Keine Verbindung"))
        }
    }
}

extension Responses {
    fileprivate static func text(
        _ context: some WebContext, _ text: String, mediaType: String = "text/html; charset=utf-8"
    ) -> Response {
        Responses.bytes(context, Array(text.utf8), mediaType: mediaType)
    }
}
