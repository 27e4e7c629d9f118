import Kernel
import Ledger
import Pictures
import Storage

extension Purchase.State: SQLBindable, SQLReadable {}

extension Purchase {
    /// The transfer that posts the price. Each purchase has exactly one transfer, so they share their id.
    var transfer: ID<Transfer> { id.cast(to: Transfer.self) }
}

/// The table `family_purchase`.
enum PurchaseStore {
    private static let selection: SQL = """
        SELECT p.id, p.child_id, r.id AS reward_id, p.name, p.picture_id, p.price, p.at, p.state, p.decided_at,
            a.name AS decided_by_name
        FROM family_purchase p
        LEFT JOIN family_reward r ON r.id = p.reward_id AND r.deleted_at IS NULL
        LEFT JOIN account a ON a.id = p.decided_by
        """

    static func insert(
        _ id: ID<Purchase>, of reward: ShopReward, by child: PersonID, state: Purchase.State, now: Instant,
        in tx: Transaction
    ) throws {
        try tx.execute(
            """
            INSERT INTO family_purchase (id, child_id, reward_id, name, picture_id, price, at, state, takes_stock)
            VALUES (
                \(id), \(child), \(reward.id), \(reward.name), \(reward.pictureID), \(reward.price), \(now), \(state),
                \(reward.stock != nil)
            )
            """
        )
    }

    static func setState(
        _ state: Purchase.State, _ id: ID<Purchase>, by person: PersonID, now: Instant, in tx: Transaction
    ) throws {
        try tx.execute(
            """
            UPDATE family_purchase SET state = \(state), decided_at = \(now), decided_by = \(person)
            WHERE id = \(id)
            """
        )
    }

    static func find(_ id: ID<Purchase>, of child: PersonID, in tx: Transaction) throws -> Purchase? {
        try tx.row("\(sql: selection) WHERE p.id = \(id) AND p.child_id = \(child)").map(read)
    }

    /// Returns the reward from whose stock a purchase took one, also a deleted reward; `nil` if it took none, or if the
    /// reward isn't stored any more.
    static func stockedReward(of id: ID<Purchase>, in tx: Transaction) throws -> ID<ShopReward>? {
        try tx.row("SELECT reward_id FROM family_purchase WHERE id = \(id) AND takes_stock = 1")?.get("reward_id")
    }

    /// Returns a child's purchases, newest first.
    static func page(
        of child: PersonID, before: ID<Purchase>?, limit: Int, in tx: Transaction
    ) throws -> [Purchase] {
        try tx.rows(
            """
            \(sql: selection) WHERE p.child_id = \(child) \(sql: .before(before, "p.id"))
            ORDER BY p.id DESC LIMIT \(limit)
            """
        ).map(read)
    }

    /// Returns the purchases that wait for a parent, oldest first, without those of deleted children. Each child has
    /// at most ``Limits/waitingPurchasesPerChild``.
    /// - Parameter child: `nil` for all children of the household.
    static func waiting(
        of child: PersonID?, household: ID<Household>, in tx: Transaction
    ) throws -> [Purchase] {
        let whose: SQL = child.map { "AND p.child_id = \($0)" } ?? SQL()
        return try tx.rows(
            """
            \(sql: selection) JOIN family_member m ON m.person_id = p.child_id
            WHERE m.household_id = \(household) AND m.deleted_at IS NULL AND p.state = 'waiting' \(sql: whose)
            ORDER BY p.id
            """
        ).map(read)
    }

    /// Returns the number of purchases that ``waiting(of:household:in:)`` returns.
    static func waitingCount(of child: PersonID?, household: ID<Household>, in tx: Transaction) throws -> Int {
        let whose: SQL = child.map { "AND p.child_id = \($0)" } ?? SQL()
        return try tx.row(
            """
            SELECT COUNT(*) AS total FROM family_purchase p JOIN family_member m ON m.person_id = p.child_id
            WHERE m.household_id = \(household) AND m.deleted_at IS NULL AND p.state = 'waiting' \(sql: whose)
            """
        )?.get("total") ?? 0
    }

    /// Returns the time of a child's last purchase of each of these rewards since an instant, among those whose price
    /// is spent.
    static func last(
        of child: PersonID, _ rewards: [ID<ShopReward>], since: Instant, in tx: Transaction
    ) throws -> [ID<ShopReward>: Instant] {
        guard !rewards.isEmpty else { return [:] }
        let rows = try tx.rows(lastQuery(of: child, rewards, since: since))
        return try rows.reduce(into: [:]) { $0[try $1.get("reward_id")] = try $1.get("at") }
    }

    /// The query of ``last(of:_:since:in:)``.
    static func lastQuery(of child: PersonID, _ rewards: [ID<ShopReward>], since: Instant) -> SQL {
        """
        SELECT reward_id, MAX(at) AS at FROM family_purchase
        WHERE child_id = \(child) AND reward_id IN \(list: rewards) AND at >= \(since)
            AND state IN ('waiting', 'approved')
        GROUP BY reward_id
        """
    }

    static func deleteAll(of child: PersonID, in tx: Transaction) throws {
        try tx.execute("DELETE FROM family_purchase WHERE child_id = \(child)")
    }

    private static func read(_ row: Row) throws -> Purchase {
        Purchase(
            id: try row.get("id"), childID: try row.get("child_id"), rewardID: try row.get("reward_id"),
            name: try row.get("name"), pictureID: try row.get("picture_id"), price: try row.get("price"),
            at: try row.get("at"), state: try row.get("state"), decidedAt: try row.get("decided_at"),
            decidedByName: try row.get("decided_by_name"))
    }
}
