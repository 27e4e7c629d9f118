import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import NIOCore
import Pictures
import Testing
import WebCore

@Suite("Routes of the shop") struct ShopRoutesTests {
    /// Sends a form of the child's browser.
    private static func submit(_ uri: String, _ form: String, _ fixture: ChildrenFixture) async throws -> TestResponse {
        var headers = HTTPFields.browser(fixture.cookie)
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await fixture.server.client.executeRequest(
            uri: uri, method: .post, headers: headers, body: ByteBuffer(string: form))
    }

    @Test("F-29-A: A purchase needs an idempotency key, and the same key buys once") func keys() async throws {
        try await withChildren { fixture async throws in
            let fox = try #require(BuiltinAvatars.all.first).id
            let chore = try await fixture.made("/family/chores", #"{"name":"Dishes","pictureId":"\#(fox)"}"#)
            _ = try await fixture.asParent(
                .post, "/family/children/\(fixture.child)/assignments",
                #"{"chores":[{"choreId":"\#(chore)","points":3}]}"#)
            let reward = try await fixture.made("/family/shop", #"{"name":"Zoo","price":1}"#)
            let path = "/family/children/\(fixture.child)/purchases"
            let body = #"{"rewardId":"\#(reward)"}"#
            let refused = try await fixture.asChild(.post, path, body)
            #expect(refused.status == .unprocessableContent)
            #expect((try refused.error()["fields"] as? [String: Any])?.keys.sorted() == ["idempotencyKey"])
            // A form without a key isn't one of this server's pages.
            let form = try await Self.submit(path, "rewardId=\(reward)&price=1", fixture)
            #expect(form.status == .seeOther)
            let list = try await fixture.asChild(.get, path).object()
            #expect((list["items"] as? [Any])?.count == 0)
            let first = try await fixture.made(path, body, by: fixture.token)
            #expect(try await fixture.made(path, body, by: fixture.token) == first)
            #expect((try await fixture.asChild(.get, path).object()["items"] as? [Any])?.count == 1)
        }
    }

    @Test("F-31-A: The error of a wish is at its field, with the text that was typed") func wishes() async throws {
        try await withChildren { fixture async throws in
            let path = "/family/children/\(fixture.child)/wishes"
            let long = String(repeating: "a", count: 61)
            for typed in ["", long] {
                let page = try await Self.submit(path, "name=\(typed)", fixture)
                #expect(page.status == .unprocessableContent)
                let field = try #require(page.html.firstMatch(of: #/<input[^>]*id="wish-name"[^>]*>/#)).output
                #expect(field.contains("aria-invalid=\"true\"") && field.contains("value=\"\(typed)\""))
            }
            let added = try await Self.submit(path, "name=Kite", fixture)
            #expect(added.status == .seeOther)
            // A parent has no form for wishes.
            #expect(try await fixture.asParent(.post, path, #"{"name":"Kite"}"#).status == .forbidden)
        }
    }
}
