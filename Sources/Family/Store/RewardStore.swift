import Kernel
import Pictures
import Storage

/// A row of `family_reward`.
struct StoredReward: Sendable, Hashable {
    let reward: ShopReward
    let household: ID<Household>
    /// The time of the deletion. A deleted reward is hidden from all members, and can be restored for a while.
    let deletedAt: Instant?
}

/// The tables `family_reward` and `family_reward_child`.
enum RewardStore {
    private static let columns: SQL = """
        id, household_id, name, picture_id, price, stock, is_for_all, cooldown_days, needs_approval, created_at,
        version, deleted_at
        """

    static func insert(_ reward: ShopReward, household: ID<Household>, in tx: Transaction) throws {
        try tx.execute(
            """
            INSERT INTO family_reward (
                id, household_id, name, picture_id, price, stock, is_for_all, cooldown_days, needs_approval,
                created_at, version
            ) VALUES (
                \(reward.id), \(household), \(reward.name), \(reward.pictureID), \(reward.price), \(reward.stock),
                \(reward.children == nil), \(reward.cooldownDays), \(reward.needsApproval), \(reward.createdAt),
                \(reward.version)
            )
            """
        )
        try insertChildren(of: reward, in: tx)
    }

    static func update(_ reward: ShopReward, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE family_reward SET name = \(reward.name), picture_id = \(reward.pictureID),
                price = \(reward.price), stock = \(reward.stock), is_for_all = \(reward.children == nil),
                cooldown_days = \(reward.cooldownDays), needs_approval = \(reward.needsApproval),
                version = \(reward.version)
            WHERE id = \(reward.id)
            """
        )
        try tx.execute("DELETE FROM family_reward_child WHERE reward_id = \(reward.id)")
        try insertChildren(of: reward, in: tx)
    }

    private static func insertChildren(of reward: ShopReward, in tx: Transaction) throws {
        for child in reward.children ?? [] {
            try tx.execute("INSERT INTO family_reward_child (reward_id, child_id) VALUES (\(reward.id), \(child))")
        }
    }

    /// Adds to the stock of a reward that has one, also of a deleted reward.
    static func addStock(_ count: Int64, _ id: ID<ShopReward>, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE family_reward SET stock = stock + \(count), version = version + 1
            WHERE id = \(id) AND stock IS NOT NULL
            """
        )
    }

    static func setDeleted(_ instant: Instant?, _ id: ID<ShopReward>, in tx: Transaction) throws {
        try tx.execute("UPDATE family_reward SET deleted_at = \(instant), version = version + 1 WHERE id = \(id)")
    }

    /// Returns a reward, also a deleted one.
    static func find(_ id: ID<ShopReward>, in tx: Transaction) throws -> StoredReward? {
        guard let row = try tx.row("SELECT \(sql: columns) FROM family_reward WHERE id = \(id)") else { return nil }
        return try read(row, children: children(of: [id], in: tx))
    }

    /// Returns the rewards of a household: at most ``Limits/rewardsPerHousehold``, the cheapest first.
    static func all(of household: ID<Household>, in tx: Transaction) throws -> [ShopReward] {
        let rows = try tx.rows(
            """
            SELECT \(sql: columns) FROM family_reward
            WHERE household_id = \(household) AND deleted_at IS NULL
            ORDER BY price, name, id LIMIT \(Limits.rewardsPerHousehold)
            """
        )
        let children = try children(of: try rows.map { try $0.get("id") }, in: tx)
        return try rows.map { try read($0, children: children).reward }
    }

    static func count(of household: ID<Household>, in tx: Transaction) throws -> Int {
        try tx.row(
            "SELECT COUNT(*) AS total FROM family_reward WHERE household_id = \(household) AND deleted_at IS NULL"
        )?.get("total") ?? 0
    }

    /// Returns the chosen children of rewards, without deleted ones.
    private static func children(
        of rewards: [ID<ShopReward>], in tx: Transaction
    ) throws -> [ID<ShopReward>: [PersonID]] {
        guard !rewards.isEmpty else { return [:] }
        let rows = try tx.rows(
            """
            SELECT r.reward_id, r.child_id FROM family_reward_child r
            JOIN family_member m ON m.person_id = r.child_id
            WHERE r.reward_id IN \(list: rewards) AND m.deleted_at IS NULL ORDER BY r.child_id
            """
        )
        return try rows.reduce(into: [:]) { found, row in
            found[try row.get("reward_id"), default: []].append(try row.get("child_id"))
        }
    }

    /// Deletes the rewards that can't be restored any more. Their purchases stay.
    static func purge(deletedBefore: Instant, in tx: Transaction) throws {
        try tx.executeAndWait("DELETE FROM family_reward WHERE deleted_at <= \(deletedBefore)")
    }

    static func deleteAll(of household: ID<Household>, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_reward WHERE household_id = \(household)")
    }

    /// Removes a child from the rewards that are for it.
    static func deleteAll(of child: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_reward_child WHERE child_id = \(child)")
    }

    private static func read(_ row: Row, children: [ID<ShopReward>: [PersonID]]) throws -> StoredReward {
        let id: ID<ShopReward> = try row.get("id")
        let isForAll: Bool = try row.get("is_for_all")
        let reward = ShopReward(
            id: id, name: try row.get("name"), pictureID: try row.get("picture_id"), price: try row.get("price"),
            stock: try row.get("stock"), children: isForAll ? nil : children[id] ?? [],
            cooldownDays: try row.get("cooldown_days"), needsApproval: try row.get("needs_approval"),
            version: try row.get("version"), createdAt: try row.get("created_at"))
        return StoredReward(
            reward: reward, household: try row.get("household_id"), deletedAt: try row.get("deleted_at"))
    }
}
