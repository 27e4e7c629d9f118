package import Accounts
import Kernel

/// What is to do today.
package struct TodayService: Sendable {
    let transactions: HouseholdTransactions
    let reader: TodayReader
    let swaps: SwapReader
    let clock: any WallClock

    /// Returns what is overdue, due, waiting for a parent, done and next: of all children for a parent, its own for a
    /// child.
    /// - Throws: `AppError.forbidden` for a child without a household.
    package func today(for actor: Actor) async throws -> FamilyToday {
        let now = clock.now
        return try await transactions.read(for: actor) { tx, householdActor in
            let calendar = try reader.occurrences.calendar(of: householdActor.household, now: now, in: tx)
            var today = try reader.today(for: householdActor, calendar, now: now, in: tx)
            today.swapCount = try swaps.swaps(of: householdActor, calendar, now: now, in: tx).count
            return today
        }
    }
}
