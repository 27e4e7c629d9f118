import Kernel
import Storage

/// The queries on the first steps of a household.
enum FirstStepsStore {
    /// Returns the first steps of a household; `nil` once they are done or hidden.
    static func find(_ household: ID<Household>, in tx: Transaction) throws -> FirstSteps? {
        let children: SQL = """
            FROM family_member m WHERE m.household_id = \(household) AND m.role = 'child' AND m.deleted_at IS NULL
            """
        let row = try tx.row(
            """
            SELECT EXISTS (SELECT 1 \(sql: children)) AS has_child,
                EXISTS (SELECT 1 FROM family_chore c
                    WHERE c.household_id = \(household) AND c.deleted_at IS NULL) AS has_chore,
                EXISTS (SELECT 1 \(sql: children) AND EXISTS (
                    SELECT 1 FROM family_contract c WHERE c.child_id = m.person_id)) AS has_reward,
                EXISTS (SELECT 1 \(sql: children) AND EXISTS (
                    SELECT 1 FROM session s WHERE s.account_id = m.person_id)) AS has_device
            FROM family_household h WHERE h.id = \(household) AND h.first_steps_hidden_at IS NULL
            """
        )
        guard let row else { return nil }
        let steps = FirstSteps(
            hasChild: try row.get("has_child"), hasChore: try row.get("has_chore"),
            hasReward: try row.get("has_reward"), hasDevice: try row.get("has_device"))
        return steps.isDone ? nil : steps
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
