import Accounts
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Notifications
import Server
import Storage
import TestSupport
import Testing
import WebCore

@Suite("Routes of notifications")
struct NotificationRoutesTests {
    private static func tell(
        _ token: String, _ server: ServerHarness, _ kind: NoticeKind = .itemTooFar, subject: String = "Keys",
        resource: String = "/tracking/items"
    ) async throws -> Notice {
        let id = try #require(
            try await server.send(.get, "/account", token: token).object()["id"] as? String)
        let person = try #require(PersonID(id))
        let notice = Notice(
            id: ID(at: server.clock.now, random: SystemRandom()), person: person, kind: kind, resource: resource,
            subject: subject,
            details: [
                "distanceMetres": "23", "place": "60.17,24.94", "lastSeenAt": "2026-03-01T12:00:00.000Z",
                "points": "2", "child": "Tom",
            ], at: server.clock.now)
        try await server.services.database.write { tx in try notice.post(in: tx) }
        return notice
    }

    private static func subscription(_ endpoint: String = "https://fcm.googleapis.com/fcm/send/x") -> String {
        func text(_ bytes: Data) -> String {
            bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        let key = text(P256.KeyAgreement.PrivateKey().publicKey.x963Representation)
        let secret = text(Data(repeating: 1, count: 16))
        return """
            {"endpoint":"\(endpoint)","expirationTime":null,"keys":{"p256dh":"\(key)","auth":"\(secret)"}}
            """
    }

    @Test("The feed as JSON, in the account's language", arguments: Engine.allCases)
    func feed(engine: Engine) async throws {
        try await withServer(engine) { server async throws in
            let mia = try await server.join()
            let ben = try await server.join("ben@example.org")
            let notice = try await Self.tell(mia, server)
            let answer = try await server.send(.get, "/notifications", token: mia).object()
            let items = try #require(answer["items"] as? [[String: Any]])
            #expect(items.count == 1)
            #expect(answer["next"] is NSNull)
            let item = try #require(items.first)
            #expect(Set(item.keys) == ["id", "kind", "title", "body", "resource", "at", "readAt"])
            #expect(item["id"] as? String == notice.id.description)
            #expect(item["kind"] as? String == "itemTooFar")
            #expect(item["title"] as? String == "Keys is 23\u{a0}m away")
            #expect(item["body"] as? String == "Last seen 2026-03-01 12:00 UTC at 60.17000, 24.94000.")
            #expect(item["readAt"] is NSNull)
            #expect(try await server.send(.get, "/notifications/bell", token: mia).object()["unread"] as? Int == 1)
            let others = try await server.send(.get, "/notifications", token: ben).object()
            #expect((others["items"] as? [Any])?.isEmpty == true)
            let denied = try await server.send(.put, "/notifications/reading", #"{"id":"\#(notice.id)"}"#, token: ben)
            #expect(denied.status == .notFound)
            let read = try await server.send(.put, "/notifications/reading", #"{"id":"\#(notice.id)"}"#, token: mia)
            #expect(read.status == .noContent)
            #expect(try await server.send(.get, "/notifications/bell", token: mia).object()["unread"] as? Int == 0)
            for wrong in ["?after=x", "?limit=0", "?limit=201"] {
                let refusal = try await server.send(.get, "/notifications\(wrong)", token: mia)
                #expect(refusal.status == .unprocessableContent)
            }
            #expect(try await server.send(.get, "/notifications").status == .unauthorized)
            _ = try await server.send(.patch, "/account", #"{"language":"de"}"#, token: mia)
            let german = try await server.send(.get, "/notifications", token: mia)
            #expect(german.html.contains("Keys ist 23\u{a0}m entfernt"))
        }
    }

    @Test("A browser's subscription is validated, stored and deleted", arguments: Engine.allCases)
    func subscriptions(engine: Engine) async throws {
        try await withServer(engine) { server async throws in
            let mia = try await server.join()
            let path = "/notifications/subscription"
            func isOn() async throws -> Bool? {
                try await server.send(.get, "/account/notifications", token: mia).object()["subscribed"] as? Bool
            }
            #expect(try await server.send(.delete, path, token: mia).status == .notFound)
            #expect(try await server.send(.post, "/notifications/test", token: mia).status == .conflict)
            for (body, field) in [
                (#"{}"#, "endpoint"), (#"{"endpoint":5,"keys":{"p256dh":"a","auth":"b"}}"#, "endpoint"),
                (Self.subscription("https://169.254.169.254/latest"), "endpoint"),
                (Self.subscription("https://example.org/push"), "endpoint"),
                (#"{"endpoint":"https://fcm.googleapis.com/x"}"#, "keys.p256dh"),
                (#"{"endpoint":"https://fcm.googleapis.com/x","keys":{"p256dh":"AA","auth":"AA"}}"#, "keys.auth"),
                (#"{"endpoint":"https://fcm.googleapis.com/x","keys":[]}"#, "keys.p256dh"),
            ] {
                let refusal = try await server.send(.put, path, body, token: mia)
                #expect(refusal.status == .unprocessableContent, "\(body)")
                let fields = try refusal.error()["fields"] as? [String: Any]
                #expect(fields?[field] != nil, "\(body) \(refusal.html)")
            }
            for endpoint in [
                "http://fcm.googleapis.com/fcm/send/x", "https://127.0.0.1/x", "https://localhost/x",
                "https://fcm.googleapis.com:8443/x", "https://user@fcm.googleapis.com/x",
                "https://fcm.googleapis.com.example.org/x", "file:///etc/passwd", "",
            ] {
                let refusal = try await server.send(.put, path, Self.subscription(endpoint), token: mia)
                #expect(refusal.status == .unprocessableContent, "\(endpoint)")
                #expect(try refusal.errorFields() == ["endpoint"], "\(endpoint)")
            }
            let valid = Self.subscription()
            let damaged: [(body: String, field: String)] = [
                (valid.replacing(#""https://fcm.googleapis.com/fcm/send/x""#, with: "null"), "endpoint"),
                (valid.replacing(#/"p256dh":"[^"]*"/#, with: #""p256dh":"AAAA""#), "keys.p256dh"),
                (valid.replacing(#/"auth":"[^"]*"/#, with: #""auth":"AAAA""#), "keys.auth"),
            ]
            for (body, field) in damaged {
                let refusal = try await server.send(.put, path, body, token: mia)
                #expect(refusal.status == .unprocessableContent, "\(body)")
                #expect(try refusal.errorFields() == [field], "\(body)")
            }
            #expect(try await isOn() == false)
            #expect(try await server.send(.put, path, Self.subscription(), token: mia).status == .noContent)
            #expect(try await isOn() == true)
            #expect(try await server.send(.post, "/notifications/test", token: mia).status == .noContent)
            #expect(try await server.send(.delete, path, token: mia).status == .noContent)
            #expect(try await isOn() == false)
        }
    }

    @Test("Signing a device out deletes its push subscription", arguments: Engine.allCases)
    func signedOut(engine: Engine) async throws {
        try await withServer(engine) { server async throws in
            let mia = try await server.join()
            let signedIn = try await server.send(
                .post, "/session", #"{"email":"mia@example.org","password":"correct horse"}"#)
            let phone = try #require(try signedIn.object()["token"] as? String)
            let subscribed = try await server.send(
                .put, "/notifications/subscription", Self.subscription(), token: phone)
            #expect(subscribed.status == .noContent)
            #expect(try await server.services.database.count("push_subscription") == 1)
            let sessions = try await server.send(.get, "/account/sessions", token: mia).object()
            let items = try #require(sessions["items"] as? [[String: Any]])
            for session in items where session["current"] as? Bool == false {
                let id = try #require(session["id"] as? String)
                let ended = try await server.send(.delete, "/account/sessions/\(id)", token: mia)
                #expect(ended.status == .noContent)
            }
            #expect(try await server.services.database.count("push_subscription") == 0)
        }
    }

    @Test("The chosen kinds and the level of detail are stored", arguments: Engine.allCases)
    func settings(engine: Engine) async throws {
        try await withServer(engine) { server async throws in
            let mia = try await server.join()
            let path = "/account/notifications"
            let first = try await server.send(.get, path, token: mia).object()
            #expect((first["kinds"] as? [String])?.count == 47)
            #expect(first["hidesDetails"] as? Bool == false)
            #expect((first["publicKey"] as? String)?.utf8.count == 87)
            let changed = try await server.send(
                .patch, path, #"{"kinds":["levelReached"],"hidesDetails":true}"#, token: mia)
            #expect(try changed.object()["kinds"] as? [String] == ["levelReached"])
            // A page of an earlier version offered parents a kind that only children receive.
            let before = try await server.send(.patch, path, #"{"kinds":["choreAssigned","levelReached"]}"#, token: mia)
            #expect(try before.object()["kinds"] as? [String] == ["levelReached"])
            // Omitted fields stay.
            let kept = try await server.send(.patch, path, #"{"hidesDetails":false}"#, token: mia).object()
            #expect(kept["kinds"] as? [String] == ["levelReached"])
            for wrong in [#"{"kinds":["test"]}"#, #"{"kinds":["x"]}"#, #"{"kinds":"x"}"#, #"{"hidesDetails":1}"#] {
                let refusal = try await server.send(.patch, path, wrong, token: mia)
                #expect(refusal.status == .unprocessableContent, "\(wrong)")
            }
        }
    }

    @Test("A child has its own feed, and only the kinds that children receive")
    func children() async throws {
        try await withChildren { fixture async throws in
            _ = try await Self.tell(fixture.parent, fixture.server)
            _ = try await Self.tell(
                fixture.token, fixture.server, .choreAssigned, subject: "Dishes",
                resource: "/family/children/\(fixture.child)")
            let answer = try await fixture.asChild(.get, "/notifications").object()
            let items = try #require(answer["items"] as? [[String: Any]])
            #expect(items.compactMap { $0["title"] as? String } == ["Dishes: 2 points"])
            let page = try await fixture.browse(.get, "/notifications").html
            #expect(page.contains("Dishes: 2 points") && !page.contains("Keys"))
            let settings = try await fixture.asChild(.get, "/account/notifications").object()
            #expect(
                settings["kinds"] as? [String] == [
                    "choreAssigned", "choreDeclined", "pointsUndone", "contractAdded", "purchaseDecided",
                    "wishDecided", "levelReached", "choreCounted", "goalReached", "choreTurn", "choreDue",
                    "weekReviewed", "chorePause", "positionShared",
                ])
            let refusal = try await fixture.asChild(.patch, "/account/notifications", #"{"kinds":["itemTooFar"]}"#)
            #expect(refusal.status == .unprocessableContent)
            let bell = try await fixture.browse(.get, "/notifications/bell", isFragment: true).html
            #expect(bell.contains("1 unread"))
        }
    }

    @Test("The page marks and links unread notifications, and works without scripts")
    func page() async throws {
        try await withServer { server async throws in
            let answer = try await server.client.executeRequest(
                uri: "/accounts", method: .post,
                headers: HTTPFields.page.with(form: true),
                body: .init(string: "name=Mia&email=mia@example.org&password=correct+horse"))
            let cookie = try #require(answer.sessionCookie)
            func get(_ uri: String) async throws -> TestResponse {
                try await server.client.executeRequest(
                    uri: uri, method: .get, headers: .browser(cookie), body: nil)
            }
            #expect(try await get("/notifications").html.contains("Nothing yet"))
            let people = try await server.services.accounts.administrators.accounts(after: nil, limit: 1)
            let person = try #require(people.first?.id)
            let notice = Notice(
                id: ID(at: server.clock.now, random: SystemRandom()), person: person, kind: .packageAccepted,
                resource: "/carrepsa/packages/1", subject: "<b>Lamp</b>", details: ["who": "Ben"],
                at: server.clock.now)
            try await server.services.database.write { tx in try notice.post(in: tx) }
            let page = try await get("/notifications").html
            #expect(page.contains("Ben will carry “&lt;b&gt;Lamp&lt;/b&gt;”."))
            #expect(page.contains("href=\"/carrepsa/packages/1\""))
            #expect(page.contains("is-unread"))
            let marked = try await server.client.executeRequest(
                uri: "/notifications/reading?_method=put", method: .post,
                headers: HTTPFields.browser(cookie).with(form: true),
                body: .init(string: "until=\(notice.at.rfc3339)"))
            #expect(marked.status == .seeOther)
            #expect(try await !get("/notifications").html.contains("is-unread"))
            let saved = try await server.client.executeRequest(
                uri: "/account/notifications?_method=patch", method: .post,
                headers: HTTPFields.browser(cookie).with(form: true),
                body: .init(
                    string: try await get("/account/notifications").html
                        .matches(of: #/name="shown" value="(\w+)"/#).map { "shown=\($0.output.1)&" }.joined()
                        + "kinds=levelReached"))
            #expect(saved.status == .seeOther)
            let settings = try await get("/account/notifications").html
            #expect(settings.matches(of: #/name="kinds" value="\w+" checked/#).count == 1)
        }
    }

    @Test("The settings page turns a kind off and hides details, and shows both afterwards")
    func switches() async throws {
        try await withServer { server async throws in
            let mia = try await server.join()
            let page = SettingsPage(server: server, token: mia)
            let shown = try await page.html().matches(of: #/name="shown" value="(\w+)"/#).map { String($0.output.1) }
            #expect(shown.contains("itemTooFar") && shown.contains("levelReached"))
            let form = shown.map { "shown=\($0)" } + shown.filter { $0 != "itemTooFar" }.map { "kinds=\($0)" }
            let saved = try await page.save((form + ["hidesDetails=on"]).joined(separator: "&"))
            #expect(try Reply(saved).toast() == "Saved")
            let after = try await page.html()
            #expect(after.contains("name=\"kinds\" value=\"itemTooFar\">"))
            #expect(after.contains("name=\"kinds\" value=\"levelReached\" checked>"))
            #expect(after.contains("name=\"hidesDetails\" aria-describedby=\"hide-details-note\" checked>"))
            #expect(try await page.settings()["hidesDetails"] as? Bool == true)
            let kinds = try await page.kinds()
            #expect(!kinds.contains("itemTooFar") && kinds.contains("levelReached"))
        }
    }

    @Test("The settings page shows the kinds of the apps in use, and saving it keeps the others")
    func kindsOfUsedApps() async throws {
        try await withServer { server async throws in
            let mia = try await server.join()
            let page = SettingsPage(server: server, token: mia)
            #expect(try await page.html().contains("value=\"packageAccepted\""))
            let item = try await server.send(.post, "/tracking/items", #"{"name":"Keys"}"#, token: mia)
            #expect(item.status == .created)
            let settings = try await page.html()
            #expect(settings.contains("name=\"kinds\" value=\"itemTooFar\""))
            for kind in ["packageAccepted", "choreRequested", "levelReached"] {
                #expect(!settings.contains("value=\"\(kind)\""))
            }
            let before = try await page.kinds()
            #expect(before.contains("packageAccepted"))
            try await page.save("shown=itemTooFar")
            #expect(try await page.kinds() == before.filter { $0 != "itemTooFar" })
        }
    }

    @Test("An open settings page of an earlier version leaves kinds that it doesn't know unchanged")
    func oldForm() async throws {
        try await withServer { server async throws in
            let mia = try await server.join()
            let page = SettingsPage(server: server, token: mia)
            let offered = try await page.kinds()
            let old = [
                "itemTooFar", "packageAccepted", "packagePickedUp", "packageDelivered", "packageDeadlineNear",
                "levelReached",
            ]
            let new = offered.filter { !old.contains($0) }
            #expect(new.count == offered.count - old.count && !new.isEmpty)
            // First all switches of the old page are off, then all on. It offered parents a child's kind as well.
            try await page.save("hidesDetails=on")
            #expect(try await page.kinds() == new)
            try await page.save((old + ["choreAssigned"]).map { "kinds=\($0)" }.joined(separator: "&"))
            #expect(try await page.kinds() == offered)
            // Kinds that were off stay off.
            let off = try await server.send(.patch, SettingsPage.path, #"{"kinds":["itemTooFar"]}"#, token: mia)
            #expect(off.status == .ok)
            try await page.save("kinds=itemTooFar&kinds=packageAccepted")
            #expect(try await page.kinds() == ["itemTooFar", "packageAccepted"])
        }
    }

    @Test("The service worker is revalidated each time and states its version")
    func serviceWorker() async throws {
        try await withServer { server async throws in
            let answer = try await server.browse("/service-worker.js")
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "text/javascript; charset=utf-8")
            #expect(answer.headers[.cacheControl] == "no-cache")
            #expect(answer.html.hasPrefix("self.assets = \"\(server.server.web.files.folder)\";"))
            let tag = try #require(answer.headers[.eTag])
            let again = try await server.client.executeRequest(
                uri: "/service-worker.js", method: .get, headers: [.ifNoneMatch: tag], body: nil)
            #expect(again.status == .notModified)
        }
    }
}

/// The settings of a person's notifications, as a page and as JSON.
private struct SettingsPage {
    static let path = "/account/notifications"

    let server: ServerHarness
    let token: String

    func html() async throws -> String {
        try await server.client.executeRequest(
            uri: Self.path, method: .get, headers: HTTPFields.page.with(bearer: token), body: nil
        ).html
    }

    func settings() async throws -> [String: Any] {
        try await server.send(.get, Self.path, token: token).object()
    }

    func kinds() async throws -> [String] { try #require(await settings()["kinds"] as? [String]) }

    @discardableResult
    func save(_ form: String) async throws -> TestResponse {
        let saved = try await server.client.executeRequest(
            uri: Self.path + "?_method=patch", method: .post,
            headers: HTTPFields.page.with(form: true).with(bearer: token), body: .init(string: form))
        #expect(saved.status == .seeOther, "\(form)")
        return saved
    }
}

extension HTTPFields {
    fileprivate func with(form: Bool) -> HTTPFields {
        var fields = self
        if form { fields[.contentType] = "application/x-www-form-urlencoded" }
        return fields
    }

    fileprivate func with(bearer token: String) -> HTTPFields {
        var fields = self
        fields[.authorization] = "Bearer \(token)"
        return fields
    }
}
