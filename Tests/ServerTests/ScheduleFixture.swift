import HTTPTypes
import Testing

/// A parent with two children, for tests of chores that are due on certain days. The clock of the server shows Sunday,
/// 2026-03-01 at 12:00 UTC.
struct ScheduleFixture: Sendable {
    static let firstDay = "2026-03-01"

    let ada: FamilyTestClient
    let mia: String
    let ben: String

    init(_ site: FamilyTestServer) async throws {
        ada = try await site.parent("Ada")
        mia = try await ada.child()
        ben = try await ada.child("Ben")
    }

    /// The id in a child's path.
    static func id(_ child: String) -> String { String(child.dropFirst("/family/children/".count)) }

    static func schedule(of chore: String) -> String { "/family/chores/\(chore)/schedule" }

    /// Makes a chore due every day from today, for these children.
    func schedule(
        _ chore: String, for children: [String], with changes: [String: any Sendable] = [:]
    ) async throws {
        var body: [String: any Sendable] = [
            "childIds": children.map { Self.id($0) }, "startsOn": Self.firstDay, "rule": "FREQ=DAILY",
        ]
        body.merge(changes) { _, new in new }
        let reply = try await ada.send(.put, Self.schedule(of: chore), json: body)
        #expect(reply.status == 200, "\(reply.text)")
    }

    /// State, child and chore of each entry on *Today*, except the next ones.
    func due() async throws -> [String] {
        try await ada.send(.get, "/family/today").object().list("items")
            .filter { $0.text("state") != "next" }
            .map { entry in
                let name = entry.text("childId") == Self.id(mia) ? "Mia" : "Ben"
                return "\(entry.text("state") ?? "") \(name) \(entry.text("name") ?? "")"
            }
    }

    /// The part of *Today* about a child; empty without one.
    func today(of child: String) async throws -> String {
        let page = try await ada.page("/family/today").text
        guard let start = page.firstRange(of: "id=\"today-\(Self.id(child))\"") else { return "" }
        let rest = page[start.upperBound...]
        let end = rest.firstRange(of: "</section>")?.lowerBound ?? rest.endIndex
        return String(rest[..<end])
    }

    /// Signs in a child's device.
    func device(of child: String) async throws -> FamilyTestClient { try await ada.site.device(of: child, by: ada) }
}
