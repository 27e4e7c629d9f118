import HTTPTypes
import Testing

/// What a shared tablet shows and does, and how it ends.
@Suite("Family: pages of shared tablets")
struct TabletPageTests {
    private static let firstDay = "2026-03-01"

    /// The id in a child's path.
    private static func id(_ child: String) -> String { String(child.dropFirst("/family/children/".count)) }

    private static func code(by parent: FamilyTestClient) async throws -> String {
        let made = try await parent.send(.post, "/family/tablets/codes")
        #expect(made.status == 201, "\(made.text)")
        return try #require(try made.object().text("code"))
    }

    /// Pairs a tablet by a code, and returns its browser.
    private static func pair(_ code: String, _ site: FamilyTestServer) async throws -> FamilyTestClient {
        let paired = try await site.signedOut.send(.post, "/family/tablet/pairing", json: ["code": code])
        #expect(paired.status == 201, "\(paired.text)")
        let setting: String = try #require(paired.header("set-cookie"))
        return FamilyTestClient(
            site: site, name: "", id: "", token: nil, cookie: String(setting.prefix { $0 != ";" }))
    }

    /// Makes a chore due every day from today, for these children.
    private static func schedule(
        _ chore: String, for children: [String], distribution: String, by parent: FamilyTestClient
    ) async throws {
        let body: [String: any Sendable] = [
            "childIds": children.map { id($0) }, "startsOn": firstDay, "rule": "FREQ=DAILY",
            "distribution": distribution,
        ]
        let reply = try await parent.send(.put, "/family/chores/\(chore)/schedule", json: body)
        #expect(reply.status == 200, "\(reply.text)")
    }

    @Test("F-40-A: A tablet opens no page of parents, its code works once, and a removed tablet is signed out")
    func removal() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let code = try await Self.code(by: ada)
            let link = "/family/tablet/pairing?code=\(code)"
            #expect(try await site.signedOut.page(link).text.contains("Pair this tablet"))
            let tablet = try await Self.pair(code, site)
            #expect(try await tablet.page("/family/tablet").text.contains("Mia"))
            let others = [
                "/", "/family", "/family/account", mia, "/account", "/sign-in", "/admin", "/tracking", link,
            ]
            for path in others {
                #expect(try await tablet.page(path).header("location") == "/family/tablet", "\(path)")
            }
            let used = try await site.signedOut.page(link)
            #expect(used.status == 404)
            #expect(used.text.contains("role=\"alert\">This code no longer works."))
            let tablets = try await ada.send(.get, "/family/tablets").object().texts("items", "id")
            #expect(tablets.count == 1)
            let remove = "/family/tablets/\(tablets[0] ?? "")?_method=delete"
            #expect(try await ada.page("/family/tablets").text.contains("action=\"\(remove)\""))
            let removed = try await ada.submit(remove, [:])
            #expect(removed.header("location") == "/family/tablets")
            #expect(try removed.toast() == "The tablet was removed")
            #expect(try await ada.page("/family/tablets").text.contains("No shared tablet yet"))
            let ended = try await tablet.page("/family/tablet")
            #expect(ended.header("location")?.hasPrefix("/sign-in") == true)
        }
    }

    @Test("F-40-B: On a tablet, a chore is reported with all its steps, and one for any child is claimed")
    func stepsAndClaims() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let ben = try await ada.child("Ben")
            let cook = try await ada.chore("Cook")
            let trash = try await ada.chore("Trash")
            let set = try await ada.send(.patch, "/family/chores/\(cook)", json: ["steps": ["Wash hands"]])
            #expect(set.status == 200, "\(set.text)")
            try await Self.schedule(cook, for: [mia], distribution: "each", by: ada)
            try await Self.schedule(trash, for: [mia, ben], distribution: "first", by: ada)
            let tablet = try await Self.pair(try await Self.code(by: ada), site)
            #expect(try await tablet.page("/family/tablet").text.contains("For any child"))
            let own = "/family/tablet/children/\(Self.id(mia))"
            let form = "\(own)/chores/\(cook)?occurrence=\(Self.firstDay)"
            let turn = "\(own)/turns/\(trash)/\(Self.firstDay)?_method=put"
            let day = try await tablet.page(own).text
            #expect(day.contains("href=\"\(form)\" aria-label=\"I have done “Cook”\""))
            #expect(day.contains("action=\"\(turn)\"") && day.contains("aria-label=\"I’ll do “Trash”\""))
            #expect(try await tablet.page(form).text.contains("name=\"steps\" value=\"Wash hands\">"))
            let missing = try await tablet.submit(
                "\(own)/requests",
                ["choreId": cook, "occurrence": Self.firstDay, "from": "", "proof": "true", "pin": ""])
            #expect(missing.status == 422)
            #expect(missing.text.contains("id=\"steps-error\" role=\"alert\">Tick off every step first.<"))
            let reported = try await tablet.submit(
                "\(own)/requests",
                [
                    "choreId": cook, "occurrence": Self.firstDay, "from": "", "proof": "true", "pin": "",
                    "steps": "Wash hands",
                ])
            #expect(reported.header("location") == own)
            #expect(try reported.toast() == "“Cook”: a parent will look at it")
            #expect(try await tablet.page(own).text.contains("Waiting for a parent"))
            let claimed = try await tablet.submit(turn, ["pin": ""])
            #expect(claimed.header("location") == own)
            #expect(try claimed.toast() == "It’s your turn now")
            #expect(try await tablet.page(own).text.contains("aria-label=\"I have done “Trash”\""))
            let second = try await tablet.submit(
                "\(own)/requests", ["choreId": trash, "occurrence": Self.firstDay, "pin": ""])
            #expect(second.header("location") == own)
            let waiting = try await tablet.page(own).text
            #expect(!waiting.contains("aria-label=\"I have done "))
            #expect(try await ada.names("\(mia)/requests") == ["Cook", "Trash"])
            #expect(try await ada.names("\(ben)/requests") == [])
        }
    }

    @Test("F-40-B: A parent sets a picture PIN by a form with all pictures, and removes it")
    func picturePIN() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let path = "\(mia)/picture-pin"
            #expect(try await ada.page(path).text.contains("name=\"picture3\" value=\"1\""))
            let missing = try await ada.submit("\(path)?_method=put", ["picture1": "3", "picture2": "6"])
            #expect(missing.status == 422)
            #expect(missing.text.contains("id=\"pin-error\" role=\"alert\">Choose all pictures"))
            for place in [("picture1", "3"), ("picture2", "6")] {
                let chosen = "name=\"\(place.0)\" value=\"\(place.1)\" aria-describedby=\"pin-error\" checked"
                #expect(missing.text.contains(chosen), "\(place.0)")
            }
            #expect(try await ada.send(.get, path).object().flag("isSet") == false)
            let saved = try await ada.submit(
                "\(path)?_method=put", ["picture1": "3", "picture2": "6", "picture3": "3"])
            #expect(saved.header("location") == "/family/tablets")
            #expect(try saved.toast() == "The picture PIN is set")
            #expect(try await ada.send(.get, path).object().flag("isSet") == true)
            let removed = try await ada.submit("\(path)?_method=delete", [:])
            #expect(removed.header("location") == "/family/tablets")
            #expect(try removed.toast() == "The picture PIN was removed")
            #expect(try await ada.send(.get, path).object().flag("isSet") == false)
        }
    }
}
