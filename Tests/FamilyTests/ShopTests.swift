import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("The shop of a family")
struct ShopTests {
    @Test(
        "Buying spends points at once, and leaves contract, level and achievement as they are",
        arguments: Engine.allCases)
    func buying(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            _ = try await fixture.family.contracts.create(for: kim, FamilyFixture.tenPoints, by: Change(actor: ada))
            try await fixture.give(7, to: kim, by: ada)
            let cinema = try await fixture.reward(price: 5, by: ada)
            let bought = try await fixture.buy(cinema, kim)
            #expect(bought.state == .waiting && bought.price == 5 && bought.rewardID == cinema.id)
            #expect(try await fixture.spendable(kim, ada) == 2)
            #expect(try await fixture.points(kim, ada) == [7, 7, 2])
            let again = await refusal { try await fixture.buy(cinema, kim) }
            #expect(again?.code == .conflict)
            #expect(again?.message == FamilyMessage.pointsMissing.text)
            let approved = try await fixture.family.purchaseDecisions.approve(
                bought.id, of: kim, by: Change(actor: ada))
            #expect(approved.state == .approved && approved.decidedByName == "Ada")
            #expect(try await fixture.spendable(kim, ada) == 2)
            try await fixture.checkPoints()
        }
    }

    @Test("Declining, cancelling and refunding give the points back once", arguments: Engine.allCases)
    func givingBack(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            try await fixture.give(6, to: kim, by: ada)
            let cinema = try await fixture.reward(price: 5, stock: 1, by: ada)
            let asked = Change(actor: fixture.asking(kim))
            let change = Change(actor: ada)
            let decisions = fixture.family.purchaseDecisions
            func stock() async throws -> Int64? {
                let found = try await fixture.family.shop.reward(cinema.id, for: ada)
                return found.stock
            }

            let first = try await fixture.buy(cinema, kim)
            #expect(try await stock() == 0)
            #expect(try await decisions.decline(first.id, of: kim, reason: "Homework", by: change).state == .declined)
            #expect(try await stock() == 1)
            let second = try await fixture.buy(cinema, kim)
            #expect(try await fixture.family.purchases.cancel(second.id, of: kim, by: asked).state == .cancelled)
            let third = try await fixture.buy(cinema, kim)
            _ = try await decisions.approve(third.id, of: kim, by: change)
            let late = await refusal { _ = try await fixture.family.purchases.cancel(third.id, of: kim, by: asked) }
            #expect(late?.code == .conflict)
            #expect(try await decisions.refund(third.id, of: kim, by: change).state == .refunded)
            for purchase in [first, second, third] {
                let approved = await refusal { _ = try await decisions.approve(purchase.id, of: kim, by: change) }
                #expect(approved?.code == .conflict)
                let refunded = await refusal { _ = try await decisions.refund(purchase.id, of: kim, by: change) }
                #expect(refunded?.code == .conflict)
            }
            #expect(try await fixture.spendable(kim, ada) == 6)
            #expect(try await stock() == 1)
            try await fixture.checkPoints()
        }
    }

    @Test("Points that are spent can't be undone until they are given back", arguments: Engine.allCases)
    func undoing(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let chore = try await fixture.chore(of: ada)
            let change = Change(actor: ada)
            let given = try #require(
                try await fixture.family.assignments.assign(.each([chore], 3), to: kim, by: change).first)
            let bought = try await fixture.buy(try await fixture.reward(price: 2, needsApproval: false, by: ada), kim)
            let refused = await refusal { try await fixture.family.assignments.undo(given.id, of: kim, by: change) }
            #expect(refused?.code == .conflict)
            #expect(refused?.message == FamilyMessage.pointsSpent.text)
            try await fixture.checkPoints()
            _ = try await fixture.family.purchaseDecisions.refund(bought.id, of: kim, by: change)
            try await fixture.family.assignments.undo(given.id, of: kim, by: change)
            #expect(try await fixture.points(kim, ada) == [0, 0, 0])
            try await fixture.checkPoints()
        }
    }

    @Test("A reward is sold out, waits for its days, has its price and is for its children", arguments: Engine.allCases)
    func rules(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let (kim, lee) = (try await fixture.child(of: ada), try await fixture.child("Lee", of: ada))
            for child in [kim, lee] { try await fixture.give(30, to: child, by: ada) }
            func message(_ body: () async throws -> Void) async -> String? {
                let error = await refusal(body)
                return error?.message
            }

            let one = try await fixture.reward("Zoo", price: 2, stock: 1, by: ada)
            try await fixture.buy(one, kim)
            #expect(await message { try await fixture.buy(one, lee) } == FamilyMessage.soldOut.text)

            let weekly = try await fixture.reward("Film", price: 2, cooldownDays: 7, by: ada)
            let film = try await fixture.buy(weekly, kim)
            #expect(await message { try await fixture.buy(weekly, kim) } == FamilyMessage.boughtBefore.text)
            try await fixture.buy(weekly, lee)
            fixture.clock.advance(seconds: 6 * 24 * 60 * 60)
            #expect(await message { try await fixture.buy(weekly, kim) } == FamilyMessage.boughtBefore.text)
            fixture.clock.advance(seconds: 24 * 60 * 60)
            try await fixture.buy(weekly, kim)
            // A declined purchase doesn't count, but the one of today does.
            _ = try await fixture.family.purchaseDecisions.decline(film.id, of: kim, by: Change(actor: ada))
            #expect(await message { try await fixture.buy(weekly, kim) } == FamilyMessage.boughtBefore.text)

            let lees = try await fixture.reward("Kite", price: 2, for: [lee], by: ada)
            #expect(await message { try await fixture.buy(lees, kim) } == FamilyMessage.rewardGone.text)
            #expect(
                try await fixture.family.shop.shop(for: fixture.asking(kim)).rewards.map(\.name) == ["Film", "Zoo"])
            let hidden = await refusal { _ = try await fixture.family.shop.reward(lees.id, for: fixture.asking(kim)) }
            #expect(hidden?.code == .notFound)
            let priced = await refusal {
                _ = try await fixture.family.purchases.buy(
                    lees.id, price: 1, for: lee, by: Change(actor: fixture.asking(lee)))
            }
            #expect(priced?.fields["price"] == FamilyMessage.priceChanged.text)
            try await fixture.family.shop.delete(lees.id, by: Change(actor: ada))
            #expect(await message { try await fixture.buy(lees, lee) } == FamilyMessage.rewardGone.text)
            _ = try await fixture.family.shop.restore(lees.id, by: Change(actor: ada))
            try await fixture.buy(lees, lee)
            try await fixture.checkPoints()
        }
    }

    @Test(
        "Only the child buys and cancels, only a parent decides, and a sibling sees nothing", arguments: Engine.allCases
    )
    func access(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let eve = try await fixture.parent("Eve")
            let (kim, lee) = (try await fixture.child(of: ada), try await fixture.child("Lee", of: ada))
            try await fixture.give(9, to: kim, by: ada)
            let cinema = try await fixture.reward(price: 5, by: ada)
            let bought = try await fixture.buy(cinema, kim)
            let family = fixture.family
            for actor in [fixture.asking(lee), fixture.asking(kim), eve] {
                let change = Change(actor: actor)
                let expected: AppError.Code = actor == eve ? .notFound : .forbidden
                let approved = await refusal {
                    _ = try await family.purchaseDecisions.approve(bought.id, of: kim, by: change)
                }
                #expect(approved?.code == expected)
                let refunded = await refusal {
                    _ = try await family.purchaseDecisions.refund(bought.id, of: kim, by: change)
                }
                #expect(refunded?.code == expected)
                let declined = await refusal {
                    _ = try await family.purchaseDecisions.decline(bought.id, of: kim, by: change)
                }
                #expect(declined?.code == expected)
            }
            for actor in [fixture.asking(lee), ada] {
                let change = Change(actor: actor)
                let buying = await refusal { _ = try await family.purchases.buy(cinema.id, for: kim, by: change) }
                #expect(buying?.code == .forbidden)
                let cancelling = await refusal { _ = try await family.purchases.cancel(bought.id, of: kim, by: change) }
                #expect(cancelling?.code == .forbidden)
            }
            let sibling = fixture.asking(lee)
            let list = await refusal {
                _ = try await family.purchases.listWithChild(kim, for: sibling, after: nil, limit: 9)
            }
            #expect(list?.code == .forbidden)
            #expect(try await family.shop.shop(for: sibling).waiting.isEmpty)
            #expect(try await family.children.child(kim, for: sibling).spendablePoints == nil)
            let told = try await fixture.told {
                _ = try await family.purchaseDecisions.approve(bought.id, of: kim, by: Change(actor: ada))
            }
            #expect(Set(told.keys) == [ada.person, kim])
            #expect(try await family.shop.shop(for: eve).rewards.isEmpty)
        }
    }

    @Test("Two devices that spend the same points at once buy once", arguments: Engine.allCases)
    func twoDevices(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let rewards = [
                try await fixture.reward("Cinema", price: 3, by: ada),
                try await fixture.reward("Zoo", price: 2, by: ada),
            ]
            for _ in 0..<Counts.races {
                try await fixture.give(3, to: kim, by: ada)
                let codes = await together(
                    rewards.map { reward in
                        {
                            _ = try await fixture.family.purchases.buy(
                                reward.id, for: kim, by: Change(actor: fixture.asking(kim)))
                        }
                    })
                #expect(codes.count { $0 == nil } == 1, "\(codes)")
                #expect(codes.count { $0 == .conflict } == 1, "\(codes)")
                for purchase in try await fixture.family.shop.shop(for: ada).waiting {
                    _ = try await fixture.family.purchaseDecisions.approve(purchase.id, of: kim, by: Change(actor: ada))
                }
                // A point that is left would pay for a second purchase in a later round.
                if let rest = try await fixture.spendable(kim, ada), rest > 0 {
                    let penny = try await fixture.reward("Sticker", price: rest, needsApproval: false, by: ada)
                    try await fixture.buy(penny, kim)
                    try await fixture.family.shop.delete(penny.id, by: Change(actor: ada))
                }
            }
            #expect(try await fixture.spendable(kim, ada) == 0)
            try await fixture.checkPoints()
        }
    }

    @Test("A repeated request buys once, and the last one in stock is sold once", arguments: Engine.allCases)
    func repeats(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let (kim, lee) = (try await fixture.child(of: ada), try await fixture.child("Lee", of: ada))
            for child in [kim, lee] { try await fixture.give(30, to: child, by: ada) }
            let cinema = try await fixture.reward(price: 2, by: ada)
            let path = "/family/children/\(kim)/purchases"
            let codes = await together(
                (0..<6).map { _ in
                    {
                        let change = Change.keyed(fixture.asking(kim), path, "one")
                        _ = try await fixture.family.purchases.buy(cinema.id, for: kim, by: change)
                    }
                })
            #expect(codes.allSatisfy { $0 == nil })
            #expect(try await fixture.spendable(kim, ada) == 28)
            let last = try await fixture.reward("Kite", price: 2, stock: 1, by: ada)
            let sold = await together(
                [kim, lee].map { child in
                    {
                        _ = try await fixture.family.purchases.buy(
                            last.id, for: child, by: Change(actor: fixture.asking(child)))
                    }
                })
            #expect(sold.count { $0 == nil } == 1, "\(sold)")
            #expect(try await fixture.family.shop.reward(last.id, for: ada).stock == 0)
            try await fixture.checkPoints()
        }
    }

    @Test("A parent's approval and the child's cancellation at once: one of them counts", arguments: Engine.allCases)
    func approvalAndCancellation(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let cinema = try await fixture.reward(price: 1, by: ada)
            for _ in 0..<Counts.races {
                try await fixture.give(1, to: kim, by: ada)
                let bought = try await fixture.buy(cinema, kim)
                let codes = await together([
                    {
                        _ = try await fixture.family.purchaseDecisions.approve(
                            bought.id, of: kim, by: Change(actor: ada))
                    },
                    {
                        _ = try await fixture.family.purchases.cancel(
                            bought.id, of: kim, by: Change(actor: fixture.asking(kim)))
                    },
                ])
                #expect(codes.count { $0 == nil } == 1, "\(codes)")
            }
            try await fixture.checkPoints()
        }
    }

    @Test("A changed stock makes an open form of the reward out of date", arguments: Engine.allCases)
    func staleForm(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            try await fixture.give(3, to: kim, by: ada)
            let kite = try await fixture.reward("Kite", price: 2, stock: 5, by: ada)
            try await fixture.buy(kite, kim)
            let input = ShopRewardInput(name: "Kite", price: 2, stock: 5)
            let stale = await refusal {
                _ = try await fixture.family.shop.update(
                    kite.id, input, by: Change(actor: ada, ifVersion: kite.version))
            }
            #expect(stale?.code == .conflict)
            #expect(try await fixture.family.shop.reward(kite.id, for: ada).stock == 4)
        }
    }

    @Test("Every wrong field of a reward is named")
    func fields() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            func fields(_ input: ShopRewardInput) async -> Set<String> {
                Set(
                    (await refusal { _ = try await fixture.family.shop.create(input, by: Change(actor: ada)) })?
                        .fields.keys.map { $0 } ?? [])
            }
            let wrong = ShopRewardInput(name: " ", price: 0, stock: -1, children: [], cooldownDays: 0)
            #expect(await fields(wrong) == ["name", "price", "stock", "childIds", "cooldownDays"])
            let high = ShopRewardInput(
                name: String(repeating: "x", count: Limits.shopRewardCharacters + 1),
                price: Limits.shopPrices.upperBound + 1, stock: Limits.shopStock.upperBound + 1, children: ["x"],
                cooldownDays: Limits.shopCooldownDays.upperBound + 1)
            #expect(await fields(high) == ["name", "price", "stock", "childIds", "cooldownDays"])
            try await fixture.family.childDeletions.delete(kim, by: Change(actor: ada))
            #expect(await fields(ShopRewardInput(name: "Zoo", price: 1, children: [kim.description])) == ["childIds"])
            let most = ShopRewardInput(
                name: String(repeating: "x", count: Limits.shopRewardCharacters), price: Limits.shopPrices.upperBound,
                stock: 0, cooldownDays: 365)
            #expect(await fields(most).isEmpty)
        }
    }

    @Test("Erasing a child and deleting the family erase what belongs to the shop", arguments: Engine.allCases)
    func erasure(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let lee = try await fixture.child("Lee", of: ada)
            try await fixture.give(9, to: kim, by: ada)
            let picture = try await fixture.picture(of: ada.person)
            let own = try await fixture.family.shop.create(
                ShopRewardInput(name: "Zoo", pictureID: picture, price: 2, children: [kim.description]),
                by: Change(actor: ada))
            try await fixture.buy(own, kim)
            // A purchase that needs no approval notifies the parents, too.
            try await fixture.buy(try await fixture.reward(price: 1, for: [kim], needsApproval: false, by: ada), kim)
            #expect(try await fixture.notices().count { $0.kind == "rewardBought" } == 2)
            try await fixture.family.childDeletions.delete(kim, by: Change(actor: ada))
            #expect(try await fixture.family.shop.shop(for: ada).waiting.isEmpty)
            try await fixture.prove(.eraseChild, ada)
            try await fixture.family.childDeletions.erase(kim, by: Change(actor: ada))
            #expect(try await fixture.count("family_purchase") == 0)
            #expect(try await fixture.count("family_reward_child") == 0)
            #expect(try await fixture.notices().count { $0.kind == "rewardBought" } == 0)
            // A reward that is for no child any more isn't for the others.
            #expect(try await fixture.family.shop.shop(for: fixture.asking(lee)).rewards.isEmpty)
            try await fixture.database.write { tx in try fixture.dataHandler.erase(ada.person, in: tx) }
            #expect(try await fixture.count("family_reward") == 0)
        }
    }

    @Test("A deleted reward is gone after its undo time, and its purchases stay", arguments: Engine.allCases)
    func purge(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            try await fixture.give(3, to: kim, by: ada)
            let zoo = try await fixture.reward("Zoo", price: 2, stock: 3, by: ada)
            let bought = try await fixture.buy(zoo, kim)
            try await fixture.family.shop.delete(zoo.id, by: Change(actor: ada))
            fixture.clock.advance(seconds: Limits.familyUndoSeconds)
            let late = await refusal { _ = try await fixture.family.shop.restore(zoo.id, by: Change(actor: ada)) }
            #expect(late?.code == .notFound)
            try await fixture.family.housekeeping.run()
            #expect(try await fixture.count("family_reward") == 0)
            let declined = try await fixture.family.purchaseDecisions.decline(
                bought.id, of: kim, by: Change(actor: ada))
            #expect(declined.name == "Zoo" && declined.rewardID == nil)
            #expect(try await fixture.spendable(kim, ada) == 3)
            try await fixture.checkPoints()
        }
    }

    @Test("The last purchases are found by an index")
    func plan() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.parent()
            let query = PurchaseStore.lastQuery(
                of: try await fixture.child(of: ada), [ID(at: fixture.now, series: 1)], since: fixture.now)
            let plan = try await fixture.plan(of: query)
            #expect(plan.contains("family_purchase_last (child_id=? AND reward_id=? AND at>?)"), "\(plan)")
        }
    }
}
