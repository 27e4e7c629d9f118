import HTTPTypes
import TestSupport
import Testing

/// The forms of a chore and of a contract in a browser without scripts, and what the child's page shows of them.
@Suite("Family: forms of chores and contracts")
struct ChoreFormTests {
    @Test("F-08-B: A chore without a name or a picture is marked there, keeps the rest, and isn't added")
    func missingFields() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let nameError = "id=\"name-error\">Enter a name for the chore.<"
            let pictureError = "data-photo-error>Choose a picture for the chore.<"
            let empty = try await ada.submit("/family/chores", ["name": "", "pictureId": ""])
            #expect(empty.status == 422)
            #expect(FormFaultTests.marked(empty.text) == ["name"])
            #expect(empty.text.contains(nameError) && empty.text.contains(pictureError))
            let named = try await ada.submit("/family/chores", ["name": "Set the table", "pictureId": ""])
            #expect(named.status == 422)
            #expect(FormFaultTests.marked(named.text).isEmpty)
            #expect(named.text.contains("value=\"Set the table\"") && named.text.contains(pictureError))
            let pictured = try await ada.submit("/family/chores", ["name": "", "pictureId": site.picture])
            #expect(pictured.status == 422)
            #expect(FormFaultTests.marked(pictured.text) == ["name"])
            #expect(pictured.text.contains(nameError) && !pictured.text.contains(pictureError))
            #expect(pictured.text.contains("src=\"/pictures/\(site.picture)?size=medium\""))
            #expect(try await ada.names("/family/chores") == [])
        }
    }

    @Test("F-08-N: A chore is edited from the account page, and the toast after its deletion undoes it")
    func deletionIsUndone() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let id = try await ada.chore()
            let path = "/family/chores/\(id)"
            #expect(try await ada.page("/family/account").text.contains("href=\"\(path)/edit\""))
            #expect(try await ada.page("\(path)/edit").text.contains("value=\"Dishes\""))
            let changed = try await ada.submit(
                "\(path)?_method=patch", ["name": "Laundry", "pictureId": site.picture, "version": "1"])
            #expect(changed.header("location") == "/family/account")
            #expect(try await ada.page("/family/account").text.contains(">Laundry<"))
            let deleted = try await ada.submit("\(path)?_method=delete", [:])
            #expect(deleted.header("location") == "/family/account")
            #expect(try await !ada.page("/family/account").text.contains("Laundry"))
            #expect(try await ada.names("/family/chores") == [])
            let undo = try #require(try deleted.toastUndo())
            #expect(undo == "\(path)/restoration")
            let back = try await ada.submit(undo, [:])
            #expect(back.header("location") == "/family/account")
            #expect(try await ada.page("/family/account").text.contains(">Laundry<"))
            #expect(try await ada.names("/family/chores") == ["Laundry"])
        }
    }

    @Test(
        "F-09-A: A maximum that is no whole number from 1 is marked, and what was entered stays",
        arguments: ["ten", "1.5", "-1", "0"])
    func maximum(typed: String) async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let refused = try await ada.submit(
                "\(mia)/contracts", ["maxPoints": typed, "levels.0.reward": "Zoo", "levels.0.points": "3"])
            #expect(refused.status == 422)
            #expect(FormFaultTests.marked(refused.text) == ["maxPoints"])
            #expect(refused.text.contains("id=\"maxPoints-error\">Enter the maximum as a whole number, from 1 to"))
            #expect(refused.text.contains("name=\"maxPoints\" type=\"text\" value=\"\(typed)\""))
            #expect(refused.text.contains("name=\"levels.0.reward\" value=\"Zoo\""))
            #expect(try await ada.send(.get, mia).object().isNull("contract"))
        }
    }

    @Test("F-09-N: A new contract ends the present one, which stays in the list of contracts")
    func successor() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            _ = try await ada.contract(of: mia)
            let dishes = try await ada.chore()
            try await ada.assign([dishes: 3], to: mia)
            #expect(try await ada.page(mia).text.contains("id=\"gained\">3 of 10<"))
            #expect(try await ada.page("\(mia)/contracts/new").text.contains("Mia’s current contract ends"))
            let added = try await ada.submit(
                "\(mia)/contracts", ["maxPoints": "5", "levels.0.reward": "Park", "levels.0.points": "5"])
            #expect(added.header("location") == mia)
            let profile = try await ada.page(mia).text
            #expect(profile.contains("id=\"gained\">0 of 5<") && profile.contains("href=\"\(mia)/contracts\""))
            let list = try await ada.page("\(mia)/contracts").text
            #expect(list.contains("Park") && list.contains("Reward 1"))
            #expect(list.contains("Current contract") && list.contains(">Ended "))
            #expect(try await ada.score(of: mia) == [0, 3, 0])
        }
    }

    @Test("F-11-N: A parent approves or declines on the child's page, and marks a reached reward as handed over")
    func childPage() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let contract = try await ada.contract(of: mia)
            let dishes = try await ada.chore()
            let dog = try await ada.chore("Dog")
            let device = try await site.device(of: mia, by: ada)
            var paths: [String] = []
            for chore in [dishes, dog] {
                let asked = try await device.send(.post, "\(mia)/requests", json: ["choreId": chore])
                #expect(asked.status == 201, "\(asked.text)")
                paths.append("\(mia)/requests/\(try #require(try asked.object().text("id")))")
            }
            #expect(try await ada.page("/family").text.contains("2 chores to approve"))
            let waiting = try await ada.page(mia).text
            #expect(waiting.contains("id=\"requests\"") && waiting.contains("action=\"\(paths[0])/approval\""))
            #expect(waiting.contains("aria-label=\"Give 3 points for “Dishes”\""))
            #expect(waiting.contains("\(paths[1])?view=decline") && waiting.contains("aria-label=\"Decline “Dog”\""))
            let given = try await ada.submit("\(paths[0])/approval", ["points": "3", "from": ""])
            #expect(given.header("location") == mia)
            #expect(try given.toast() == "3 points for “Dishes”")
            let asks = try await ada.page("\(paths[1])?view=decline&from=").text
            #expect(asks.contains("id=\"decline\" open>") && asks.contains("action=\"\(paths[1])?_method=delete\""))
            let declined = try await ada.submit("\(paths[1])?_method=delete", ["from": "", "reason": ""])
            #expect(declined.header("location") == mia)
            #expect(try declined.toast() == "“Dog” declined")
            let reached = try await ada.page(mia).text
            #expect(!reached.contains("id=\"requests\"") && reached.contains("<span class=\"family-plus\">+3</span>"))
            #expect(reached.contains("aria-label=\"Undo 3 points for “Dishes”\""))
            #expect(try await ada.score(of: mia) == [3, 3, 1])

            let handover = "\(contract)/levels/1/handover"
            #expect(reached.contains("action=\"\(handover)?_method=put\""))
            #expect(reached.contains("aria-checked=\"false\" aria-label=\"“Reward 1” handed over\""))
            let ticked = try await ada.submit("\(handover)?_method=put", [:])
            #expect(ticked.header("location") == mia)
            let over = try await ada.page(mia).text
            #expect(over.contains("aria-checked=\"true\" aria-label=\"“Reward 1” handed over\""))
            let levels = try await ada.send(.get, mia).object().object("contract").list("levels")
            #expect(levels[0].text("handedOverAt") != nil)
        }
    }
}
