import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Points, levels and rewards on the page of a child.
@Suite("Family: points on the page of a child")
struct PointsPageTests {
    /// The text of a figure, without its icon.
    private static func figure(_ id: String, in page: String) throws -> Substring {
        let start = try #require(page.firstRange(of: "id=\"\(id)\">"))
        let rest = page[start.upperBound...]
        let end = try #require(rest.firstRange(of: "</dd>"))
        return try #require(rest[..<end.lowerBound].split(separator: ">").last)
    }

    private static func rewards(in page: String) throws -> Substring {
        let start = try #require(page.firstRange(of: "id=\"rewards\""))
        let end = try #require(page.firstRange(of: "id=\"finished\""))
        return page[start.upperBound..<end.lowerBound]
    }

    @Test("F-11-N: Points and levels follow each assignment and each undo", arguments: Engine.allCases)
    func follows(engine: Engine) async throws {
        try await withFamilies(engine) { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            _ = try await ada.contract(of: mia)
            func expect(gained: Int, level: Int, achievement: Int, lost: Int = 0) async throws {
                let page = try await ada.page(mia).text
                #expect(try Self.figure("gained", in: page) == "\(gained) of 10")
                #expect(try Self.figure("level", in: page) == "\(level)")
                #expect(try Self.figure("achievement", in: page) == "\(achievement)")
                #expect(try await ada.score(of: mia) == [gained, achievement, level])
                let rewards = try Self.rewards(in: page)
                #expect(rewards.components(separatedBy: "Lost again").count == lost + 1, "\(gained)")
                #expect(rewards.contains("2 points above the maximum") == (achievement == 12))
            }
            var booked: [String] = []
            for (points, gained, level, achievement) in [
                (3, 3, 1, 3), (2, 5, 1, 5), (1, 6, 2, 6), (3, 9, 2, 9), (1, 10, 3, 10), (2, 10, 3, 12),
            ] {
                booked += try await ada.assign([dishes: points], to: mia)
                try await expect(gained: gained, level: level, achievement: achievement)
            }
            for (gained, level, achievement, lost) in [
                (10, 3, 10, 0), (9, 2, 9, 1), (6, 2, 6, 1), (5, 1, 5, 2), (3, 1, 3, 2), (0, 0, 0, 3),
            ] {
                let last = booked.removeLast()
                #expect(try await ada.send(.delete, "\(mia)/assignments/\(last)").status == 204)
                try await expect(gained: gained, level: level, achievement: achievement, lost: lost)
            }
        }
    }
}
