import Kernel
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
        if let who { details["who"] = try HouseholdStore.name(of: who, in: tx) }
        if let until { details["until"] = until.rfc3339 }
        let notification = HouseholdNotification(
            event: event, about: [parent.description], resource: resource,
            subject: try HouseholdStore.name(of: parent, in: tx), details: details, person: parent, actor: actor
        )
        try notifier.notify(notification, of: household, now: now, in: tx)
    }
}
