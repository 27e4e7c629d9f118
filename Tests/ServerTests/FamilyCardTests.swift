import Foundation
import HTTPTypes
import Kernel
import TestSupport
import Testing

/// The cards of children, for parents and for the child.
@Suite("Family: cards of children")
struct FamilyCardTests {
    /// The figures on the card of a child on a parent's dashboard.
    private static func figures(of child: String, in page: String) throws -> Substring {
        let name = try #require(page.firstRange(of: "family-card-name\" hx-disable href=\"\(child)\">"))
        let rest = page[name.upperBound...]
        let end = try #require(rest.firstRange(of: "</dl>"))
        return rest[..<end.lowerBound]
    }

    @Test("F-07-A: Two children with the same name have separate cards with their own points")
    func sameName() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let first = try await ada.child("Mia")
            let added = try await ada.submit("/family/children", ["name": "Mia", "dateOfBirth": "2017-05-12"])
            #expect(added.header("location") == "/family")
            let ids = try await ada.send(.get, "/family/children").object().texts("items", "id").compactMap(\.self)
            let paths = ids.map { "/family/children/\($0)" }
            #expect(paths.count == 2 && paths.contains(first))
            let dishes = try await ada.chore()
            try await ada.assign([dishes: 3], to: first)
            let page = try await ada.page("/family").text
            for path in paths {
                let figures = try Self.figures(of: path, in: page)
                #expect(figures.hasPrefix("Mia</a>"))
                #expect(figures.contains(path == first ? "3 in all" : "0 in all"))
            }
        }
    }

    @Test("Points that a parent promised are marked among the choices of the request")
    func promisedPoints() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let car = try await ada.chore("Car")
            let device = try await site.device(of: mia, by: ada)
            let today = String(site.clock.now.rfc3339.prefix(10))
            let schedule: [String: any Sendable] = [
                "childIds": [device.id], "startsOn": today, "rule": "FREQ=DAILY", "offeredPoints": 3,
            ]
            let planned = try await ada.send(.put, "/family/chores/\(car)/schedule", json: schedule)
            #expect(planned.status == 200, "\(planned.text)")
            let asked = try await device.send(.post, "\(mia)/requests", json: ["choreId": car, "occurrence": today])
            #expect(asked.status == 201, "\(asked.text)")
            let page = try await ada.page("/family").text
            #expect(page.contains("3 points</span>"))
            #expect(page.components(separatedBy: "is-offered").count == 2)
            #expect(page.contains("is-offered\" type=\"submit\" name=\"points\" value=\"3\""))
        }
    }

    @Test("Without a contract, parent and child see the points to spend instead of a level")
    func withoutContract() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            try await ada.assign([dishes: 3], to: mia)
            let figures = try Self.figures(of: mia, in: try await ada.page("/family").text)
            #expect(figures.contains("3 points to spend") && !figures.lowercased().contains("level"))
            let device = try await site.device(of: mia, by: ada)
            let dashboard = try await device.page("/family").text
            let start = try #require(dashboard.firstRange(of: "<article class=\"my-card\" id=\"child-\(device.id)\""))
            let rest = dashboard[start.lowerBound...]
            let end = try #require(rest.firstRange(of: "</article>"))
            let card = rest[..<end.lowerBound]
            #expect(card.contains("3 points to spend") && !card.contains("Level"))
        }
    }

    @Test("A chore can be reported again on the same day, and the child sees that it was already reported")
    func reportsAgain() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            try await ada.assign([dishes: 3], to: mia)
            let device = try await site.device(of: mia, by: ada)
            let before = try await device.page(mia).text
            #expect(before.contains("id=\"again-\(dishes)\"") && before.contains("Already reported today"))
            #expect(before.contains("aria-label=\"I have done “Dishes”\""))
            #expect(!before.contains("Waiting for a parent"))
            let asked = try await device.submit("\(mia)/requests", ["choreId": dishes])
            #expect(asked.status == 303, "\(asked.text)")
            let after = try await device.page(mia).text
            #expect(after.contains("id=\"waiting-\(dishes)\"") && after.contains("Waiting for a parent"))
            #expect(!after.contains("Already reported today"))
        }
    }
}
