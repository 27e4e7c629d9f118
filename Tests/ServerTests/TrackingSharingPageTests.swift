import Foundation
import HTTPTypes
import Kernel
import TestSupport
import Testing

/// The pages of shared items, for their owners and for the people who see them.
@Suite("Tracking: pages of shared items")
struct TrackingSharingPageTests {
    private func item(_ name: String, of owner: FamilyTestClient) async throws -> String {
        let reply = try await owner.send(.post, "/tracking/items", json: ["name": name])
        #expect(reply.status == 201, "\(reply.text)")
        return "/tracking/items/\(try #require(try reply.object().text("id")))"
    }

    /// Shares an item by an invitation.
    private func share(
        _ item: String, _ access: String, of owner: FamilyTestClient, with guest: FamilyTestClient
    ) async throws {
        let made = try await owner.send(
            .post, item + "/invitations", json: ["access": access, "password": "correct horse"])
        let code = try #require(try made.object().text("url")?.split(separator: "/").last)
        let joined = try await guest.send(.post, "/tracking/invitations", json: ["code": String(code)])
        #expect(joined.status == 201, "\(joined.text)")
    }

    @Test("T-6-1-1: Each access shows and allows only what it says")
    func access() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let path = try await item("Bike", of: ada)
            let source = try await ada.send(
                .post, "/tracking/sources", json: ["kind": "osmand", "itemId": String(path.suffix(36))])
            let secret = try #require(try source.object().text("secret"))
            let seconds = site.clock.now.millisecondsSince1970 / 1_000
            let fix = "/ingest/osmand?id=\(secret)&lat=50.7753&lon=6.0839&timestamp=\(seconds)"
            #expect(try await site.signedOut.send(.get, fix).status == 200)
            let owned = try await ada.page(path).text
            #expect(owned.contains("\(path)/edit") && owned.contains("row-title\">Manage</span>"))
            for (access, locates, invites) in [
                ("see", false, false), ("locate", true, false), ("manage", true, true),
            ] {
                let guest = try await site.parent("Guest\(access)")
                try await share(path, access, of: ada, with: guest)
                let details = try await guest.page(path)
                #expect(details.status == 200)
                #expect(details.text.contains(">Bike</h1>"))
                #expect(details.text.components(separatedBy: "data-fix-id=\"").count == 2)
                #expect(details.text.contains("Locate now</button>") == locates, "\(access)")
                #expect(!details.text.contains("\(path)/edit"), "\(access)")
                #expect(!details.text.contains("row-title\">Manage</span>"), "\(access)")
                let people = try await guest.page(path + "/people").text
                #expect(people.contains(">Create a link</button>") == invites, "\(access)")
                #expect(try await guest.page(path + "/edit").status == 403)
                #expect(try await guest.send(.delete, path).status == 403)
            }
        }
    }

    @Test("T-6-1-1: An invitation that was used says so, and nothing about the item")
    func used() async throws {
        try await withFamilies { site in
            let (ada, ben, eve) = (
                try await site.parent("Ada"), try await site.parent("Ben"), try await site.parent("Eve")
            )
            let path = try await item("Bike", of: ada)
            let made = try await ada.send(.post, path + "/invitations", json: ["access": "see"])
            let code = try #require(try made.object().text("url")?.split(separator: "/").last)
            let link = "/tracking/invitations/\(code)"
            let open = try await ben.page(link)
            #expect(open.status == 200 && open.text.contains("Ada shares Bike with you."))
            let joined = try await ben.send(.post, "/tracking/invitations", json: ["code": String(code)])
            #expect(joined.status == 201, "\(joined.text)")
            let used = try await eve.page(link)
            #expect(used.status == 404 && used.text.contains("This invitation no longer works"))
            #expect(!used.text.contains("Bike"))
        }
    }

    @Test("T-6-1-1: An invitation to manage an item asks for the password first")
    func invitesToManage() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let path = try await item("Bike", of: ada)
            let asked = try await ada.submit(path + "/invitations", ["access": "manage"])
            #expect(asked.status == 303)
            let proof = try #require(asked.header("location"))
            let page = try await ada.page(proof)
            #expect(page.status == 200)
            #expect(page.text.contains("A person who manages an item can share its position with others."))
            let action = "/account/proofs/item-management"
            let wrong = try await ada.submit(action, ["return": path + "/people", "password": "wrong horse"])
            #expect(wrong.status == 422)
            let proved = try await ada.submit(action, ["return": path + "/people", "password": "correct horse"])
            #expect(proved.status == 303 && proved.header("location") == path + "/people")
            #expect(try await ada.page(path + "/people").text.contains(">People</h1>"))
            let made = try await ada.submit(path + "/invitations", ["access": "manage"])
            #expect(made.status == 201)
            #expect(made.text.contains("id=\"invitation-link\"") && made.text.contains("/tracking/invitations/"))
        }
    }

    /// The titles of a person's alerts that an item was too far away, the newest first.
    private func alerts(of person: FamilyTestClient) async throws -> [String] {
        try await person.notifications().filter { $0.text("kind") == "itemTooFar" }.compactMap { $0.text("title") }
    }

    @Test("T-6-1-2: Each person has a name, a distance and mute for an item")
    func ownSettings() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let ben = try await site.parent("Ben")
            for person in [ada, ben] {
                let chosen = try await person.send(.patch, "/tracking/alerts", json: ["mode": "everyTime"])
                #expect(chosen.status == 200)
            }
            let path = try await item("Bike", of: ada)
            let source = try await ada.send(
                .post, "/tracking/sources", json: ["kind": "osmand", "itemId": String(path.suffix(36))])
            let secret = try #require(try source.object().text("secret"))
            func report(_ metres: Double) async throws {
                site.clock.advance(seconds: 20)
                let seconds = site.clock.now.millisecondsSince1970 / 1_000
                let place = "lat=\(TrackedItem.latitude(metres))&lon=\(TrackedItem.longitude)"
                let fix = "/ingest/osmand?id=\(secret)&\(place)&timestamp=\(seconds)&accuracy=5"
                #expect(try await site.signedOut.send(.get, fix).status == 200)
            }
            try await share(path, "see", of: ada, with: ben)
            let people = path + "/people"
            let list = try await ben.page(people).text
            for name in ["Ada", "Ben (you)"] { #expect(list.contains("row-title\">\(name)</span>"), "\(name)") }

            let form = path + "/membership?_method=patch"
            let refused = try await ben.submit(form, ["name": "Ada’s bike", "alertMetres": "0"])
            #expect(refused.status == 422)
            #expect(refused.text.contains("Enter a number from 1 to 100,000."))
            #expect(refused.text.contains("aria-describedby=\"own-alert-error own-alert-hint\" aria-invalid=\"true\""))
            #expect(refused.text.contains("name=\"name\" value=\"Ada’s bike\""))
            #expect(try await ben.send(.get, path).object().text("name") == "Bike")
            let saved = try await ben.submit(form, ["name": "Ada’s bike", "alertMetres": "300"])
            #expect(saved.status == 303 && saved.header("location") == people)
            #expect(try saved.toast() == "Saved")
            #expect(try await ben.page("/tracking/items").text.contains(">Ada’s bike</a>"))
            #expect(try await ada.send(.get, path).object().text("name") == "Bike")

            let here: [String: any Sendable] = [
                "latitude": TrackedItem.latitude(0), "longitude": TrackedItem.longitude, "accuracy": 5,
            ]
            for person in [ada, ben] {
                #expect(try await person.send(.put, "/tracking/position", json: here).status == 204)
            }
            try await report(0)
            try await report(100)
            let title = "Bike is 100\u{a0}m from your device ("
            #expect(try await alerts(of: ada).map { $0.hasPrefix(title) } == [true])
            #expect(try await alerts(of: ben).isEmpty, "his distance is 300 m")
            let muted = try await ben.submit(
                form, ["name": "Ada’s bike", "alertMetres": "300", "isMuted": "on"])
            #expect(muted.status == 303)
            #expect(try muted.toast() == "Saved")
            try await report(400)
            #expect(try await alerts(of: ben).isEmpty, "he muted the item")
        }
    }

    @Test("T-6-1-4: A person leaves an item, and its owner is notified", arguments: Engine.allCases)
    func leaving(engine: Engine) async throws {
        try await withFamilies(engine) { site in
            let ada = try await site.parent("Ada")
            let ben = try await site.parent("Ben")
            let path = try await item("Bike", of: ada)
            try await share(path, "see", of: ada, with: ben)
            let people = try await ben.page(path + "/people").text
            #expect(people.contains("Leave this item</button>") && people.contains("data-confirm=\"Leave Bike?\""))
            let left = try await ben.submit(path + "/membership?_method=delete", [:])
            #expect(left.status == 303 && left.header("location") == "/tracking/items")
            #expect(try left.toast() == "You left the item")
            #expect(try await !ben.page("/tracking/items").text.contains(">Bike<"))
            #expect(try await ben.send(.get, path).status == 404)
            let told = try #require(try await ada.notifications().first)
            #expect(told.text("kind") == "itemShared")
            #expect(told.text("title") == "Ben can no longer see Bike")
        }
    }
}
