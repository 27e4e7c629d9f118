import Kernel
import Storage

/// Closes requests that a parent decided on or the child withdrew, in the transaction of the caller.
struct ChoreRequestCloser: Sendable {
    let notifier: ChildNotifier

    /// Closes an open request.
    /// - Throws: `AppError.notFound` if it isn't open.
    @discardableResult
    func close(
        _ id: ID<ChoreRequest>, of child: PersonID, by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws -> ChoreRequest {
        guard let request = try RequestStore.find(id, of: child, in: tx) else { throw AppError.notFound }
        try close(request, by: householdActor, now: now, in: tx)
        return request
    }

    /// Deletes the request with its photo and its notifications, and publishes an event.
    func close(
        _ request: ChoreRequest, by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws {
        try RequestStore.delete(request, in: tx)
        try notifier.withdrawNotifications(of: request, householdActor.household, now: now, in: tx)
        try FamilyEvents.publish(
            "request", FamilyEvents.request(request), of: householdActor.household,
            to: .parentsAnd(request.childID), now: now, in: tx)
    }
}
