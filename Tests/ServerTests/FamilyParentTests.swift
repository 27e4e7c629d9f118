import Accounts
import Foundation
import HTTPTypes
import Kernel
import Server
import TestSupport
import Testing

@Suite("Routes of parents, invitations and requests")
struct FamilyParentTests {
    /// Joins the household of its creator, later than the creator did.
    private func join(_ parent: FamilyTestClient, _ creator: FamilyTestClient, _ site: FamilyTestServer) async throws {
        let code = try #require(try await creator.invitation().text("code"))
        site.clock.advance(milliseconds: 1)
        #expect(try await parent.send(.post, "/family/parents", json: ["code": code]).status == 201)
    }

    @Test("An invitation is listed and revoked by its id", arguments: Engine.allCases)
    func invitations(engine: Engine) async throws {
        try await withFamilies(engine) { site in
            let ada = try await site.parent("Ada")
            let made = try await ada.invitation()
            let id = try #require(made.text("id"))
            let listed = try await ada.send(.get, "/family/invitations").object().list("items")
            #expect(listed.map { $0.text("id") } == [id])
            #expect(listed[0].keys == ["by", "expiresAt", "id"])
            #expect(try await ada.send(.delete, "/family/invitations/\(id)").status == 204)
            #expect(try await ada.send(.delete, "/family/invitations/\(id)").status == 404)
            let code = try #require(made.text("code"))
            #expect(try await ada.send(.get, "/family/invitations/\(code)").status == 404)
        }
    }

    @Test("The forms of a new password sign the children's devices out, and keep their switch when refused")
    func childDevices() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let device = try await site.device(of: mia, by: ada)
            func isSignedIn() async throws -> Bool { try await device.send(.get, "/family/account").status == 200 }
            func switchIsOn(_ page: String) -> Bool { page.contains(#"name="signOutChildren" checked"#) }
            let form = "/account/password?_method=put"
            let page = try await ada.page("/account/password").text
            #expect(page.contains(#"name="signOutChildren">"#))
            #expect(page.contains("Sign out my children’s devices and shared tablets"))
            let refused = try await ada.submit(
                form, ["current": "correct horse", "password": "short", "signOutChildren": "on"])
            #expect(refused.status == 422)
            #expect(switchIsOn(refused.text))
            let kept = try await ada.submit(form, ["current": "correct horse", "password": "second horse"])
            #expect(kept.status == 303, "\(kept.text)")
            #expect(try await isSignedIn())
            let link = try await site.server.services.accounts.administrators.resetLink(email: "ada@example.org")
            let path = try #require(link.firstRange(of: "/password-resets/").map { String(link[$0.lowerBound...]) })
            let short = try await site.signedOut.submit(
                path + "?_method=put", ["password": "a", "signOutChildren": "on"])
            #expect(short.status == 422)
            #expect(switchIsOn(short.text))
            #expect(try await isSignedIn())
            let done = try await site.signedOut.submit(
                path + "?_method=put", ["password": "third horse", "signOutChildren": "on"])
            #expect(done.status == 303, "\(done.text)")
            #expect(try await !isSignedIn())
        }
    }

    @Test("A stolen session alone can't invite, remove or announce, or leave", arguments: Engine.allCases)
    func stolenSession(engine: Engine) async throws {
        try await withFamilies(engine) { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let ben = try await site.parent("Ben")
            try await join(ben, ada, site)
            site.clock.advance(seconds: Limits.removalMembershipSeconds)
            // Each step of the attack, by a program and by a page, without the password and with a wrong one.
            let steps: [(HTTPRequest.Method, String, FamilyTestClient)] = [
                (.post, "/family/invitations", ada), (.delete, "/family/parents/\(ben.id)", ada),
                (.delete, "/family/parents/\(ada.id)", ada), (.put, "/family/parents/\(ben.id)/removal", ada),
                (.put, "/family/parents/\(ada.id)/removal", ben),
            ]
            for (method, path, thief) in steps {
                for guess in ["", "wrong horse"] {
                    let refused = try await thief.send(method, path, json: ["password": guess])
                    #expect(refused.status == 422, "\(method) \(path)")
                    #expect(try refused.error().object("fields").keys == ["password"])
                    let query = method == .post ? "" : "?_method=\(method.rawValue.lowercased())"
                    let page = try await thief.submit(path + query, ["password": guess])
                    #expect(page.status == 422, "\(method) \(path) \(page.text)")
                    #expect(page.text.contains(#"name="password" type="password""#), "\(page.text)")
                    #expect(page.text.contains(#"aria-invalid="true""#))
                    #expect(page.text.contains("/account/proofs/"))
                }
            }
            #expect(try await ben.names("/family/parents") == ["Ada", "Ben"])
            #expect(try await ada.send(.get, "/family/invitations").object().list("items").isEmpty)
            #expect(try await ada.send(.get, mia).status == 200)
            let parent = try await ben.send(.get, "/family/parents/\(ada.id)").object()
            #expect(parent.members["removal"] is NSNull)
        }
    }

    @Test("A proof on its page returns to the form, which then asks for no password")
    func proofPage() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let ben = try await site.parent("Ben")
            try await join(ben, ada, site)
            let pages = [
                ("/family/invitations", "invitation"), ("/family/parents/\(ben.id)", "removal"),
                ("/family/parents/\(ada.id)", "leaving"),
            ]
            for (path, act) in pages {
                let before = try await ada.page(path)
                #expect(before.text.contains(#"id="\#(act)-password""#), "\(before.text)")
                #expect(before.text.contains("/account/proofs/\(act)?return="))
                let proof = try await ada.submit(
                    "/account/proofs/\(act)", ["password": "correct horse", "return": path])
                #expect(proof.header("location") == path)
                #expect(try await !ada.page(path).text.contains(#"type="password""#))
            }
            #expect(try await ada.submit("/family/invitations", [:]).status == 201)
            #expect(try await ada.submit("/family/parents/\(ben.id)?_method=delete", [:]).status == 303)
            #expect(try await ada.names("/family/parents") == ["Ada"])
        }
    }

    @Test("A parent who joined recently reads when they can announce a removal, in both languages")
    func membership() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let ben = try await site.parent("Ben")
            try await join(ben, ada, site)
            let path = "/family/parents/\(ada.id)"
            let early = try await ben.page(path)
            #expect(early.text.contains("You can announce the removal of this parent from"))
            #expect(!early.text.contains("removal?_method=put"))
            let german = try await ben.page(path, language: "de")
            #expect(german.text.contains("Du kannst das Entfernen dieses Elternteils ab <time"))
            let refused = try await ben.send(.put, path + "/removal", json: ["password": "correct horse"])
            #expect(refused.status == 403)
            site.clock.advance(seconds: Limits.removalMembershipSeconds)
            let later = try await ben.page(path)
            #expect(later.text.contains("removal?_method=put"))
            let announced = try await ben.send(.put, path + "/removal", json: ["password": "correct horse"])
            #expect(announced.status == 200)
            #expect(try await ben.send(.delete, path + "/removal").status == 204)
            let again = try await ben.send(.put, path + "/removal", json: ["password": "correct horse"])
            #expect(again.status == 409)
            #expect(try await ben.page(path).text.contains("You can announce the removal of this parent from"))
        }
    }

    @Test("A new password invalidates the invitations of its owner", arguments: Engine.allCases)
    func passwords(engine: Engine) async throws {
        try await withFamilies(engine) { site in
            let ada = try await site.parent("Ada")
            _ = try await ada.invitation()
            #expect(try await ada.page("/family/invitations").text.contains(">By you</span>"))
            let changed = try await ada.send(
                .put, "/account/password", json: ["current": "correct horse", "password": "another battery"])
            #expect(changed.status == 204)
            #expect(try await ada.send(.get, "/family/invitations").object().list("items").isEmpty)
        }
    }

    @Test("An empty date of birth is refused and changes nothing", arguments: Engine.allCases)
    func emptyDateOfBirth(engine: Engine) async throws {
        try await withFamilies(engine) { site in
            let ada = try await site.parent("Ada")
            func born() async throws -> String? { try await ada.send(.get, "/account").object().text("dateOfBirth") }
            // Family has no data of this account yet.
            for path in ["/family/account", "/account"] {
                let answer = try await ada.send(.patch, path, json: ["dateOfBirth": "", "name": "Eve"])
                #expect(answer.status == 422, "\(path)")
                #expect(try answer.error().object("fields").keys.contains("dateOfBirth"), "\(path)")
                #expect(try await born() == "1990-05-01")
            }
            #expect(try await ada.send(.get, "/account").object().text("name") == "Ada")
            // In a household it can't be cleared either.
            _ = try await ada.send(.get, "/family/children")
            for path in ["/family/account", "/account"] {
                let answer = try await ada.send(.patch, path, json: ["dateOfBirth": NSNull()])
                #expect(answer.status == 422, "\(path)")
                #expect(try answer.error().object("fields").keys.contains("dateOfBirth"), "\(path)")
            }
            #expect(try await born() == "1990-05-01")
            #expect(try await ada.send(.get, "/family/children").status == 200)
        }
    }

    @Test("A parent reads and declines a request, and a child withdraws one", arguments: Engine.allCases)
    func requests(engine: Engine) async throws {
        try await withFamilies(engine) { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            let device = try await site.device(of: mia, by: ada)
            let first = try await device.request(dishes, for: mia)
            let feed = try await ada.notifications()
            #expect(feed.first?.text("kind") == "choreRequested")
            #expect(feed.first?.text("resource") == first)
            #expect(try await ada.send(.get, first).object().text("name") == "Dishes")
            #expect(try await device.send(.get, first).status == 200)
            #expect(try await device.send(.delete, first).status == 204)
            #expect(try await device.send(.delete, first).status == 404)
            #expect(try await ada.send(.get, first).status == 404)
            let second = try await device.request(dishes, for: mia)
            let long = try await ada.send(
                .delete, second, json: ["reason": String(repeating: "x", count: 201)])
            #expect(long.status == 422)
            #expect(try long.error().object("fields").keys.contains("reason"))
            #expect(try await ada.send(.delete, second, json: ["reason": "Still wet"]).status == 204)
            let told = try await device.notifications()
            #expect(told.first?.text("title") == "No points for “Dishes”")
            #expect(told.first?.text("body") == "Ada: Still wet")
        }
    }
}
