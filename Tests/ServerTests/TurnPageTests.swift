import Family
import HTTPTypes
import Server
import TestSupport
import Testing

/// What children do and see on *Today*. The clock of the server shows Sunday, 2026-03-01 at 12:00 UTC.
@Suite("Family: Today for children")
struct TurnPageTests {
    private typealias Home = ScheduleFixture

    private static let day: Int64 = 24 * 60 * 60

    @Test("F-26-A: A chore that one child claimed or reported is refused to another, and each page shows who does it")
    func claims() async throws {
        try await withFamilies { site in
            let home = try await Home(site)
            let dishes = try await home.ada.chore()
            try await home.schedule(dishes, for: [home.mia, home.ben], with: ["distribution": "first"])
            let mia = try await home.device(of: home.mia)
            let ben = try await home.device(of: home.ben)
            func turn(of child: String) -> String { "\(child)/turns/\(dishes)/\(Home.firstDay)" }
            let claim = "aria-label=\"I’ll do “Dishes”\""
            for child in [mia, ben] { #expect(try await child.page("/family/today").text.contains(claim)) }
            let claimed = try await mia.submit("\(turn(of: home.mia))?_method=put", [:])
            #expect(claimed.header("location") == "/family/today")
            #expect(try claimed.toast() == "It’s your turn now")
            #expect(try await mia.page("/family/today").text.contains("aria-label=\"I have done “Dishes”\""))
            #expect(try await !ben.page("/family/today").text.contains(claim))
            #expect(try await home.today(of: home.mia).contains("aria-label=\"Give 1 point for “Dishes”\""))
            #expect(try await ben.send(.put, turn(of: home.ben)).status == 409)
            let late = try await ben.submit("\(turn(of: home.ben))?_method=put", [:])
            #expect(late.header("location") == "/family/today")
            #expect(try await home.due() == ["due Mia Dishes"])
            let returned = try await mia.submit("\(turn(of: home.mia))?_method=delete", [:])
            #expect(returned.header("location") == "/family/today")
            #expect(try returned.toast() == "Any child can claim it again")
            // A report is a claim, too.
            let reported = try await ben.submit(
                "\(home.ben)/requests", ["choreId": dishes, "occurrence": Home.firstDay, "from": "today"])
            #expect(reported.header("location") == "/family/today")
            #expect(try await ben.page("/family/today").text.contains("Waiting for a parent"))
            #expect(try await home.today(of: home.ben).contains("aria-label=\"Give 2 points for “Dishes”\""))
            #expect(try await !mia.page("/family/today").text.contains(claim))
            #expect(try await mia.send(.put, turn(of: home.mia)).status == 409)
        }
    }

    @Test("F-44-N, F-44-B: A skipped date isn't due, the turns of the others stay, and it is made due again")
    func skips() async throws {
        try await withFamilies { site in
            let home = try await Home(site)
            let dishes = try await home.ada.chore()
            try await home.schedule(dishes, for: [home.mia, home.ben], with: ["distribution": "turns"])
            let mia = try await home.device(of: home.mia)
            func dates() async throws -> [Substring] {
                let page = try await home.ada.page(Home.schedule(of: dishes)).text
                let list = try #require(page.firstRange(of: "id=\"schedule-dates\""))
                return page[list.upperBound...].split(separator: "<li id=\"date-").dropFirst().map { $0 }
            }
            let planned = try await dates()
            #expect(planned.count == 6)
            let skip = "/family/chores/\(dishes)/skips/\(Home.firstDay)"
            #expect(planned[0].contains("Mia") && planned[0].contains("action=\"\(skip)?_method=put\""))
            #expect(planned[1].contains("Ben") && planned[2].contains("Mia"))
            let skipped = try await home.ada.submit("\(skip)?_method=put", ["from": ""])
            #expect(skipped.header("location") == "\(Home.schedule(of: dishes))#schedule-dates")
            #expect(try skipped.toast() == "Skipped: the chore isn’t due on this day")
            let without = try await dates()
            #expect(without[0].contains("Skipped") && without[0].contains("action=\"\(skip)?_method=delete\""))
            #expect(without[1].contains("Ben") && without[2].contains("Mia"))
            #expect(try await home.due() == [])
            #expect(try await mia.page("/notifications").text.contains("Not due: Dishes"))
            let due = try await home.ada.submit("\(skip)?_method=delete", ["from": ""])
            #expect(try due.toast() == "The chore is due on this day again")
            #expect(try await dates()[0].contains("Mia"))
            #expect(try await home.due() == ["due Mia Dishes"])
        }
    }

    @Test("F-38-N, F-38-B: Points that a form promises are shown on Today; each child is notified of a bounty")
    func bounty() async throws {
        try await withFamilies { site in
            let home = try await Home(site)
            let car = try await home.ada.chore("Wash the car")
            #expect(try await home.ada.page(Home.schedule(of: car)).text.contains("name=\"offeredPoints\" value=\"3\""))
            let saved = try await home.ada.submit(
                "\(Home.schedule(of: car))?_method=put",
                [
                    "childIds": Home.id(home.mia), "childIds": Home.id(home.ben), "distribution": "first",
                    "repeats": "once", "dayPart": "any", "offeredPoints": "3", "startsOn": Home.firstDay,
                    "timeZone": "UTC",
                ])
            #expect(saved.header("location") == "/family/chores/\(car)/edit", "\(saved.text)")
            #expect(try saved.toast().hasPrefix("“Wash the car”: Once"))
            for child in [home.mia, home.ben] {
                let device = try await home.device(of: child)
                #expect(try await device.page("/notifications").text.contains("Bounty: Wash the car, 3 points"))
                #expect(try await device.page("/family/today").text.contains("3 points</span>"), "\(device.name)")
            }
        }
    }

    @Test("F-39-B, F-39-A: Today continues a streak, one day is none, and a missed day ends it without a message")
    func streak() async throws {
        try await withFamilies { site in
            let home = try await Home(site)
            let dishes = try await home.ada.chore()
            try await home.schedule(dishes, for: [home.mia, home.ben])
            let mia = try await home.device(of: home.mia)
            let ben = try await home.device(of: home.ben)
            func report(_ device: FamilyTestClient, day: Int) async throws {
                let asked = try await device.send(
                    .post, "/family/children/\(device.id)/requests",
                    json: ["choreId": dishes, "occurrence": "2026-03-0\(day)"])
                #expect(asked.status == 201, "\(asked.text)")
            }
            func passADay() async throws {
                site.clock.advance(seconds: Self.day)
                try await site.server.services.family.housekeeping.run()
            }
            for day in 1...4 {
                try await report(mia, day: day)
                try await passADay()
            }
            try await report(ben, day: 5)
            #expect(try await mia.page("/family").text.contains("4 days in a row"))
            #expect(try await home.today(of: home.mia).contains("4 days in a row"))
            #expect(try await !home.today(of: home.ben).contains("in a row"))
            let told = try await mia.notifications().count
            try await report(mia, day: 5)
            #expect(try await mia.page("/family/today").text.contains("5 days in a row"))
            #expect(try await home.today(of: home.mia).contains("5 days in a row"))
            for _ in 0..<2 { try await passADay() }
            #expect(try await !home.today(of: home.mia).contains("in a row"))
            #expect(try await !mia.page("/family").text.contains("in a row"))
            #expect(try await mia.notifications().count == told)
        }
    }
}
