import Kernel
import Notifications
import Storage

/// Notifies parents of changes among the parents of their household.
struct ParentNotifier: Sendable {
    let notifier: FamilyNotifier

    /// Notifies the parents that one of them joined or left, or of a step of a removal.
    /// - Parameters:
    ///   - who: the acting person named in the text; `nil` for none.
    ///   - until: when an announced removal takes effect.
    func notify(
        _ event: HouseholdEvent, of parent: PersonID, _ household: ID<Household>, by actor: PersonID?,
        who: PersonID? = nil, until: Instant? = nil, resource: String = FamilyEvents.account, now: Instant,
        in tx: Transaction
    ) throws {
        var details: [String: String] = [:]
        if let until { details["until"] = until.rfc3339 }
        let named = try HouseholdStore.named(parent, in: tx)
        let notification = HouseholdNotification(
            event: event, about: [parent.description], resource: resource,
            subject: named.name, details: details,
            people: ["who": try who.map { try HouseholdStore.named($0, in: tx) }, "subject": named], person: parent,
            actor: actor
        )
        try notifier.notify(notification, of: household, now: now, in: tx)
    }
}
