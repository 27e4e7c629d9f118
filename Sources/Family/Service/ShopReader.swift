import Kernel
import Recurrence
import Storage

/// Reads the shop of a household, in the transaction of the caller.
struct ShopReader: Sendable {
    let children: ChildReader
    let occurrences: OccurrenceReader
    let spender: PointsSpender

    /// Returns the shop as the actor sees it.
    func shop(for householdActor: HouseholdActor, now: Instant, in tx: Transaction) throws -> FamilyShop {
        try householdActor.require(.seeShop)
        let household = householdActor.household
        let all = try RewardStore.all(of: household, in: tx)
        guard householdActor.role == .child else {
            let page = try PageRequest<PersonID>(after: nil, limit: Limits.pageSizeMaximum)
            return FamilyShop(
                rewards: all, waiting: try PurchaseStore.waiting(of: nil, household: household, in: tx),
                wishes: try WishStore.all(of: nil, household: household, in: tx),
                children: try children.page(for: householdActor, page, in: tx).items, offers: [:])
        }
        let child = householdActor.person
        let rewards = all.filter { $0.isFor(child) }
        let verdicts = try verdicts(on: rewards, for: child, of: household, now: now, in: tx)
        return FamilyShop(
            rewards: rewards, waiting: try PurchaseStore.waiting(of: child, household: household, in: tx),
            wishes: try WishStore.all(of: child, household: household, in: tx),
            children: [try children.child(child, for: householdActor, in: tx)], offers: verdicts)
    }

    /// Returns what a row about the shop shows.
    func summary(for householdActor: HouseholdActor, in tx: Transaction) throws -> ShopSummary {
        try householdActor.require(.seeShop)
        let household = householdActor.household
        guard householdActor.role == .child else {
            return ShopSummary(
                rewardCount: try RewardStore.count(of: household, in: tx),
                waitingCount: try PurchaseStore.waitingCount(of: nil, household: household, in: tx),
                wishCount: try WishStore.all(of: nil, household: household, in: tx).count)
        }
        let child = householdActor.person
        return ShopSummary(
            rewardCount: try RewardStore.all(of: household, in: tx).count { $0.isFor(child) },
            waitingCount: try PurchaseStore.waitingCount(of: child, household: household, in: tx),
            wishCount: try WishStore.count(of: child, in: tx))
    }

    /// Returns whether a child can buy each of these rewards now.
    func verdicts(
        on rewards: [ShopReward], for child: PersonID, of household: ID<Household>, now: Instant, in tx: Transaction
    ) throws -> [ID<ShopReward>: PurchaseVerdict] {
        let zone = try occurrences.timeZone(of: household, in: tx)
        let today = zone.date(at: now)
        let balance = try spender.balance(of: child, in: tx)
        let longest = rewards.compactMap(\.cooldownDays).max()
        // One day more than the longest cooldown covers each time zone.
        let last = try longest.map { days in
            try PurchaseStore.last(
                of: child, rewards.filter { $0.cooldownDays != nil }.map(\.id),
                since: now.adding(seconds: -Int64(days + 1) * 24 * 60 * 60), in: tx)
        }
        return rewards.reduce(into: [:]) { verdicts, reward in
            verdicts[reward.id] = PurchaseRule.verdict(
                reward, balance: balance, last: last?[reward.id].map { zone.date(at: $0) }, today: today)
        }
    }
}
