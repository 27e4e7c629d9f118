import Kernel
import Ledger
import Storage

/// Notifies a child and its parents once when it has the points for its saving goal, in the transaction of the change.
struct SavingGoalNotifier: Sendable {
    let spender: PointsSpender
    let notifier: FamilyNotifier

    /// Marks the child's goal as reached if it has the points now. Call it after points were posted.
    func update(_ child: PersonID, by householdActor: HouseholdActor, now: Instant, in tx: Transaction) throws {
        guard let goal = try SavingGoalStore.find(of: [child], in: tx)[child], goal.reachedAt == nil,
            try spender.balance(of: child, in: tx) >= goal.price
        else { return }
        try SavingGoalStore.setReached(now, of: child, in: tx)
        let notification = HouseholdNotification(
            event: .goalReached, about: [child.description, goal.rewardID.description], resource: FamilyEvents.shop,
            subject: goal.name,
            details: ["points": String(goal.price)], people: ["child": try HouseholdStore.named(child, in: tx)],
            person: child, actor: householdActor.person,
            // Choosing the same goals again and again notifies at most once in this time.
            idMoment: now.rounded(down: Limits.codeNotificationSeconds))
        try notifier.notify(notification, of: householdActor.household, now: now, in: tx)
    }

    /// Marks the goals of the children who save for a reward by its new price. Call it after the price changed.
    func update(saversOf reward: ID<ShopReward>, by householdActor: HouseholdActor, now: Instant, in tx: Transaction)
        throws
    {
        let goals = try SavingGoalStore.find(of: SavingGoalStore.savers(of: reward, in: tx), in: tx)
        for (child, goal) in goals.sorted(by: { $0.key < $1.key }) {
            if goal.reachedAt != nil, try spender.balance(of: child, in: tx) < goal.price {
                try SavingGoalStore.setReached(nil, of: child, in: tx)
            }
            try update(child, by: householdActor, now: now, in: tx)
            try FamilyEvents.publishPurchases(of: child, in: householdActor.household, now: now, in: tx)
        }
    }
}
