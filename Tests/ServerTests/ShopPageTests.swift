import Family
import HTTPTypes
import Kernel
import TestSupport
import Testing

/// The shop in a browser without scripts, and what siblings see of it.
@Suite("Family: pages of the shop")
struct ShopPageTests {
    /// What a child's page of the shop has about a reward.
    private static func offer(_ reward: String, in page: String) throws -> Substring {
        let start = try #require(page.firstRange(of: "<li class=\"my-offer\" id=\"reward-\(reward)\">"))
        let rest = page[start.upperBound...]
        let end = try #require(rest.firstRange(of: "</li>"))
        return rest[..<end.lowerBound]
    }

    @Test("F-28-B: A reward is edited, deleted, and brought back within ten minutes")
    func edits() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            _ = try await ada.child()
            let id = try await ada.reward()
            let path = "/family/shop/\(id)"
            let link = "href=\"\(path)/edit\""
            #expect(try await ada.page("/family/shop").text.contains(link))
            let form = try await ada.page("\(path)/edit").text
            #expect(form.contains("name=\"price\" type=\"text\" value=\"5\""))
            #expect(form.contains("name=\"version\" value=\"1\""))
            // An only child needs no choice.
            #expect(!form.contains("type=\"radio\""))
            let saved = try await ada.submit(
                "\(path)?_method=put", ["version": "1", "name": "Cinema", "price": "8", "cooldownDays": "7"])
            #expect(saved.header("location") == "/family/shop")
            #expect(try saved.toast() == "“Cinema” is updated")
            let list = try await ada.page("/family/shop").text
            #expect(list.contains("once in 7 days, without approval") && list.contains("8 points"))
            #expect(try await ada.page("\(path)/edit").text.contains("name=\"price\" type=\"text\" value=\"8\""))

            let deleted = try await ada.submit("\(path)?_method=delete", [:])
            #expect(deleted.header("location") == "/family/shop")
            #expect(try deleted.toast() == "“Cinema” is deleted")
            let empty = try await ada.page("/family/shop").text
            #expect(empty.contains("The shop is empty") && !empty.contains(link))
            let undo = try #require(try deleted.toastUndo())
            #expect(undo == "\(path)/restoration")
            let back = try await ada.submit(undo, [:])
            #expect(back.header("location") == "/family/shop")
            #expect(try back.toast() == "“Cinema” is back")
            #expect(try await ada.page("/family/shop").text.contains(link))
            #expect(try await ada.submit("\(path)?_method=delete", [:]).status == 303)
            site.clock.advance(seconds: Limits.familyUndoSeconds)
            #expect(try await ada.submit(undo, [:]).status == 404)
        }
    }

    @Test("F-28-A: Every wrong field of a reward is marked, and what was entered stays")
    func wrongFields() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            _ = try await ada.child()
            let ben = try await ada.child("Ben")
            let refused = try await ada.submit(
                "/family/shop",
                ["name": "", "price": "many", "for": "chosen", "stock": "-1", "cooldownDays": "0"])
            #expect(refused.status == 422)
            #expect(refused.marked == ["name", "price", "stock", "cooldownDays"])
            for (field, typed, message) in [
                ("name", "", "Enter a reward."), ("price", "many", "Enter a whole number from 1 to 10000."),
                ("stock", "-1", "Enter a whole number from 0 to 1000."),
                ("cooldownDays", "0", "Enter a whole number from 1 to 365."),
            ] {
                #expect(refused.text.contains("name=\"\(field)\" type=\"text\" value=\"\(typed)\""), "\(field)")
                #expect(refused.text.contains("id=\"\(field)-error\">\(message)<"), "\(field)")
            }
            #expect(refused.text.contains("id=\"childIds-error\" role=\"alert\">Choose at least one child.<"))
            #expect(refused.text.contains("name=\"for\" value=\"chosen\" checked"))
            #expect(try await ada.names("/family/shop") == [])
            let added = try await ada.submit(
                "/family/shop",
                [
                    "name": "Zoo", "price": "4", "for": "chosen",
                    "childIds": String(ben.dropFirst("/family/children/".count)), "needsApproval": "on", "stock": "",
                    "cooldownDays": "",
                ])
            #expect(added.header("location") == "/family/shop")
            #expect(try added.toast() == "“Zoo” is in the shop")
            let list = try await ada.page("/family/shop").text
            #expect(list.contains("<span class=\"row-title\">Zoo</span><span class=\"row-note\">Ben</span>"))
        }
    }

    @Test("F-29-B: The shop says why a reward can't be bought, and a cancelled purchase gives the points back")
    func reasons() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            for _ in 0..<3 { try await ada.assign([dishes: 3], to: mia) }
            let kite = try await ada.reward("Kite", price: 1, with: ["stock": 0])
            let film = try await ada.reward("Film", price: 2, with: ["cooldownDays": 7])
            let zoo = try await ada.reward("Zoo", price: 30)
            let story = try await ada.reward("Story", price: 3, with: ["needsApproval": false])
            let device = try await site.device(of: mia, by: ada)
            let bought = try await device.buy(film, for: mia)
            let shop = try await device.page("/family/shop").text
            #expect(try Self.offer(kite, in: shop).contains("Sold out"))
            #expect(try Self.offer(zoo, in: shop).contains("23 points to go"))
            #expect(try Self.offer(film, in: shop).contains("Available again on"))
            for reward in [kite, zoo, film] {
                #expect(try !Self.offer(reward, in: shop).contains("action=\"\(mia)/purchases\""))
            }
            #expect(shop.contains("action=\"\(bought)?_method=delete\""))
            #expect(shop.contains("aria-label=\"Cancel “Film”\""))
            let cancelled = try await device.submit("\(bought)?_method=delete", [:])
            #expect(cancelled.header("location") == "/family/shop")
            #expect(try cancelled.toast() == "“Film” is cancelled. You got 2 points back.")
            #expect(try await device.send(.delete, bought).status == 409)
            let again = try await device.page("/family/shop").text
            #expect(try Self.offer(film, in: again).contains("aria-label=\"Buy “Film” for 2 points\""))
            let offered = try Self.offer(story, in: again)
            #expect(offered.contains("data-confirm=\"Buy “Story”?\""))
            #expect(offered.contains("aria-label=\"Buy “Story” for 3 points\""))
            let taken = try await device.submit(
                "\(mia)/purchases", ["idempotencyKey": "story", "rewardId": story, "price": "3"])
            #expect(taken.header("location") == "/family/shop")
            #expect(try taken.toast() == "“Story” is yours")
            #expect(try await ada.send(.get, mia).object().number("spendablePoints") == 6)
            let second = try await device.buy(story, for: mia)
            #expect(try await ada.send(.get, second).object().text("state") == "approved")
        }
    }

    @Test("F-29-B: A parent declines a purchase with a reason, and gives the points of another one back")
    func givesBack() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let dishes = try await ada.chore()
            for _ in 0..<3 { try await ada.assign([dishes: 3], to: mia) }
            let cinema = try await ada.reward()
            let story = try await ada.reward("Story", price: 7, with: ["needsApproval": false])
            let device = try await site.device(of: mia, by: ada)
            let first = try await device.buy(cinema, for: mia)
            #expect(try await ada.page(first).text.contains("It costs 5 points. Mia then has 4 points left."))
            let declined = try await ada.submit(
                "\(first)?_method=delete", ["from": "purchase", "reason": "Homework first"])
            #expect(declined.header("location") == "/family/shop")
            #expect(try declined.toast() == "“Cinema” is declined")
            let told = try await device.notifications().filter { $0.text("kind") == "purchaseDecided" }
            #expect(told.map { $0.text("title") } == ["Ada declined “Cinema”"])
            #expect(told.map { $0.text("body") } == ["“Homework first” You got 5 points back."])

            let second = try await device.buy(story, for: mia)
            // Points that are spent can't be undone.
            let given = try await ada.send(.get, "\(mia)/assignments").object().texts("items", "id")[0] ?? ""
            let undone = try await ada.submit("\(mia)/assignments/\(given)?_method=delete", [:])
            #expect(undone.header("location") == mia)
            #expect(try undone.toast().hasPrefix("These points are spent already."))
            #expect(try await ada.score(of: mia) == [0, 9, 0])
            #expect(try await ada.page(mia).text.contains("href=\"\(mia)/purchases\""))
            let bought = try await ada.page("\(mia)/purchases").text
            #expect(bought.contains("action=\"\(second)/refund\""))
            #expect(bought.contains("data-confirm=\"Give 7 points back?\""))
            #expect(bought.contains("aria-label=\"Give back 7 points for “Story”\""))
            let refunded = try await ada.submit("\(second)/refund", [:])
            #expect(refunded.header("location") == "\(mia)/purchases")
            #expect(try refunded.toast() == "7 points given back")
            #expect(try await ada.page("\(mia)/purchases").text.contains("Points given back"))
            #expect(try await ada.send(.get, mia).object().number("spendablePoints") == 9)
        }
    }

    @Test("F-30-A: Siblings don't see a saving goal, only the child changes it, and it ends with its reward")
    func goal() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let ben = try await ada.child("Ben")
            let zoo = try await ada.reward("Zoo")
            let own = try await site.device(of: mia, by: ada)
            let sibling = try await site.device(of: ben, by: ada)
            let path = "\(mia)/goal"
            #expect(try await own.send(.put, path, json: ["rewardId": zoo]).status == 200)
            #expect(try await ada.send(.get, mia).object().object("savingGoal").text("name") == "Zoo")
            #expect(try await ada.page(mia).text.contains("Saving for “Zoo”"))
            #expect(try await own.page("/family/shop").text.contains("id=\"goal\""))
            #expect(try await sibling.send(.get, mia).object().isNull("savingGoal"))
            #expect(try await !sibling.page(mia).text.contains("Saving for"))
            #expect(try await sibling.send(.put, path, json: ["rewardId": zoo]).status == 403)
            #expect(try await ada.send(.delete, path).status == 403)
            #expect(try await ada.send(.delete, "/family/shop/\(zoo)").status == 204)
            #expect(try await own.send(.get, mia).object().isNull("savingGoal"))
            #expect(try await !own.page("/family/shop").text.contains("id=\"goal\""))
        }
    }

    @Test("F-31-A: A wish needs a name, a child can have 20 open wishes, and siblings see none of them")
    func wishes() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            let mia = try await ada.child()
            let ben = try await ada.child("Ben")
            let own = try await site.device(of: mia, by: ada)
            let sibling = try await site.device(of: ben, by: ada)
            let path = "\(mia)/wishes"
            let blank = try await own.send(.post, path, json: ["name": " "])
            #expect(blank.status == 422)
            #expect(try blank.error().object("fields").keys == ["name"])
            let kite = try #require(try await own.send(.post, path, json: ["name": "Kite"]).object().text("id"))
            #expect(Limits.wishesPerChild == 20)
            for number in 1..<Limits.wishesPerChild {
                #expect(try await own.send(.post, path, json: ["name": "Wish \(number)"]).status == 201)
            }
            #expect(try await own.send(.post, path, json: ["name": "One more"]).status == 409)
            let late = try await own.submit(path, ["name": "One more"])
            #expect(late.header("location") == "/family/shop")
            #expect(try late.toast() == "Wait until a parent has decided on your wishes.")
            #expect(try await ada.send(.get, path).object().list("items").count == 20)
            #expect(try await sibling.send(.get, path).status == 403)
            #expect(try await sibling.send(.get, "/family/shop").object().list("wishes").isEmpty)
            #expect(try await !sibling.page("/family/shop").text.contains("Kite"))
            #expect(try await sibling.send(.delete, "\(path)/\(kite)").status == 403)
            #expect(try await ada.send(.post, path, json: ["name": "Mine"]).status == 403)
        }
    }
}

extension FamilyTestClient {
    /// Adds a reward to the shop and returns its id.
    func reward(
        _ name: String = "Cinema", price: Int = 5, with changes: [String: any Sendable] = [:]
    ) async throws -> String {
        var body: [String: any Sendable] = ["name": name, "price": price]
        body.merge(changes) { _, new in new }
        let reply = try await send(.post, "/family/shop", json: body)
        #expect(reply.status == 201, "\(reply.text)")
        return try #require(try reply.object().text("id"))
    }

    /// Buys a reward as a child, and returns the path of the purchase.
    func buy(_ reward: String, for child: String) async throws -> String {
        let path = "\(child)/purchases"
        let reply = try await send(.post, path, json: ["rewardId": reward], headers: ["Idempotency-Key": reward])
        #expect(reply.status == 201, "\(reply.text)")
        return "\(path)/\(try #require(try reply.object().text("id")))"
    }
}
