import Kernel
import Storage

/// Closes wishes that a parent decided on or the child withdrew, in the transaction of the caller.
struct WishCloser: Sendable {
    let notifier: ChildNotifier

    /// Deletes a wish with its notifications.
    /// - Throws: `AppError.notFound` if it isn't open.
    func close(
        _ id: ID<Wish>, of child: PersonID, by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws -> Wish {
        guard let wish = try WishStore.find(id, of: child, in: tx) else { throw AppError.notFound }
        try WishStore.delete(id, in: tx)
        try notifier.withdrawNotifications(of: wish, householdActor.household, now: now, in: tx)
        try publish(of: child, householdActor, now: now, in: tx)
        return wish
    }

    /// Notifies the child of a parent's decision.
    func notify(
        of event: HouseholdEvent, _ wish: Wish, by householdActor: HouseholdActor, now: Instant, in tx: Transaction
    ) throws {
        let details = event.step.map { ["step": $0] } ?? [:]
        try notifier.notify(
            wish.childID, of: event, about: wish.id.description, subject: wish.name, details: details,
            by: householdActor, now: now, in: tx)
    }

    /// Publishes an event to the parents and to the child.
    func publish(of child: PersonID, _ householdActor: HouseholdActor, now: Instant, in tx: Transaction) throws {
        try FamilyEvents.publish(
            "wish", FamilyEvents.child(child), of: householdActor.household, to: .parentsAnd(child), now: now, in: tx)
    }
}
