import Foundation
import HTTPTypes
import Testing

@Suite("Family: the page of the set-up")
struct FamilySetupPageTests {
    @Test("F-41-A: Wrong fields of the set-up are marked, what was entered stays, and nothing is added")
    func refusals() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let refused = try await ada.submit(
                "/family/setup",
                [
                    "name": "", "dateOfBirth": "2014-05-12", "age": "10", "hasReward": "on", "reward": "",
                    "points": "many", "timeZone": "UTC",
                ])
            #expect(refused.status == 422)
            for field in ["name", "reward", "points"] {
                #expect(try refused.control(field).contains("aria-invalid=\"true\""), "\(field)")
                #expect(!refused.text.contains("id=\"\(field)-error\"></p>"), "\(field)")
            }
            #expect(refused.text.components(separatedBy: "aria-invalid=\"true\"").count == 4)
            #expect(refused.text.contains("role=\"alert\">Choose at least one chore.</p>"))
            #expect(try refused.control("dateOfBirth").contains("value=\"2014-05-12\""))
            #expect(try refused.control("points").contains("value=\"many\""))
            let ages = refused.text.matches(of: #/name="age" value="(\d+)"[^>]* checked>/#)
            #expect(ages.map { String($0.output.1) } == ["10"])
            // A child born before its parent is only found when it is stored: no chore of the request stays.
            let older = try await ada.send(
                .post, "/family/setup",
                json: [
                    "name": "Mia", "dateOfBirth": "1950-01-01", "chores": ["make-bed"], "reward": "Zoo", "points": 9,
                ])
            #expect(older.status == 422)
            #expect(try older.error().object("fields").keys == ["dateOfBirth"])
            #expect(try await ada.names("/family/children") == [])
            #expect(try await ada.names("/family/chores") == [])
        }
    }

    @Test("F-41-B: A second child joins the chores that each child does, and needs no reward")
    func secondChild() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let set = try await ada.send(
                .post, "/family/setup",
                json: [
                    "name": "Mia", "dateOfBirth": "2017-05-12", "chores": ["make-bed", "read"], "reward": "Zoo",
                    "points": 9,
                ])
            #expect(set.status == 201, "\(set.text)")
            let form = try await ada.page("/family/setup/new").text
            let suggested = form.matches(of: #/name="chores\.7" value="([^"]+)" checked>/#)
            #expect(Set(suggested.map { String($0.output.1) }) == ["make-bed", "homework", "read"])
            let added = try await ada.submit(
                "/family/setup",
                [
                    "name": "Ben", "dateOfBirth": "2017-05-13", "age": "7", "chores.7": "make-bed",
                    "chores.7": "homework", "chores.7": "read", "reward": "A game night", "points": "10",
                    "timeZone": "UTC",
                ])
            let children = try await ada.send(.get, "/family/children").object().list("items")
            #expect(children.map { $0.text("name") } == ["Mia", "Ben"])
            let ids = children.compactMap { $0.text("id") }
            let mia = try #require(ids.first)
            let ben = try #require(ids.last)
            #expect(added.header("location") == "/family/children/\(ben)/sign-in-codes?from=setup")
            #expect(children.map { $0.isNull("contract") } == [false, true])
            let chores = try await ada.send(.get, "/family/chores").object()
            #expect(try chores.texts("items", "name") == ["Make your bed", "Read a book", "Homework"])
            for (chore, doing) in zip(try chores.texts("items", "id"), [[mia, ben], [mia, ben], [ben]]) {
                let schedule = try await ada.send(.get, "/family/chores/\(chore ?? "")/schedule").object()
                let planned = schedule.members["childIds"] as? [String] ?? []
                #expect(Set(planned) == Set(doing))
            }
        }
    }
}
