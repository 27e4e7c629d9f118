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
            #expect(empty.marked == ["name"])
            #expect(empty.text.contains(nameError) && empty.text.contains(pictureError))
            let named = try await ada.submit("/family/chores", ["name": "Set the table", "pictureId": ""])
            #expect(named.status == 422)
            #expect(named.marked.isEmpty)
            #expect(named.text.contains("value=\"Set the table\"") && named.text.contains(pictureError))
            let pictured = try await ada.submit("/family/chores", ["name": "", "pictureId": site.picture])
            #expect(pictured.status == 422)
            #expect(pictured.marked == ["name"])
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

    @Test("F-35-A: Hours that are not from 1 to 168 are marked and stay in the form, and a child sets none")
    func hours() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            let path = "/family/chores/\(dishes)"
            for typed in ["0", "169"] {
                let refused = try await ada.submit(
                    "\(path)?_method=patch",
                    [
                        "version": "1", "name": "Dishes", "pictureId": site.picture, "automaticHours": typed,
                        "automaticPoints": "2",
                    ])
                #expect(refused.status == 422, "\(typed)")
                #expect(refused.marked == ["automaticHours"], "\(typed)")
                #expect(
                    refused.text.contains(
                        "id=\"automaticHours-error\">Enter the hours as a whole number, from 1 to 168.<"), "\(typed)")
                #expect(
                    refused.text.contains("name=\"automaticHours\" type=\"text\" value=\"\(typed)\""), "\(typed)")
                #expect(refused.text.contains("id=\"automatic\" open>"), "\(typed)")
            }
            let device = try await site.device(of: mia, by: ada)
            let refused = try await device.send(.patch, path, json: ["automaticHours": 1, "automaticPoints": 3])
            #expect(refused.status == 403)
            #expect(try await ada.send(.get, path).object().isNull("automaticHours"))
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
            #expect(refused.marked == ["maxPoints"])
            #expect(refused.text.contains("id=\"maxPoints-error\">Enter the maximum as a whole number, from 1 to"))
            #expect(refused.text.contains("name=\"maxPoints\" type=\"text\" value=\"\(typed)\""))
            #expect(refused.text.contains("name=\"levels.0.reward\" value=\"Zoo\""))
            #expect(try await ada.send(.get, mia).object().isNull("contract"))
        }
    }

    @Test("F-22-A: Without a maximum, the levels are added up; only a level without points is marked")
    func sumOfLevels() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let refused = try await ada.submit(
                "\(mia)/contracts",
                [
                    "maxPoints": "", "levels.0.reward": "Zoo", "levels.0.points": "4", "levels.1.reward": "Park",
                    "levels.1.points": "",
                ])
            #expect(refused.status == 422)
            #expect(refused.marked == ["levels.1.points"])
            #expect(!refused.text.contains("id=\"levels-1-points-error\"></p>"))
            #expect(refused.text.contains("name=\"levels.1.reward\" value=\"Park\""))
            let added = try await ada.submit(
                "\(mia)/contracts", ["maxPoints": "", "levels.0.reward": "Zoo", "levels.0.points": "4"])
            #expect(added.header("location") == mia)
            let contract = try await ada.send(.get, mia).object().object("contract")
            #expect(contract.number("maxPoints") == 4)
        }
    }

    @Test("F-34-A: A missing step or photo, and an eleventh step, are marked, and what was entered stays")
    func proof() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            let path = "/family/chores/\(dishes)"
            let requests = "\(mia)/requests"
            let set = try await ada.send(.patch, path, json: ["steps": ["Wash", "Dry"], "needsPhoto": true])
            #expect(set.status == 200, "\(set.text)")
            let device = try await site.device(of: mia, by: ada)
            let missing = try await device.submit(
                requests,
                [
                    "choreId": dishes, "occurrence": "", "from": "", "proof": "true", "steps": "Wash",
                    "pictureId": "",
                ])
            #expect(missing.status == 422)
            #expect(missing.text.contains("id=\"steps-error\" role=\"alert\">Tick off every step first.<"))
            #expect(missing.text.contains("data-photo-error>Add a photo of what you have done.<"))
            #expect(missing.text.contains("name=\"steps\" value=\"Wash\" checked>"))
            #expect(missing.text.contains("name=\"steps\" value=\"Dry\">"))
            let none = try await device.send(.post, requests, json: ["choreId": dishes])
            #expect(none.status == 422)
            #expect(try none.error().object("fields").keys == ["pictureId", "steps"])
            let noPhoto = try await device.send(
                .post, requests, json: ["choreId": dishes, "steps": ["Wash", "Dry"]])
            #expect(noPhoto.status == 422)
            #expect(try noPhoto.error().object("fields").keys == ["pictureId"])
            let oneStep = try await device.send(
                .post, requests, json: ["choreId": dishes, "steps": ["Wash"], "pictureId": site.picture])
            #expect(oneStep.status == 422)
            #expect(try oneStep.error().object("fields").keys.contains("steps"))
            #expect(try await ada.send(.get, requests).object().list("items").isEmpty)

            let eleven = (0...10).map { "Step \($0)" }.joined(separator: "\n")
            let long = try await ada.submit(
                "\(path)?_method=patch",
                ["version": "2", "name": "Dishes", "pictureId": site.picture, "steps": eleven])
            #expect(long.status == 422)
            #expect(try long.control("steps").contains("aria-invalid=\"true\""))
            #expect(long.text.contains("id=\"steps-error\">A chore has at most 10 steps.<"))
            #expect(long.text.contains("Step 10</textarea>"))
            let stored = try await ada.send(.get, path).object()
            #expect(stored.members["steps"] as? [String] == ["Wash", "Dry"])
        }
    }

    @Test("F-34-N: Steps are entered one per line, and the form shows their number and that a photo is required")
    func steps() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let path = "/family/chores/\(try await ada.chore())"
            let saved = try await ada.submit(
                "\(path)?_method=patch",
                [
                    "version": "1", "name": "Dishes", "pictureId": site.picture,
                    "steps": "Wash\r\nDry\r\n\r\nPut away", "needsPhoto": "true",
                ])
            #expect(try saved.toast() == "“Dishes” is updated")
            let stored = try await ada.send(.get, path).object()
            #expect(stored.members["steps"] as? [String] == ["Wash", "Dry", "Put away"])
            #expect(stored.flag("needsPhoto") == true)
            #expect(try await ada.page("\(path)/edit").text.contains("3 steps, photo"))
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

    @Test("F-11-N: Points that a parent takes back are marked as undone, and the contract shows the lost reward")
    func undoes() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            _ = try await ada.contract(of: mia)
            let dishes = try await ada.chore()
            let given = try await ada.assign([dishes: 3], to: mia)
            let undo = "\(mia)/assignments/\(given[0])?_method=delete"
            let before = try await ada.page(mia).text
            #expect(before.contains("action=\"\(undo)\"") && before.contains("id=\"gained\">3 of 10<"))
            #expect(before.contains("data-confirm=\"Take back 3 points for “Dishes”?\""))
            #expect(before.contains("aria-label=\"Undo 3 points for “Dishes”\""))
            #expect(!before.contains(">Undone<") && !before.contains("Lost again"))
            let undone = try await ada.submit(undo, [:])
            #expect(undone.header("location") == mia)
            let after = try await ada.page(mia).text
            #expect(after.contains(">Undone<") && after.contains("Lost again"))
            #expect(after.contains("id=\"gained\">0 of 10<") && !after.contains("action=\"\(undo)\""))
            #expect(try await ada.score(of: mia) == [0, 0, 0])
        }
    }

    @Test("A parent approves or declines on the child's page, and marks a reached reward as handed over")
    func childPage() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let contract = try await ada.contract(of: mia)
            let dishes = try await ada.chore()
            let dog = try await ada.chore("Dog")
            let device = try await site.device(of: mia, by: ada)
            let paths = [try await device.request(dishes, for: mia), try await device.request(dog, for: mia)]
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
