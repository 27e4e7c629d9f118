import HTTPTypes
import TestSupport
import Testing

/// Rewards, purchases, saving goals and wishes from the form to the decision, as parents, the child and a sibling see
/// them.
@Suite("Family: use of the shop")
struct ShopUsePageTests {
    /// A parent, and a child with points.
    private struct Home: Sendable {
        let ada: FamilyTestClient
        let mia: String
        let ben: String
        let device: FamilyTestClient
        let dishes: String

        init(_ site: FamilyTestServer, points: [Int] = []) async throws {
            ada = try await site.parent("Ada")
            mia = try await ada.child()
            ben = try await ada.child("Ben")
            device = try await site.device(of: mia, by: ada)
            dishes = try await ada.chore()
            for count in points { try await ada.assign([dishes: count], to: mia) }
        }

        /// The titles of a person's notifications of a kind, and their texts.
        static func told(_ person: FamilyTestClient, _ kind: String) async throws -> [[String?]] {
            try await person.notifications().filter { $0.text("kind") == kind }
                .map { [$0.text("title"), $0.text("body")] }
        }

        func spendable() async throws -> Int? { try await ada.send(.get, mia).object().number("spendablePoints") }
    }

    @Test("F-28-N, F-28-B: A suggestion fills in the form of a reward, and only the chosen children see the reward")
    func suggestion() async throws {
        try await withFamilies { site in
            let home = try await Home(site)
            let sibling = try await site.device(of: home.ben, by: home.ada)
            let empty = try await home.ada.page("/family/shop").text
            #expect(empty.contains("The shop is empty"))
            let link = "/family/shop/new?suggestion=cinema"
            #expect(empty.contains("href=\"\(link)\""))
            let form = try await home.ada.page(link)
            #expect(try form.control("name").contains("value=\"Cinema\""))
            let picture = try #require(form.text.firstMatch(of: #/name="pictureId" value="([^"]+)"/#)).output.1
            let added = try await home.ada.submit(
                "/family/shop",
                [
                    "name": "Cinema", "pictureId": String(picture), "price": "5", "for": "chosen",
                    "childIds": home.device.id, "needsApproval": "on", "stock": "2", "cooldownDays": "",
                ])
            #expect(added.header("location") == "/family/shop", "\(added.text)")
            #expect(try added.toast() == "“Cinema” is in the shop")
            let list = try await home.ada.page("/family/shop").text
            #expect(list.contains("Mia, 2 left") && list.contains("5 points") && list.contains(picture))
            #expect(try await home.device.names("/family/shop") == ["Cinema"])
            #expect(try await sibling.names("/family/shop") == [])
            #expect(try await sibling.page("/family/shop").text.contains("The shop is empty"))
        }
    }

    @Test("F-29-N: A purchase spends the points at once, and a parent approves it; both are notified")
    func approval() async throws {
        try await withFamilies { site in
            let home = try await Home(site, points: [3, 3, 1])
            let cinema = try await home.ada.reward("Cinema", price: 5, with: ["stock": 2])
            #expect(try await home.device.page("/family").text.contains("7 points to spend"))
            let bought = try await home.device.submit(
                "\(home.mia)/purchases", ["idempotencyKey": "cinema", "rewardId": cinema, "price": "5"])
            #expect(bought.header("location") == "/family/shop")
            #expect(try bought.toast() == "“Cinema”: a parent decides")
            let shop = try await home.device.page("/family/shop").text
            #expect(shop.contains("id=\"waiting\"") && shop.contains("You have 2 points to spend"))
            #expect(shop.contains("3 points to go"))
            #expect(try await Home.told(home.ada, "rewardBought").map { $0[0] } == ["Mia buys “Cinema”"])
            let waiting = try await home.ada.page("/family/shop").text
            #expect(waiting.contains("Mia · 5 points") && waiting.contains("1 left"))
            #expect(waiting.contains("aria-label=\"Approve “Cinema”\""))
            let purchases = try await home.ada.send(.get, "\(home.mia)/purchases").object().texts("items", "id")
            let purchase = "\(home.mia)/purchases/\(try #require(purchases.first ?? nil))"
            let approved = try await home.ada.submit("\(purchase)/approval", [:])
            #expect(approved.header("location") == "/family/shop")
            #expect(try approved.toast() == "“Cinema” is approved")
            #expect(try await !home.device.page("/family/shop").text.contains("id=\"waiting\""))
            #expect(try await home.device.page("\(home.mia)/purchases").text.contains(">Bought<"))
            #expect(try await Home.told(home.device, "purchaseDecided") == [["“Cinema” is yours", "Ada said yes."]])
            // The points that the child got stay as they are.
            #expect(try await home.ada.score(of: home.mia) == [0, 7, 0])
            #expect(try await home.spendable() == 2)
            let sibling = try await site.device(of: home.ben, by: home.ada)
            #expect(try await sibling.send(.get, "\(home.mia)/purchases").status == 403)
        }
    }

    @Test("F-29-A: Two devices spend the same points once, and a child neither approves a purchase nor adds a reward")
    func twoDevices() async throws {
        try await withFamilies { site in
            let home = try await Home(site, points: [3, 2])
            let cinema = try await home.ada.reward("Cinema", price: 5)
            let other = try await site.device(of: home.mia, by: home.ada)
            let purchase = try await home.device.buy(cinema, for: home.mia)
            let late = try await other.send(
                .post, "\(home.mia)/purchases", json: ["rewardId": cinema], headers: ["Idempotency-Key": "other"])
            #expect(late.status == 409)
            #expect(try await home.spendable() == 0)
            #expect(try await home.ada.send(.get, "\(home.mia)/purchases").object().list("items").count == 1)
            #expect(try await other.send(.post, "\(purchase)/approval").status == 403)
            #expect(try await other.send(.post, "/family/shop", json: ["name": "Own", "price": 1]).status == 403)
        }
    }

    @Test("F-30-N, F-30-B: Each page shows the progress of a goal, and the child is notified once when it is reached")
    func goal() async throws {
        try await withFamilies { site in
            let home = try await Home(site, points: [2])
            let zoo = try await home.ada.reward("Zoo", price: 5)
            let chosen = try await home.device.submit("\(home.mia)/goal?_method=put", ["rewardId": zoo])
            #expect(chosen.header("location") == "/family/shop", "\(chosen.text)")
            #expect(try chosen.toast() == "You’re saving for “Zoo”")
            let pages = [(home.device, "/family"), (home.device, "/family/shop"), (home.ada, home.mia)]
            for (reader, page) in pages {
                #expect(try await reader.page(page).text.contains("2 of 5 points"), "\(reader.name) \(page)")
            }
            #expect(try await home.device.page("/family/shop").text.contains("Your saving goal"))
            #expect(try await Home.told(home.device, "goalReached").isEmpty)
            for _ in 0..<2 { try await home.ada.assign([home.dishes: 3], to: home.mia) }
            let title = "Enough points for “Zoo”"
            #expect(
                try await Home.told(home.device, "goalReached") == [[title, "You have reached your saving goal."]])
            #expect(try await Home.told(home.ada, "goalReached").isEmpty, "who gave the points")
            let reached = try await home.device.page("/family").text
            #expect(reached.contains("5 of 5 points") && reached.contains("the goal is reached!"))
            #expect(reached.contains("href=\"/family/shop#reward-\(zoo)\""))
            // A parent could decline, so the goal is over once a parent approves.
            let purchase = try await home.device.buy(zoo, for: home.mia)
            #expect(try await home.device.page("/family/shop").text.contains("id=\"goal\""))
            #expect(try await home.ada.send(.post, "\(purchase)/approval").status == 201)
            #expect(try await !home.device.page("/family/shop").text.contains("id=\"goal\""))
        }
    }

    @Test("F-31-N, F-31-B: A wish becomes a reward or is declined; one that the child withdraws is gone for parents")
    func wish() async throws {
        try await withFamilies { site in
            let home = try await Home(site)
            for name in ["Kite", "Pony", "Drum"] {
                let added = try await home.device.submit("\(home.mia)/wishes", ["name": name])
                #expect(added.header("location") == "/family/shop")
                #expect(try added.toast() == "“\(name)”: a parent will look at it")
            }
            #expect(try await home.ada.page("/family").text.contains("3 wishes"))
            let asked = try await Home.told(home.ada, "wishAdded").map { $0[0] }
            #expect(Set(asked) == ["Mia wishes for “Kite”", "Mia wishes for “Pony”", "Mia wishes for “Drum”"])
            let wishes = try await home.ada.send(.get, "\(home.mia)/wishes").object().list("items")
            func id(of name: String) throws -> String {
                try #require(wishes.first { $0.text("name") == name }?.text("id"))
            }
            let kite = try id(of: "Kite")
            #expect(try await home.ada.page("/family/shop").text.contains("aria-label=\"Add “Kite” to the shop\""))
            let form = try await home.ada.page("/family/shop/new?child=\(home.device.id)&wish=\(kite)")
            #expect(try form.control("name").contains("value=\"Kite\""))
            #expect(form.text.contains("name=\"childIds\" value=\"\(home.device.id)\" checked"))
            let granted = try await home.ada.submit(
                "/family/shop",
                [
                    "wishId": kite, "wishChildId": home.device.id, "name": "Kite", "price": "9", "for": "chosen",
                    "childIds": home.device.id, "needsApproval": "on", "stock": "", "cooldownDays": "",
                ])
            #expect(granted.header("location") == "/family/shop", "\(granted.text)")
            let declined = try await home.ada.submit("\(home.mia)/wishes/\(try id(of: "Pony"))?_method=delete", [:])
            #expect(try declined.toast() == "Wish declined")
            let told = try await Home.told(home.device, "wishDecided").map { $0[0] }
            #expect(Set(told) == ["Your wish “Kite” is in the shop", "Your wish “Pony” was declined"])
            #expect(try await home.device.names("/family/shop") == ["Kite"])
            #expect(try await home.ada.names("\(home.mia)/wishes") == ["Drum"])
            let withdrawn = try await home.device.submit(
                "\(home.mia)/wishes/\(try id(of: "Drum"))?_method=delete", [:])
            #expect(try withdrawn.toast() == "Wish withdrawn")
            #expect(try await !home.ada.page("/family/shop").text.contains("id=\"wishes\""))
        }
    }
}
