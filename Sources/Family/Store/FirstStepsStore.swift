import Kernel
import Storage

/// The queries on the first steps of a household.
enum FirstStepsStore {
    /// Returns the first steps of a household; `nil` once they were done or hidden.
    /// - Parameter children: the children of the household, or the first of them.
    static func find(_ household: ID<Household>, children: [Child], in tx: Transaction) throws -> FirstSteps? {
        let row = try tx.row(
            """
            SELECT EXISTS (SELECT 1 FROM family_chore c
                    WHERE c.household_id = \(household) AND c.deleted_at IS NULL) AS has_chore,
                EXISTS (SELECT 1 FROM family_chore c JOIN family_schedule p ON p.chore_id = c.id
                    WHERE c.household_id = \(household) AND c.deleted_at IS NULL) AS has_plan,
                EXISTS (SELECT 1 FROM session s WHERE s.account_id IN \(list: children.map(\.id))) AS has_device
            FROM family_household h WHERE h.id = \(household) AND h.first_steps_hidden_at IS NULL
            """
        )
        guard let row else { return nil }
        return FirstSteps(
            hasChild: !children.isEmpty, hasChore: try row.get("has_chore"), hasPlan: try row.get("has_plan"),
            hasReward: children.contains { $0.contract != nil }, hasDevice: try row.get("has_device"))
    }

    static func hide(_ household: ID<Household>, now: Instant, in tx: Transaction) throws {
        try tx.execute(
            """
            UPDATE family_household SET first_steps_hidden_at = \(now)
            WHERE id = \(household) AND first_steps_hidden_at IS NULL
            """
        )
    }
}
