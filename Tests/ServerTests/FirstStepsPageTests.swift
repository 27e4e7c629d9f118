import HTTPTypes
import Testing

/// The first steps of a new family, and the catalogue of chores.
@Suite("Family: first steps")
struct FirstStepsPageTests {
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
