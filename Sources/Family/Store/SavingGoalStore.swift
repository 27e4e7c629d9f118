import Kernel
import Storage

/// The table `family_saving_goal`.
enum SavingGoalStore {
    /// Sets the goal of a child, instead of the one before.
    static func set(_ reward: ID<ShopReward>, of child: PersonID, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO family_saving_goal (child_id, reward_id, chosen_at) VALUES (\(child), \(reward), \(now))
            ON CONFLICT (child_id) DO UPDATE SET
                reached_at = CASE
                    WHEN family_saving_goal.reward_id = excluded.reward_id THEN family_saving_goal.reached_at
                END,
                reward_id = excluded.reward_id, chosen_at = excluded.chosen_at
            """
        )
    }

    /// Sets when a child had the points for its goal; `nil` if it doesn't have them.
    static func setReached(_ instant: Instant?, of child: PersonID, in tx: Transaction) throws {
        try tx.execute("UPDATE family_saving_goal SET reached_at = \(instant) WHERE child_id = \(child)")
    }

    /// Returns the children who save for a reward.
    static func savers(of reward: ID<ShopReward>, in tx: Transaction) throws -> [PersonID] {
        try tx.rows("SELECT child_id FROM family_saving_goal WHERE reward_id = \(reward)").map {
            try $0.get("child_id")
        }
    }

    /// Returns the goals of children, without those whose reward is deleted or isn't for the child any more.
    static func find(of children: [PersonID], in tx: Transaction) throws -> [PersonID: SavingGoal] {
        guard !children.isEmpty else { return [:] }
        let rows = try tx.rows(
            """
            SELECT g.child_id, g.reached_at, r.id, r.name, r.price, (
                SELECT COUNT(*) FROM family_purchase p
                WHERE p.child_id = g.child_id AND p.reward_id = g.reward_id AND p.state = 'waiting') AS waiting
            FROM family_saving_goal g JOIN family_reward r ON r.id = g.reward_id
            WHERE g.child_id IN \(list: children) AND r.deleted_at IS NULL AND (r.is_for_all = 1 OR EXISTS (
                SELECT 1 FROM family_reward_child c WHERE c.reward_id = r.id AND c.child_id = g.child_id))
            """
        )
        return try rows.reduce(into: [:]) { goals, row in
            goals[try row.get("child_id")] = SavingGoal(
                rewardID: try row.get("id"), name: try row.get("name"), price: try row.get("price"),
                reachedAt: try row.get("reached_at"), isWaiting: try row.get("waiting", as: Int.self) > 0)
        }
    }

    static func delete(of child: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_saving_goal WHERE child_id = \(child)")
    }

    /// Deletes the goal of a child if it is this reward.
    static func delete(_ reward: ID<ShopReward>, of child: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_saving_goal WHERE child_id = \(child) AND reward_id = \(reward)")
    }
}
