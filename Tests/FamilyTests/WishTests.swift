import Accounts
import Kernel
import Storage
import TestSupport
import Testing

@testable import Family

@Suite("Wishes for the shop")
struct WishTests {
    @Test("A wish becomes a reward once, and the child is notified", arguments: Engine.allCases)
    func granting(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let own = Change(actor: fixture.asking(kim))
            let wish = try await fixture.family.wishes.add(" Kite ", for: kim, by: own)
            #expect(wish.name == "Kite")
            #expect(try await fixture.notices().count { $0.kind == "wishAdded" } == 1)
            let input = ShopRewardInput(name: "Red kite", price: 9, children: [kim.description])
            let change = Change(actor: ada)
            let reward = try await fixture.family.shop.create(input, granting: (wish.id, kim), by: change)
            #expect(reward.name == "Red kite")
            #expect(try await fixture.notices().count { $0.kind == "wishAdded" } == 0)
            let told = try await fixture.notices().filter { $0.kind == "wishDecided" }
            #expect(told.map(\.person) == [kim])
            let again = await refusal {
                _ = try await fixture.family.shop.create(input, granting: (wish.id, kim), by: change)
            }
            #expect(again?.message == FamilyMessage.wishGone.text)
            #expect(try await fixture.count("family_reward") == 1)
            #expect(try await fixture.family.shop.shop(for: ada).wishes.isEmpty)
        }
    }

    @Test(
        "Only the child wishes and withdraws, only a parent declines, and siblings see nothing",
        arguments: Engine.allCases)
    func access(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let lee = try await fixture.child("Lee", of: ada)
            let wishes = fixture.family.wishes
            let own = Change(actor: fixture.asking(kim))
            let wish = try await wishes.add("Kite", for: kim, by: own)
            for actor in [ada, fixture.asking(lee)] {
                let change = Change(actor: actor)
                let added = await refusal { _ = try await wishes.add("Zoo", for: kim, by: change) }
                #expect(added?.code == .forbidden)
            }
            let sibling = fixture.asking(lee)
            let removed = await refusal { try await wishes.remove(wish.id, of: kim, by: Change(actor: sibling)) }
            #expect(removed?.code == .forbidden)
            let listed = await refusal { _ = try await wishes.list(of: kim, for: sibling) }
            #expect(listed?.code == .forbidden)
            #expect(try await fixture.family.shop.shop(for: sibling).wishes.isEmpty)
            let granted = await refusal {
                _ = try await fixture.family.shop.create(
                    ShopRewardInput(name: "Kite", price: 1), granting: (wish.id, kim), by: own)
            }
            #expect(granted?.code == .forbidden)
            try await wishes.remove(wish.id, of: kim, by: own)
            #expect(try await fixture.notices().count { $0.kind.hasPrefix("wish") } == 0)
            let second = try await wishes.add("Kite", for: kim, by: own)
            try await wishes.remove(second.id, of: kim, by: Change(actor: ada))
            #expect(try await fixture.notices().count { $0.kind == "wishDecided" } == 1)
            let twice = await refusal { try await wishes.remove(second.id, of: kim, by: Change(actor: ada)) }
            #expect(twice?.code == .notFound)
        }
    }

    @Test("A wish has a name, and their number is limited; erasing the child erases them", arguments: Engine.allCases)
    func limits(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            let own = Change(actor: fixture.asking(kim))
            for name in ["", "a\u{7}b", String(repeating: "x", count: Limits.shopRewardCharacters + 1)] {
                let error = await refusal { _ = try await fixture.family.wishes.add(name, for: kim, by: own) }
                #expect(error?.fields["name"] != nil)
            }
            for number in 0..<Limits.wishesPerChild {
                fixture.clock.advance(milliseconds: 1)
                _ = try await fixture.family.wishes.add("Wish \(number)", for: kim, by: own)
            }
            let more = await refusal { _ = try await fixture.family.wishes.add("One more", for: kim, by: own) }
            #expect(more?.code == .conflict)
            try await fixture.family.childDeletions.delete(kim, by: Change(actor: ada))
            #expect(try await fixture.family.shop.shop(for: ada).wishes.isEmpty)
            try await fixture.prove(.eraseChild, ada)
            try await fixture.family.childDeletions.erase(kim, by: Change(actor: ada))
            #expect(try await fixture.count("family_wish") == 0)
            #expect(try await fixture.notices().count { $0.kind == "wishAdded" } == 0)
        }
    }
}
