import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import NIOCore
import TestSupport
import Testing

/// What Family's pages say about shared positions.
@Suite("Positions on Family's pages")
struct FamilyPositionTests {
    private static func parentCookie(_ family: ChildrenFixture) async throws -> (cookie: String, id: PersonID) {
        let text = try await family.asParent(.get, "/account").object()["id"] as? String
        let id = try #require(text.flatMap { PersonID($0) })
        return ("homeward-session=\(try await ChildrenFixture.signIn(id, .cookie, family.server))", id)
    }

    private static func page(_ uri: String, _ cookie: String, _ family: ChildrenFixture) async throws -> String {
        try await family.server.client.executeRequest(
            uri: uri, method: .get, headers: .browser(cookie), body: nil
        ).html
    }

    @Test("A parent's request is on the child's dashboard until the child answers")
    func request() async throws {
        try await withChildren { family async throws in
            let parent = try await Self.parentCookie(family)
            #expect(try await !family.browse(.get, "/family").html.contains("position-ask"))
            let asked = try await family.asParent(.put, "/tracking/people/\(family.child)/request", "{}")
            #expect(asked.status == .noContent)
            let dashboard = try await family.browse(.get, "/family").html
            #expect(dashboard.contains("Mia asks where you are"))
            #expect(dashboard.contains("id=\"position-ask\" href=\"/my-position\""))
            #expect(try await !Self.page("/family", parent.cookie, family).contains("position-ask"))
            let declined = try await family.asChild(.delete, "/my-position/requests/\(parent.id)", "{}")
            #expect(declined.status == .noContent)
            #expect(try await !family.browse(.get, "/family").html.contains("position-ask"))
        }
    }

    @Test("A child's page links to its position only for a parent with whom the child shares it")
    func link() async throws {
        try await withChildren { family async throws in
            let parent = try await Self.parentCookie(family)
            let path = "/family/children/\(family.child)"
            let link = "href=\"/tracking/people/\(family.child)\""
            #expect(try await !Self.page(path, parent.cookie, family).contains(link))
            let body = #"{"personIds":["\#(parent.id)"],"duration":"1h"}"#
            #expect(try await family.asChild(.post, "/my-position/shares", body).status == .created)
            let shown = try await Self.page(path, parent.cookie, family)
            #expect(shown.contains(link))
            #expect(shown.contains("Where is Tom?"))
            let views = try await family.asChild(.get, "/my-position").object()["views"] as? [Any]
            #expect(views?.isEmpty ?? true, "the link is no view")
            let left = try await family.asParent(.delete, "/tracking/people/\(family.child)", "{}")
            #expect(left.status == .noContent)
            #expect(try await !Self.page(path, parent.cookie, family).contains(link))
        }
    }

    @Test("A safe place that a rule about a person needs leads back to the rule")
    func place() async throws {
        try await withChildren { family async throws in
            let parent = try await Self.parentCookie(family)
            let body = #"{"personIds":["\#(parent.id)"],"duration":"1h"}"#
            #expect(try await family.asChild(.post, "/my-position/shares", body).status == .created)
            let person = try await Self.page("/tracking/people/\(family.child)", parent.cookie, family)
            let address = "/tracking/safe-places/new?person=\(family.child)"
            #expect(person.contains(address))
            let form = try await Self.page(address, parent.cookie, family)
            #expect(form.contains("name=\"rulePersonId\" value=\"\(family.child)\""))
            var headers = HTTPFields.browser(parent.cookie)
            headers[.contentType] = "application/x-www-form-urlencoded"
            let added = try await family.server.client.executeRequest(
                uri: "/tracking/safe-places", method: .post, headers: headers,
                body: ByteBuffer(
                    string: "name=Home&latitude=1&longitude=2&radiusMetres=100&rulePersonId=\(family.child)"))
            let next = try #require(added.headers[.location], "\(added.html)")
            #expect(next.hasPrefix("/tracking/people/\(family.child)/rules/new?place="))
            #expect(try await Self.page(next, parent.cookie, family).contains("selected>Home</option>"))
        }
    }
}
