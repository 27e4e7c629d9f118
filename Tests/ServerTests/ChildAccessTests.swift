import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Pictures
import Server
import TestSupport
import Testing
import WebCore

@Suite("A child's access to routes")
struct ChildAccessTests {
    /// All routes that a child's session may use. A route in this list is open to children: check twice before you add
    /// one.
    private static let childrens: Set<String> = [
        "DELETE /session", "GET /account", "PATCH /account", "GET /account/export", "GET /account/sessions",
        "DELETE /account/sessions/{id}", "GET /events", "GET /pictures", "POST /pictures", "GET /pictures/{id}",
        "DELETE /pictures/{id}",
        "GET /family/menu", "GET /family/children", "GET /family/children/{id}", "PATCH /family/children/{id}",
        "GET /family/children/{id}/contracts", "GET /family/children/{id}/assignments",
        "GET /family/children/{id}/requests", "POST /family/children/{id}/requests",
        "GET /family/children/{id}/requests/{requestId}", "DELETE /family/children/{id}/requests/{requestId}",
        "GET /family/children/{id}/devices", "DELETE /family/children/{id}/devices/{deviceId}",
        "GET /family/chores", "GET /family/chores/{id}", "GET /family/themes", "GET /family/parents",
        "GET /family/swaps", "DELETE /family/swaps/{id}", "PUT /family/swaps/{id}/acceptance",
        "PUT /family/swaps/{id}/approval", "GET /family/children/{id}/swaps/new", "POST /family/children/{id}/swaps",
        "GET /family/today", "PUT /family/children/{id}/turns/{choreId}/{date}",
        "DELETE /family/children/{id}/turns/{choreId}/{date}",
        "GET /family/requests", "GET /family/chores/{id}/requests/new",
        "GET /family/shop", "GET /family/shop/{id}", "GET /family/children/{id}/purchases",
        "GET /family/children/{id}/wishes", "POST /family/children/{id}/wishes",
        "GET /family/children/{id}/wishes/{wishId}", "DELETE /family/children/{id}/wishes/{wishId}",
        "PUT /family/children/{id}/goal", "DELETE /family/children/{id}/goal",
        "POST /family/children/{id}/purchases", "GET /family/children/{id}/purchases/{purchaseId}",
        "DELETE /family/children/{id}/purchases/{purchaseId}",
        "GET /notifications", "GET /notifications/bell", "PUT /notifications/reading",
        "PUT /notifications/subscription", "DELETE /notifications/subscription", "POST /notifications/test",
        "GET /account/notifications", "PATCH /account/notifications",
        "GET /family/account", "GET /family/account/edit", "GET /lock", "PUT /lock/passcode", "DELETE /lock/passcode",
        "POST /lock/unlocking", "DELETE /lock/unlocking", "POST /lock/passkeys/challenge",
        "POST /lock/passkeys/unlocking",
        "GET /my-position", "PUT /my-position", "POST /my-position/shares", "DELETE /my-position/shares",
        "DELETE /my-position/shares/{person}", "DELETE /my-position/requests/{person}",
        "DELETE /my-position/rules/{ruleId}",
    ]

    /// The parent's resources, by the part of a path before their id.
    private struct Things: Sendable {
        let ids: [String: String]
        let otherwise: String

        init(_ fixture: ChildrenFixture) async throws {
            let fox = try #require(BuiltinAvatars.all.first).id
            let chore = try await fixture.made("/family/chores", #"{"name":"Dishes","pictureId":"\#(fox)"}"#)
            let contract = try await fixture.made(
                "/family/children/\(fixture.child)/contracts",
                #"{"maxPoints":10,"levels":[{"reward":"Ice cream","points":1}]}"#
            )
            let assigned = try await fixture.asParent(
                .post, "/family/children/\(fixture.child)/assignments",
                #"{"chores":[{"choreId":"\#(chore)","points":1}]}"#
            )
            let items = try #require(try assigned.object()["items"] as? [[String: Any]], "\(assigned.html)")
            let request = try await fixture.made(
                "/family/children/\(fixture.child)/requests", #"{"choreId":"\#(chore)"}"#, by: fixture.token
            )
            let reward = try await fixture.made("/family/shop", #"{"name":"Zoo","price":1}"#)
            let purchase = try await fixture.made(
                "/family/children/\(fixture.child)/purchases", #"{"rewardId":"\#(reward)"}"#, by: fixture.token
            )
            let item = try await fixture.made("/tracking/items", #"{"name":"Keys"}"#)
            let package = try await fixture.made(
                "/carrepsa/packages",
                #"{"title":"Helmet","from":"Aachen","to":"Bonn","weight":100,"reward":100,"moneyLock":100}"#
            )
            let account = try await fixture.asParent(.get, "/account").object()
            let device = try await ChildrenFixture.open(
                fixture.child, .bearer, fixture.server.services.accounts, fixture.server.services.database,
                fixture.server.clock
            )
            ids = [
                "/family/children/": "\(fixture.child)", "/family/chores/": chore, "/contracts/": contract,
                "/assignments/": try #require(items.first?["id"] as? String), "/requests/": request,
                "/family/shop/": reward, "/purchases/": purchase,
                "/levels/": "1", "/tracking/items/": item, "/carrepsa/packages/": package,
                "/carrepsa/people/": try #require(account["id"] as? String), "/devices/": "\(device.session.id)",
                "/account/sessions/": "\(device.session.id)", "/pictures/": "\(fox)", "/choices/": "theme",
                "/apps/": "family", "/turns/": chore, "/fields/": "name",
            ]
            otherwise = "\(device.session.id)"
        }

        /// The path with ids of existing resources, where there are any.
        func path(_ entry: RouteEntry) -> String {
            entry.path.split(separator: "/").reduce("") { path, step in
                guard step.hasPrefix("{") else { return "\(path)/\(step)" }
                return path + "/" + (ids.first { "\(path)/".hasSuffix($0.key) }?.value ?? otherwise)
            }
        }
    }

    @Test("The routes for children are exactly those in the list")
    func list() async throws {
        try await withServer { server async throws in
            let found = server.server.web.routes.filter { [.signedInOrChild, .signedInOrShared].contains($0.access) }
            #expect(Set(found.map { "\($0.method.rawValue) \($0.path)" }) == Self.childrens)
        }
    }

    @Test("Every other route rejects a child, as page, fragment and JSON, and changes nothing")
    func everyRoute() async throws {
        try await withChildren { fixture async throws in
            let things = try await Things(fixture)
            let watched = [
                "/account", "/account/sessions", "/family/children", "/family/chores", "/family/parents",
                "/family/children/\(fixture.child)/assignments", "/family/children/\(fixture.child)/contracts",
                "/family/children/\(fixture.child)/requests", "/family/shop",
                "/family/children/\(fixture.child)/purchases",
                "/tracking/items", "/tracking/sources",
                "/carrepsa/wallet", "/carrepsa/packages", "/pictures",
            ]
            let state = { () async throws -> [String] in
                var texts: [String] = []
                for uri in watched { texts.append(try await fixture.asParent(.get, uri).html) }
                return texts
            }
            let before = try await state()
            let closed = fixture.server.server.web.routes.filter { $0.access == .signedIn }
            #expect(closed.count > 60)
            for entry in closed {
                let path = things.path(entry)
                let name = "\(entry.method) \(path)"
                let json = try await fixture.asChild(entry.method, path, "{}")
                #expect(json.status == .forbidden, "\(name)")
                #expect(try json.error()["code"] as? String == "forbidden", "\(name)")
                let page = try await fixture.browse(entry.method, path)
                #expect(page.status == .forbidden, "\(name)")
                #expect(page.html.contains(#"href="/family""#), "\(name)")
                #expect(page.html.contains("</html>"), "\(name)")
                let fragment = try await fixture.browse(entry.method, path, isFragment: true)
                #expect(fragment.status == .forbidden, "\(name)")
            }
            let after = try await state()
            #expect(before == after)
        }
    }

    @Test("Every route for children responds to a child without a server error")
    func childsSide() async throws {
        try await withChildren { fixture async throws in
            let things = try await Things(fixture)
            let open = fixture.server.server.web.routes.filter { $0.access == .signedInOrChild && $0.method == .get }
            for entry in open where entry.path != "/events" {
                let path = things.path(entry)
                let json = try await fixture.asChild(.get, path)
                #expect(json.status == .ok || json.status == .notFound, "\(path) \(json.status)")
                let page = try await fixture.browse(.get, path)
                #expect([.ok, .seeOther, .notFound].contains(page.status), "\(path) \(page.status)")
                #expect(!page.html.contains(#"href="/tracking"#), "\(path)")
                #expect(!page.html.contains(#"href="/carrepsa"#), "\(path)")
            }
        }
    }

    @Test("A child can open the live stream")
    func childListens() async throws {
        try await withChildren(.sqlite, .live) { fixture async throws in
            let head = try await fixture.asChild(.head, "/events")
            #expect(head.status == .ok)
        }
    }

    @Test("Public pages lead a signed-in child to Family only")
    func openPages() async throws {
        try await withChildren { fixture async throws in
            for uri in ["/", "/sign-in", "/register"] {
                let page = try await fixture.browse(.get, uri)
                #expect(page.status == .seeOther)
                #expect(page.headers[.location] == "/family", "\(uri)")
            }
            let account = try await fixture.browse(.get, "/account")
            #expect(account.headers[.location] == "/family/account")
            let carrepsa = try await fixture.browse(.get, "/carrepsa")
            #expect(carrepsa.status == .forbidden)
            let signOut = try await fixture.browse(.delete, "/session")
            #expect(signOut.status == .seeOther)
            let after = try await fixture.browse(.get, "/account")
            #expect(after.headers[.location]?.hasPrefix("/sign-in") ?? false)
        }
    }

    @Test("A child changes its own profile, except what is for adults only")
    func ownAccount() async throws {
        try await withChildren { fixture async throws in
            let fox = try #require(BuiltinAvatars.all.first).id
            let change = #"{"name":"Tim","theme":"space","language":"de","avatarPictureId":"\#(fox)"}"#
            let changed = try await fixture.asChild(.patch, "/account", change)
            #expect(changed.status == .ok)
            let account = try changed.object()
            #expect(account["name"] as? String == "Tim")
            #expect(account["avatarPictureId"] as? String == "\(fox)")
            #expect(account["role"] as? String == "child")
            for body in [#"{"email":"a@b.org"}"#, #"{"phone":"+49151234567"}"#, #"{"mapsApp":"google"}"#] {
                let refused = try await fixture.asChild(.patch, "/account", body)
                #expect(refused.status == .forbidden, "\(body)")
            }
            let empty = try await fixture.asChild(
                .patch, "/account", #"{"name":null,"dateOfBirth":null,"theme":null,"avatarPictureId":null}"#)
            #expect(empty.status == .unprocessableContent)
            #expect(try empty.errorFields() == ["avatarPictureId", "dateOfBirth", "name", "theme"])
            let today = try await fixture.asChild(.patch, "/account", #"{"dateOfBirth":"2026-03-01"}"#)
            #expect(try today.errorFields() == ["dateOfBirth"])
        }
    }

    @Test("A child sees its siblings; another family's children are not found")
    func others() async throws {
        try await withChildren { fixture async throws in
            let sibling = "/family/children/\(fixture.sibling)"
            let stranger = "/family/children/\(fixture.neighbourChild)"
            let seen = try await fixture.asChild(.get, sibling)
            #expect(seen.status == .ok)
            let tries: [(HTTPRequest.Method, String, String)] = [
                (.patch, "", #"{"name":"Mallory"}"#),
                (.post, "/requests", #"{"choreId":"\#(fixture.sibling)"}"#),
                (.get, "/devices", "{}"), (.delete, "/devices/\(fixture.sibling)", "{}"),
            ]
            for (method, part, body) in tries {
                let own = try await fixture.asChild(method, sibling + part, body)
                #expect(own.status == .forbidden, "\(method) \(part)")
            }
            let reads: [(HTTPRequest.Method, String, String)] = [
                (.get, "", "{}"), (.get, "/contracts", "{}"), (.get, "/assignments", "{}"),
            ]
            for (method, part, body) in tries + reads {
                for token in [fixture.token, fixture.parent] {
                    let denied = try await fixture.server.send(method, stranger + part, body, token: token)
                    #expect(denied.status == .notFound, "\(method) \(part)")
                }
            }
        }
    }

    @Test("Everyone sees the built-in avatars, and no one can remove them")
    func avatars() async throws {
        try await withChildren { fixture async throws in
            for token in [fixture.token, fixture.parent] {
                let list = try await fixture.server.send(.get, "/pictures?builtin=true&limit=5", token: token).object()
                let items = try #require(list["items"] as? [[String: Any]])
                #expect(items.count == 5)
                #expect(list["next"] as? String == items.last?["id"] as? String)
                let id = try #require(items.first?["id"] as? String)
                let small = try await fixture.server.send(.get, "/pictures/\(id)?size=small", token: token)
                #expect(small.status == .ok)
                #expect(small.headers[.contentType] == "image/jpeg")
                let own = try await fixture.server.send(.get, "/pictures", token: token).object()
                #expect((own["items"] as? [Any])?.isEmpty ?? false)
            }
            let fox = try #require(BuiltinAvatars.all.first).id
            let removal = try await fixture.asParent(.delete, "/pictures/\(fox)")
            #expect(removal.status == .notFound)
            let chosen = try await fixture.asParent(.patch, "/account", #"{"avatarPictureId":"\#(fox)"}"#)
            #expect(chosen.status == .ok)
            let signedOut = try await fixture.server.send(.get, "/pictures/\(fox)")
            #expect(signedOut.status == .unauthorized)
            let page = try await fixture.browse(.get, "/pictures?builtin=true")
            #expect(page.status == .ok)
            #expect(!page.html.contains("_method=delete"))
        }
    }
}
