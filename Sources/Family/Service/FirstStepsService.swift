package import Accounts
import Kernel
import Storage

/// The first steps of a new family. The dashboard reads them; parents can hide them.
package struct FirstStepsService: Sendable {
    let transactions: HouseholdTransactions
    let clock: any WallClock

    /// Hides the first steps from all parents of the family for good.
    /// - Throws: `AppError.forbidden` for a child.
    package func hide(by change: Change) async throws {
        let now = clock.now
        try await transactions.write(by: change.actor) { tx, householdActor in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: "") {
                try householdActor.require(.addChild)
                try FirstStepsStore.hide(householdActor.household, now: now, in: tx)
                try FamilyEvents.publish(
                    "parent", FamilyEvents.parents, of: householdActor.household, to: .parents, now: now, in: tx)
            }
        }
    }
}
