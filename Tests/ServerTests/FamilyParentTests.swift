import Foundation
import HTTPTypes
import Kernel
import Server
import TestSupport
import Testing

@Suite("Routes of parents, invitations and requests")
struct FamilyParentTests {
    @Test("An invitation is listed and revoked by its id", arguments: Engine.allCases)
    func invitations(engine: Engine) async throws {
        try await withFamilies(engine) { site in
            let ada = try await site.parent("Ada")
            let made = try await ada.send(.post, "/family/invitations", json: [:]).object()
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

    @Test("A new password voids the invitations of its owner", arguments: Engine.allCases)
    func passwords(engine: Engine) async throws {
        try await withFamilies(engine) { site in
            let ada = try await site.parent("Ada")
            _ = try await ada.send(.post, "/family/invitations", json: [:])
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
            // The first request to Family, before anything of it is there.
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

    @Test("A parent reads, declines and a child withdraws a request", arguments: Engine.allCases)
    func requests(engine: Engine) async throws {
        try await withFamilies(engine) { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            let device = try await site.device(of: mia, by: ada)
            func ask() async throws -> String {
                let made = try await device.send(.post, "\(mia)/requests", json: ["choreId": dishes]).object()
                return "\(mia)/requests/" + (try #require(made.text("id")))
            }
            let first = try await ask()
            let feed = try await ada.send(.get, "/notifications").object().list("items")
            #expect(feed.first?.text("kind") == "choreRequested")
            #expect(feed.first?.text("resource") == first)
            #expect(try await ada.send(.get, first).object().text("name") == "Dishes")
            #expect(try await device.send(.get, first).status == 200)
            #expect(try await device.send(.delete, first).status == 204)
            #expect(try await device.send(.delete, first).status == 404)
            #expect(try await ada.send(.get, first).status == 404)
            let second = try await ask()
            let long = try await ada.send(
                .delete, second, json: ["reason": String(repeating: "x", count: 201)])
            #expect(long.status == 422)
            #expect(try long.error().object("fields").keys.contains("reason"))
            #expect(try await ada.send(.delete, second, json: ["reason": "Still wet"]).status == 204)
            let told = try await device.send(.get, "/notifications").object().list("items")
            #expect(told.first?.text("title") == "No points for “Dishes”")
            #expect(told.first?.text("body") == "Ada: Still wet")
        }
    }
}
