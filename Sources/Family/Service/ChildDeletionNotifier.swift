import Kernel
import Notifications
import Storage

/// Notifies parents when one of them deletes, restores or erases a child.
struct ChildDeletionNotifier: Sendable {
    let notifier: FamilyNotifier

    /// Notifies the parents of the event.
    func notify(
        _ event: HouseholdEvent, of child: PersonID, by householdActor: HouseholdActor, until: Instant? = nil,
        now: Instant, in tx: Transaction
    ) throws {
        let notification = try notification(event, of: child, by: householdActor, until: until, now: now, in: tx)
        try notify(notification, of: householdActor.household, now: now, in: tx)
    }

    /// Notifies the parents.
    func notify(
        _ notification: HouseholdNotification, of household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        try notifier.notify(notification, of: household, now: now, in: tx)
    }

    /// Withdraws the parents' notifications about resources.
    func withdraw(
        about resources: [String], from household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        try notifier.withdraw(about: resources, from: household, now: now, in: tx)
    }

    /// Returns the content of the notification. Call it while the child's name is stored.
    func notification(
        _ event: HouseholdEvent, of child: PersonID, by householdActor: HouseholdActor, until: Instant? = nil,
        now: Instant, in tx: Transaction
    ) throws -> HouseholdNotification {
        var details: [String: String] = [:]
        if let until { details["until"] = until.rfc3339 }
        let resource =
            switch event {
            case .childDeleted: FamilyEvents.deletedChild(child)
            case .childRestored: FamilyEvents.child(child)
            default: FamilyEvents.deletedChildren
            }
        // Another person may have used the actor's session to delete or erase the child.
        let actor = event == .childRestored ? householdActor.person : nil
        let named = try HouseholdStore.named(child, in: tx)
        return HouseholdNotification(
            event: event, about: [child.description], resource: resource,
            subject: named.name, details: details,
            people: ["who": try HouseholdStore.named(householdActor.person, in: tx), "subject": named], person: child,
            actor: actor, idMoment: now.rounded(down: Limits.childNotificationSeconds))
    }
}
