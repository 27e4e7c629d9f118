import Accounts
import Kernel
import Notifications
import Storage
import TestSupport
import Testing

@testable import Family

/// A household with all people whom an event may concern.
private struct HouseholdFixture: Sendable {
    let fixture: FamilyFixture
    /// The parent who created the household.
    let ada: Actor
    let ben: Actor
    let cleo: Actor
    let kim: PersonID
    let lee: PersonID
    let chore: ID<Chore>

    init(_ fixture: FamilyFixture) async throws {
        self.fixture = fixture
        ada = try await fixture.parent()
        ben = try await fixture.parent("Ben", with: ada)
        cleo = try await fixture.parent("Cleo", with: ada)
        kim = try await fixture.child("Kim", of: ada)
        lee = try await fixture.child("Lee", of: ada)
        chore = try await fixture.chore("Dishes", of: ada)
        // From here on each parent can announce a removal.
        fixture.passMembershipTime()
    }

    func request() async throws -> ChoreRequest {
        try await fixture.family.requests.create(chore, for: kim, by: Change(actor: fixture.asking(kim)))
    }

    func assign(_ points: Int64) async throws -> Assignment {
        let made = try await fixture.family.assignments.assign(.each([chore], points), to: kim, by: Change(actor: ada))
        return try #require(made.first)
    }

    /// Kim asks Lee to swap its turn of today for that of tomorrow.
    func swap() async throws -> ID<TurnSwap> {
        try await fixture.schedule(chore, for: [kim, lee], rule: "FREQ=DAILY", distribution: .turns, by: ada)
        let choices = try await fixture.family.swaps.choices(for: kim, by: fixture.asking(kim))
        let own = try #require(choices.own.first)
        let other = try #require(choices.others.first)
        let input = TurnSwapInput(
            choreID: chore, occurrence: own.date.text, otherChoreID: chore, otherOccurrence: other.date.text)
        return try await fixture.family.swaps.create(input, for: kim, by: Change(actor: fixture.asking(kim))).id
    }

    /// Returns a reward for which the child has the points.
    /// - Parameter isFree: whether it needs no approval.
    func purchasable(isFree: Bool = false) async throws -> ShopReward {
        try await fixture.give(3, to: kim, by: ada)
        return try await fixture.reward(price: 2, needsApproval: !isFree, by: ada)
    }

    func erase(_ actor: Actor) async throws {
        try await fixture.database.write { tx in try fixture.dataHandler.erase(actor.person, in: tx) }
    }

    /// The steps that lead to an event, the step that causes it, and the people who must be notified of it.
    func scene(
        _ event: HouseholdEvent
    ) async throws -> (cause: @Sendable () async throws -> Void, told: Set<PersonID>) {
        let family = fixture.family
        let (ada, ben, cleo, kim) = (ada, ben, cleo, kim)
        switch event {
        case .choreRequested: return ({ _ = try await request() }, [ada.person, ben.person, cleo.person])
        case .requestDeclined:
            let asked = try await request()
            return ({ try await family.requestDecisions.decline(asked.id, of: kim, by: Change(actor: ben)) }, [kim])
        case .pointsGiven: return ({ _ = try await assign(2) }, [kim])
        case .choreCounted:
            let hour = ChoreChanges(automaticHours: .set(1), automaticPoints: .set(2))
            _ = try await family.chores.update(chore, hour, by: Change(actor: ada))
            _ = try await request()
            fixture.clock.advance(seconds: 60 * 60)
            return ({ try await family.housekeeping.run() }, [kim, ada.person, ben.person, cleo.person])
        case .pointsUndone:
            let booked = try await assign(2)
            return ({ try await family.assignments.undo(booked.id, of: kim, by: Change(actor: ben)) }, [kim])
        case .levelReached:
            _ = try await family.contracts.create(for: kim, FamilyFixture.tenPoints, by: Change(actor: ada))
            return ({ _ = try await assign(3) }, [kim, ben.person, cleo.person])
        case .contractAdded:
            return (
                { _ = try await family.contracts.create(for: kim, FamilyFixture.tenPoints, by: Change(actor: ada)) },
                [kim]
            )
        case .choreHandedOut:
            try await fixture.schedule(chore, for: [kim, lee], rule: "FREQ=DAILY", distribution: .first, by: ada)
            let date = String(fixture.now.rfc3339.prefix(10))
            return ({ try await family.turns.claim(chore, on: date, for: kim, by: Change(actor: ben)) }, [kim])
        case .choreSkipped, .choreUnskipped:
            try await fixture.schedule(chore, for: [kim], rule: "FREQ=DAILY", distribution: .each, by: ada)
            let date = String(fixture.now.rfc3339.prefix(10))
            if event == .choreSkipped {
                return ({ try await family.skips.skip(chore, on: date, by: Change(actor: ben)) }, [kim])
            }
            try await family.skips.skip(chore, on: date, by: Change(actor: ben))
            return ({ try await family.skips.restore(chore, on: date, by: Change(actor: ada)) }, [kim])
        case .turnPassed, .turnDropped, .claimEnded:
            let distribution: ChoreDistribution = event == .turnPassed ? .turns : .first
            try await fixture.schedule(
                chore, for: [kim, lee], rule: "FREQ=DAILY", distribution: distribution, by: ada)
            let date = String(fixture.now.rfc3339.prefix(10))
            if event != .turnPassed {
                try await family.turns.claim(chore, on: date, for: kim, by: Change(actor: fixture.asking(kim)))
            }
            return (
                { _ = try await family.pauses.create(PauseInput(child: kim.description), by: Change(actor: ada)) },
                event == .turnPassed ? [lee] : [kim, lee]
            )
        case .swapEnded:
            _ = try await swap()
            return ({ try await family.chores.delete(chore, by: Change(actor: ada)) }, [kim, lee])
        case .swapAsked: return ({ _ = try await swap() }, [lee])
        case .swapAccepted:
            let asked = try await swap()
            return (
                { _ = try await family.swaps.accept(asked, by: Change(actor: fixture.asking(lee))) },
                [ada.person, ben.person, cleo.person]
            )
        case .swapDone:
            let asked = try await swap()
            _ = try await family.swaps.accept(asked, by: Change(actor: fixture.asking(lee)))
            return ({ try await family.swaps.approve(asked, by: Change(actor: ada)) }, [kim, lee])
        case .swapDeclined:
            let asked = try await swap()
            return ({ try await family.swaps.remove(asked, by: Change(actor: fixture.asking(lee))) }, [kim])
        case .bountyOffered:
            let input = ChoreScheduleInput(
                children: [kim.description, lee.description], startsOn: "2026-03-01", distribution: "first",
                offeredPoints: 3)
            return ({ _ = try await family.schedules.set(input, of: chore, by: Change(actor: ada)) }, [kim, lee])
        case .weekReviewed:
            try await fixture.schedule(chore, for: [kim], rule: "FREQ=DAILY", by: ada)
            _ = try await assign(2)
            // The clock shows a Sunday.
            return (
                {
                    fixture.clock.advance(seconds: 19 * 60 * 60)
                    try await family.housekeeping.run()
                }, [kim, ada.person, ben.person, cleo.person]
            )
        case .choreDue, .choreOverdue:
            let input = ChoreScheduleInput(
                children: [kim.description], startsOn: String(fixture.now.rfc3339.prefix(10)), dueTime: "12:20",
                remindMinutesBefore: event == .choreDue ? 10 : nil, remindsWhenOverdue: event == .choreOverdue)
            _ = try await family.schedules.set(input, of: chore, by: Change(actor: ada))
            return (
                {
                    fixture.clock.advance(seconds: 20 * 60)
                    try await family.housekeeping.run()
                }, event == .choreDue ? [kim] : [kim, ada.person, ben.person, cleo.person]
            )
        case .pauseBegun:
            let input = PauseInput(child: kim.description)
            return (
                { _ = try await family.pauses.create(input, by: Change(actor: ada)) }, [kim, ben.person, cleo.person]
            )
        case .pausePlanned:
            let day = try #require(LocalDate(String(fixture.now.rfc3339.prefix(10)))).adding(days: 1).text
            return (
                { _ = try await family.pauses.create(PauseInput(startsOn: day), by: Change(actor: ada)) },
                [kim, lee, ben.person, cleo.person]
            )
        case .pauseRemoved:
            let day = try #require(LocalDate(String(fixture.now.rfc3339.prefix(10)))).adding(days: 1).text
            let pause = try await family.pauses.create(
                PauseInput(child: kim.description, startsOn: day), by: Change(actor: ada))
            return (
                { try await family.pauses.end(pause.id, by: Change(actor: ben)) }, [kim, ada.person, cleo.person]
            )
        case .pauseEnded:
            let pause = try await family.pauses.create(PauseInput(), by: Change(actor: ada))
            return (
                { try await family.pauses.end(pause.id, by: Change(actor: ben)) },
                [kim, lee, ada.person, cleo.person]
            )
        case .rewardBought:
            let bought = try await purchasable()
            return ({ try await fixture.buy(bought, kim) }, [ada.person, ben.person, cleo.person])
        case .purchaseApproved:
            let bought = try await fixture.buy(try await purchasable(), kim)
            return (
                { _ = try await family.purchaseDecisions.approve(bought.id, of: kim, by: Change(actor: ben)) }, [kim]
            )
        case .purchaseDeclined:
            let bought = try await fixture.buy(try await purchasable(), kim)
            return (
                { _ = try await family.purchaseDecisions.decline(bought.id, of: kim, by: Change(actor: ben)) }, [kim]
            )
        case .purchaseRefunded:
            let bought = try await fixture.buy(try await purchasable(isFree: true), kim)
            return (
                { _ = try await family.purchaseDecisions.refund(bought.id, of: kim, by: Change(actor: ben)) }, [kim]
            )
        case .goalReached:
            let goal = try await fixture.reward(price: 3, by: ada)
            _ = try await family.savingGoals.choose(goal.id, for: kim, by: Change(actor: fixture.asking(kim)))
            return ({ _ = try await assign(3) }, [kim, ben.person, cleo.person])
        case .wishAdded:
            let change = Change(actor: fixture.asking(kim))
            return (
                { _ = try await family.wishes.add("Kite", for: kim, by: change) },
                [ada.person, ben.person, cleo.person]
            )
        case .wishDeclined:
            let wish = try await family.wishes.add("Kite", for: kim, by: Change(actor: fixture.asking(kim)))
            return ({ try await family.wishes.remove(wish.id, of: kim, by: Change(actor: ben)) }, [kim])
        case .wishGranted:
            let wish = try await family.wishes.add("Kite", for: kim, by: Change(actor: fixture.asking(kim)))
            return (
                {
                    _ = try await family.shop.create(
                        ShopRewardInput(name: "Kite", price: 3), granting: (wish.id, kim), by: Change(actor: ben))
                }, [kim]
            )
        case .codeMade:
            return (
                { _ = try await family.signInCodes.create(for: kim, by: Change(actor: ada)) },
                [ben.person, cleo.person]
            )
        case .childSignedIn:
            let code = try await family.signInCodes.create(for: kim, by: Change(actor: ada)).code
            let device = DeviceInfo(name: "Tablet", kind: .cookie, clientAddress: "192.0.2.1")
            return (
                { _ = try await family.childSignIns.signIn(code: code, device: device) },
                [ada.person, ben.person, cleo.person]
            )
        case .tabletPaired:
            let code = try await family.tablets.createCode(by: Change(actor: ada)).code
            return (
                { _ = try await family.tabletPairings.pair(code: code, device: FamilyFixture.device()) },
                [ada.person, ben.person, cleo.person]
            )
        case .childDeleted:
            return (
                { try await family.childDeletions.delete(kim, by: Change(actor: ben)) },
                [ada.person, ben.person, cleo.person]
            )
        case .childRestored:
            try await family.childDeletions.delete(kim, by: Change(actor: ben))
            return (
                { _ = try await family.childDeletions.restore(kim, by: Change(actor: ada)) }, [ben.person, cleo.person]
            )
        case .childErased:
            try await family.childDeletions.delete(kim, by: Change(actor: ben))
            try await fixture.prove(.eraseChild, ada)
            return (
                { try await family.childDeletions.erase(kim, by: Change(actor: ada)) },
                [ada.person, ben.person, cleo.person]
            )
        case .parentJoined:
            return (
                { _ = try await fixture.parent("Dora", with: ada) }, [ada.person, ben.person, cleo.person]
            )
        case .parentLeft:
            return (
                { try await fixture.remove(ben.person, by: ben) }, [ada.person, ben.person, cleo.person]
            )
        case .parentRemoved:
            return (
                { try await fixture.remove(ben.person, by: ada) }, [ben.person, cleo.person]
            )
        case .removalAnnounced:
            return (
                { try await fixture.announceRemoval(of: cleo.person, by: ben) },
                [ada.person, cleo.person]
            )
        case .removalWithdrawn:
            try await fixture.announceRemoval(of: cleo.person, by: ben)
            return (
                { try await family.removals.end(of: cleo.person, by: Change(actor: ben)) }, [ada.person, cleo.person]
            )
        case .removalRefused:
            try await fixture.announceRemoval(of: cleo.person, by: ben)
            return (
                { try await family.removals.end(of: cleo.person, by: Change(actor: cleo)) }, [ada.person, ben.person]
            )
        }
    }
}

@Suite("Notifications of a household's events")
struct EventTests {
    @Test(
        "Each person concerned is notified once, and the acting person only if their session may be stolen",
        arguments: HouseholdEvent.allCases, Engine.allCases)
    func walk(event: HouseholdEvent, engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await HouseholdFixture(fixture)
            let scene = try await home.scene(event)
            fixture.clock.advance(seconds: 1)
            try await scene.cause()
            let told = try await fixture.notices(event.kind).filter { $0.at == fixture.now }
            #expect(Set(told.map(\.person)) == scene.told)
            #expect(told.count == scene.told.count)
            #expect(told.allSatisfy { $0.resource.hasPrefix("/family/") && !$0.subject.isEmpty })
        }
    }

    @Test("Every action that changes something notifies others, or concerns only the actor")
    func actions() {
        let withEvents = FamilyAction.allCases.filter { !$0.events.isEmpty }
        let quiet: Set<FamilyAction> = [
            .addChild, .editChild, .handOver, .addChore,
            .restoreChore, .voidCodes, .removeDevice, .withdrawRequest, .invite, .revokeInvitation,
            .addReward, .editReward, .deleteReward, .restoreReward, .withdrawWish,
            .removeTablet, .setPicturePIN,
        ]
        let readings = FamilyAction.allCases.filter { $0.rawValue.hasPrefix("see") }
        #expect(Set(withEvents).union(quiet).union(readings) == Set(FamilyAction.allCases))
        #expect(quiet.isDisjoint(with: withEvents))
        #expect(
            FamilyAction.allCases.reduce(into: Set<HouseholdEvent>()) { $0.formUnion($1.events) }
                == Set(HouseholdEvent.allCases))
    }

    @Test("The notification of a purchase tells whether a parent must decide", arguments: [true, false])
    func purchase(needsApproval: Bool) async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.parent()
            let kim = try await fixture.child(of: ada)
            try await fixture.give(6, to: kim, by: ada)
            let reward = try await fixture.reward("Kite", needsApproval: needsApproval, by: ada)
            _ = try await fixture.buy(reward, kim)
            let told = try await fixture.notices(.rewardBought)
            #expect(told.map(\.details["step"]) == [needsApproval ? "waiting" : "approved"])
        }
    }

    @Test("A declined request tells the child the reason; a blank reason is none", arguments: Engine.allCases)
    func reasons(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await HouseholdFixture(fixture)
            let ben = Change(actor: home.ben)
            let first = try await home.request()
            try await fixture.family.requestDecisions.decline(first.id, of: home.kim, reason: " Still wet ", by: ben)
            let second = try await home.request()
            try await fixture.family.requestDecisions.decline(second.id, of: home.kim, reason: "  ", by: ben)
            let told = try await fixture.notices(.choreDeclined)
            #expect(Set(told.map(\.details)) == [["who": "Ben", "reason": "Still wet"], ["who": "Ben"]])
            #expect(told.count == 2)
            let third = try await home.request()
            for reason in [String(repeating: "x", count: 201), "a\u{7}b"] {
                let error = await refusal {
                    try await fixture.family.requestDecisions.decline(third.id, of: home.kim, reason: reason, by: ben)
                }
                #expect(error?.fields["reason"] != nil)
            }
            #expect(try await fixture.count("family_request") == 1)
        }
    }

    @Test("A decided or withdrawn request leaves the parents' feeds", arguments: Engine.allCases)
    func withdrawn(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await HouseholdFixture(fixture)
            func waiting() async throws -> Int {
                try await fixture.notices().count { $0.kind == "choreRequested" }
            }
            let first = try await home.request()
            #expect(try await waiting() == 3)
            let denied = await refusal {
                try await fixture.family.requests.withdraw(
                    first.id, of: home.kim, by: Change(actor: fixture.asking(home.lee)))
            }
            #expect(denied?.code == .forbidden)
            let parent = await refusal {
                try await fixture.family.requests.withdraw(first.id, of: home.kim, by: Change(actor: home.ada))
            }
            #expect(parent?.code == .forbidden)
            let own = Change(actor: fixture.asking(home.kim))
            try await fixture.family.requests.withdraw(first.id, of: home.kim, by: own)
            #expect(try await waiting() == 0)
            let again = await refusal {
                try await fixture.family.requests.withdraw(first.id, of: home.kim, by: own)
            }
            #expect(again?.code == .notFound)
            // The child can request the same chore again.
            let second = try await home.request()
            #expect(try await waiting() == 3)
            _ = try await fixture.family.requestDecisions.approve(
                second.id, of: home.kim, points: 2, by: Change(actor: home.ben))
            #expect(try await waiting() == 0)
        }
    }

    @Test("If two parents decide at once, exactly one succeeds", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await HouseholdFixture(fixture)
            for _ in 0..<Counts.races {
                // Within an hour, further notifications of a matter are counted by the one before.
                fixture.clock.advance(seconds: 3_600)
                let asked = try await home.request()
                let codes = await together([
                    {
                        _ = try await fixture.family.requestDecisions.approve(
                            asked.id, of: home.kim, points: 1, by: Change(actor: home.ada))
                    },
                    {
                        _ = try await fixture.family.requestDecisions.approve(
                            asked.id, of: home.kim, points: 3, by: Change(actor: home.ben))
                    },
                ])
                #expect(codes.count { $0 == nil } == 1, "\(codes)")
                #expect(codes.count { $0 == .notFound } == 1, "\(codes)")
            }
            #expect(try await fixture.notices().count { $0.kind == "choreAssigned" } == Counts.races)
            #expect(try await fixture.count("family_assignment") == Counts.races)
            try await fixture.checkPoints()
        }
    }

    @Test("All parents are notified of each device that signs in as a child, even within a minute")
    func eachDevice() async throws {
        try await withFixture(.sqlite) { fixture in
            let home = try await HouseholdFixture(fixture)
            func told(_ parent: PersonID) async throws -> Int {
                try await fixture.notices().count { $0.kind == "childSignedIn" && $0.person == parent }
            }
            for device in ["iPad", "Phone"] { _ = try await fixture.signedIn(home.kim, of: home.ada, device: device) }
            #expect(try await told(home.ada.person) == 2)
            #expect(try await told(home.ben.person) == 2)
            try await fixture.family.childDeletions.delete(home.kim, by: Change(actor: home.ada))
            _ = try await fixture.family.childDeletions.restore(home.kim, by: Change(actor: home.ada))
            #expect(try await told(home.ben.person) == 2)
        }
    }

    @Test("A renewed code doesn't notify the other parents again within the hour", arguments: Engine.allCases)
    func codes(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let home = try await HouseholdFixture(fixture)
            func told() async throws -> Int { try await fixture.notices().count { $0.kind == "signInCodeMade" } }
            for _ in 0..<3 {
                _ = try await fixture.family.signInCodes.create(for: home.kim, by: Change(actor: home.ada))
            }
            #expect(try await told() == 2)
            // Another child, another parent and another hour notify again.
            _ = try await fixture.family.signInCodes.create(for: home.lee, by: Change(actor: home.ada))
            #expect(try await told() == 4)
            _ = try await fixture.family.signInCodes.create(for: home.kim, by: Change(actor: home.ben))
            #expect(try await told() == 6)
            fixture.clock.advance(seconds: Limits.codeNotificationSeconds)
            _ = try await fixture.family.signInCodes.create(for: home.kim, by: Change(actor: home.ada))
            #expect(try await told() == 8)
        }
    }
}
