import HTTPTypes
import Testing

/// The first steps of a new family, and the catalogue of chores.
@Suite("Family: first steps")
struct FirstStepsPageTests {
    @Test("F-19-N, F-19-B: Each step leads to its page and is marked as done, and the list ends with the last one")
    func steps() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            func list() async throws -> Substring {
                let page = try await ada.page("/family").text
                let start = try #require(page.firstRange(of: "id=\"first-steps\""))
                let rest = page[start.upperBound...]
                let end = try #require(rest.firstRange(of: "</ol>"))
                return rest[..<end.lowerBound]
            }
            func expect(done: Int, links: [String]) async throws {
                let steps = try await list()
                #expect(steps.ranges(of: ">Done<").count == done)
                #expect(steps.matches(of: #/class="row" href="([^"]+)"/#).map { String($0.output.1) } == links)
            }
            let catalogue = "/family/starter-chores"
            try await expect(done: 0, links: ["/family/children/new", catalogue])
            let mia = try await ada.child()
            let later = ["\(mia)/contracts/new", "\(mia)/sign-in-codes"]
            try await expect(done: 1, links: [catalogue] + later)
            let added = try await ada.submit(catalogue, ["chores": "make-bed", "chores": "read"])
            #expect(added.header("location") == "/family")
            #expect(try added.toast() == "2 chores added")
            try await expect(done: 2, links: ["/family/chores"] + later)
            #expect(try await ada.page("/family").text.contains("2 chores, 2 not scheduled"))
            let chores = try await ada.send(.get, "/family/chores").object().texts("items", "id")
            let schedule = "/family/chores/\(try #require(chores.first ?? nil))/schedule"
            #expect(try await ada.page("/family/chores").text.contains("href=\"\(schedule)"))
            let planned = try await ada.submit(
                "\(schedule)?_method=put",
                [
                    "from": "chores", "childIds": String(mia.dropFirst("/family/children/".count)),
                    "repeats": "daily", "dayPart": "any", "startsOn": "2026-03-01", "timeZone": "UTC",
                ])
            // The page from which the parent came is shown again.
            #expect(planned.header("location") == "/family/chores", "\(planned.text)")
            let plan = try await ada.page("/family/chores").text
            #expect(plan.contains("Every day") && plan.contains("Mia") && plan.contains("Not scheduled"))
            try await expect(done: 3, links: later)
            #expect(try await ada.page("/family").text.contains("2 chores, 1 not scheduled"))
            _ = try await ada.contract(of: mia)
            try await expect(done: 4, links: [later[1]])
            _ = try await site.device(of: mia, by: ada)
            #expect(try await !ada.page("/family").text.contains("id=\"first-steps\""))
        }
    }

    @Test("F-19-A: Hidden first steps stay hidden")
    func hidden() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let form = "action=\"/family/first-steps?_method=delete\" data-confirm=\"Hide the first steps?\""
            #expect(try await ada.page("/family").text.contains(form))
            let left = try await ada.submit("/family/first-steps?_method=delete", [:])
            #expect(left.header("location") == "/family")
            for _ in 0..<2 {
                let page = try await ada.page("/family").text
                #expect(!page.contains("id=\"first-steps\"") && page.contains("No children yet"))
            }
        }
    }

    @Test("F-20-A, F-20-B: Chores of the catalogue are added once, and none without a choice")
    func catalogue() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let path = "/family/starter-chores"
            let refused = try await ada.submit(path, ["idempotencyKey": "without a choice"])
            #expect(refused.status == 422)
            #expect(refused.text.contains("role=\"alert\">Choose at least one chore.</p>"))
            #expect(try await ada.names("/family/chores") == [])
            let choice = "name=\"chores\" value=\"feed-pet\""
            #expect(try await ada.page(path).text.contains(choice))
            let added = try await ada.submit(path, ["chores": "feed-pet"])
            #expect(added.header("location") == "/family")
            #expect(try added.toast() == "1 chore added")
            let page = try await ada.page(path).text
            #expect(page.contains("<span hx-disable>Feed the pet</span><span class=\"badge\">Added</span>"))
            #expect(!page.contains(choice))
            let more = try await ada.send(.post, path, json: ["chores": ["feed-pet", "read"]])
            #expect(more.status == 201)
            #expect(try more.object().texts("items", "name") == ["Read a book"])
            #expect(try await ada.names("/family/chores") == ["Feed the pet", "Read a book"])
            #expect(try await ada.send(.post, path, json: ["chores": ["read", "fly"]]).status == 422)
        }
    }
}
