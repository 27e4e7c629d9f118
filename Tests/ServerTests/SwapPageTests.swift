import HTTPTypes
import Testing

/// Swaps of turns, on the pages of two children and a parent. Mia's turn is today, Ben's tomorrow.
@Suite("Family: pages of swaps")
struct SwapPageTests {
    /// A family in which two children take turns with the dishes.
    private struct Home: Sendable {
        let family: ScheduleFixture
        let dishes: String
        let mia: FamilyTestClient
        let ben: FamilyTestClient

        init(_ site: FamilyTestServer) async throws {
            family = try await ScheduleFixture(site)
            dishes = try await family.ada.chore()
            try await family.schedule(dishes, for: [family.mia, family.ben], with: ["distribution": "turns"])
            mia = try await family.device(of: family.mia)
            ben = try await family.device(of: family.ben)
        }

        /// Asks by Mia's form for a swap of today's turn for Ben's of tomorrow, and returns the path of the swap.
        func ask() async throws -> String {
            let asked = try await mia.submit(
                "\(family.mia)/swaps",
                ["turn": "\(dishes) \(ScheduleFixture.firstDay)", "otherTurn": "\(dishes) 2026-03-02"])
            #expect(asked.header("location") == "/family/swaps", "\(asked.text)")
            #expect(try asked.toast() == "Ben was asked")
            let open = try await family.ada.send(.get, "/family/swaps").object().texts("items", "id")
            return "/family/swaps/\(try #require(open.first ?? nil))"
        }
    }

    @Test("F-36-N, F-36-A: A swap needs the agreement of the other child, and then of a parent")
    func agreement() async throws {
        try await withFamilies { site in
            let home = try await Home(site)
            let family = home.family
            let today = try await home.mia.page("/family/today").text
            #expect(today.contains("href=\"\(family.mia)/swaps/new?turn="))
            #expect(today.contains("aria-label=\"Swap “Dishes”\""))
            let form = try await home.mia.page("\(family.mia)/swaps/new").text
            #expect(form.contains("name=\"turn\" value=\"\(home.dishes) \(ScheduleFixture.firstDay)\""))
            #expect(form.contains("name=\"otherTurn\" value=\"\(home.dishes) 2026-03-02\""))
            #expect(form.contains("Ben: Dishes"))
            let swap = try await home.ask()
            let acceptance = "\(swap)/acceptance"
            let approval = "\(swap)/approval"
            #expect(try await home.ben.page("/notifications").text.contains("Mia wants to swap with you"))
            #expect(try await home.ben.page("/family").text.contains("1 swap is waiting"))
            #expect(try await home.ben.page("/family/swaps").text.contains("action=\"\(acceptance)?_method=put\""))
            #expect(try await !home.mia.page("/family/swaps").text.contains("action=\"\(acceptance)?_method=put\""))
            for person in [home.mia, family.ada] {
                #expect(try await person.send(.put, acceptance).status == 403, "\(person.name)")
            }
            for child in [home.mia, home.ben] {
                #expect(try await child.send(.put, approval).status == 403, "\(child.name)")
            }
            #expect(try await family.ada.send(.put, approval).status == 409)
            let accepted = try await home.ben.submit("\(acceptance)?_method=put", [:])
            #expect(accepted.header("location") == "/family/swaps")
            #expect(try accepted.toast() == "Waiting for a parent")
            #expect(try await home.ben.page("/family/swaps").text.contains("Waiting for a parent"))
            for page in ["/family", "/family/today"] {
                let text = try await family.ada.page(page).text
                #expect(text.contains("href=\"/family/swaps\"") && text.contains("1 swap is waiting"), "\(page)")
            }
            #expect(try await family.ada.page("/family/swaps").text.contains("action=\"\(approval)?_method=put\""))
            #expect(try await family.due() == ["due Mia Dishes"])
            let approved = try await family.ada.submit("\(approval)?_method=put", [:])
            #expect(approved.header("location") == "/family/today")
            #expect(try approved.toast() == "The turns are swapped")
            #expect(try await family.due() == ["due Ben Dishes"])
            #expect(try await family.today(of: family.ben).contains("aria-label=\"Give 1 point for “Dishes”\""))
            #expect(try await home.mia.page("/family/swaps").text.contains("No swaps are waiting"))
        }
    }

    @Test("F-36-B: A declined and a withdrawn swap change no turn, and the other child is notified")
    func removal() async throws {
        try await withFamilies { site in
            let home = try await Home(site)
            for (ending, other) in [(home.ben, home.mia), (home.mia, home.ben)] {
                let swap = try await home.ask()
                let button = try await ending.page("/family/swaps").text
                #expect(button.contains("action=\"\(swap)?_method=delete\""), "\(ending.name)")
                let ended = try await ending.submit("\(swap)?_method=delete", [:])
                #expect(ended.header("location") == "/family/swaps", "\(ending.name)")
                #expect(try ended.toast() == "The turns stay as they are")
                for person in [home.mia, home.ben, home.family.ada] {
                    let left = try await person.page("/family/swaps").text
                    #expect(left.contains("No swaps are waiting"), "\(ending.name), \(person.name)")
                }
                let told = try await other.notifications().map { $0.text("title") }
                #expect(told.contains("Swap declined: Dishes"), "\(other.name)")
                #expect(try await home.family.due() == ["due Mia Dishes"])
            }
        }
    }
}
