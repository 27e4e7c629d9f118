import Kernel
import Notifications
import Storage

/// Notifies members of households, in the transaction of the event.
struct FamilyNotifier: Sendable {
    /// Notifies the recipients of an event.
    func notify(
        _ notification: HouseholdNotification, of household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        for recipient in try recipients(of: notification, household, in: tx) {
            var details = notification.details
            // The step of a purchase is its state.
            if let step = notification.event.step { details["step"] = step }
            let namesSubject = notification.event.recipients == .parentsAndSubject || notification.event == .goalReached
            if namesSubject, recipient == notification.person { details["isYou"] = "true" }
            let kind = notification.event.kind
            let about = [kind.rawValue, notification.event.rawValue] + notification.about + [recipient.description]
            let notice = Notice(
                id: ID(about: about, at: notification.idMoment ?? now), person: recipient, kind: kind,
                resource: notification.resource, subject: notification.subject, details: details,
                people: notification.people, at: now
            )
            try notice.post(in: tx)
        }
    }

    /// Returns each recipient once, without the person who caused the event.
    private func recipients(
        of notification: HouseholdNotification, _ household: ID<Household>, in tx: Transaction
    ) throws -> [PersonID] {
        var people: [PersonID] = []
        if notification.event.recipients != .parents, let person = notification.person { people.append(person) }
        if notification.event.recipients == .childAndParents, notification.person == nil {
            people += try HouseholdStore.page(
                of: household, .child, after: nil, limit: Limits.childrenPerHousehold, in: tx)
        }
        if notification.event.recipients != .child {
            people += try HouseholdStore.parents(of: household, in: tx)
        }
        var seen: Set<PersonID> = []
        return people.filter { $0 != notification.actor && seen.insert($0).inserted }
    }

    /// Withdraws the parents' notifications about resources.
    func withdraw(
        about resources: [String], from household: ID<Household>, now: Instant, in tx: Transaction
    ) throws {
        for parent in try HouseholdStore.parents(of: household, in: tx) {
            for resource in resources {
                try Notice.withdraw(about: resource, from: parent, at: now, in: tx)
            }
        }
    }
}

extension Instant {
    /// Returns the start of the period of `seconds` that contains this instant; periods are counted from 1970.
    func rounded(down seconds: Int64) -> Instant {
        Instant(millisecondsSince1970: millisecondsSince1970 / (seconds * 1_000) * seconds * 1_000)
    }
}
