import Kernel
import Notifications
import Storage

/// Notifications of package changes, posted in the transaction of the change. A person gets none for their own
/// actions.
extension CarrepsaService {
    /// Posts the notifications of a transition.
    func notify(
        of step: Transition, from before: StoredPackage, to after: StoredPackage, by actor: PersonID?, now: Instant,
        in tx: Transaction
    ) throws {
        guard !step.notifications.isEmpty else { return }
        // The transition may have removed the carrier.
        let carrier = after.carrier ?? before.carrier
        for notification in step.notifications {
            let amount = notification.money.reduce(0) { $0 + ($1 == .reward ? after.reward : after.moneyLock) }
            let recipients: [PersonID?]
            let other: PersonID?
            switch notification.recipient {
            case .owner: (recipients, other) = ([after.owner], carrier)
            case .carrier: (recipients, other) = ([carrier], after.owner)
            case .operator:
                let operators = try PeopleStore.operators(in: tx)
                (recipients, other) = (operators.filter { $0 != after.owner && $0 != carrier }, actor)
            case .stranger, .clock: (recipients, other) = ([], nil)
            }
            let name = try other.flatMap { try PeopleStore.name(of: $0, in: tx) }
            for recipient in recipients.compactMap({ $0 }) where recipient != actor {
                try notify(
                    recipient, of: notification.event, naming: name, amount: amount, after, now: now, in: tx)
            }
        }
    }

    /// Posts one notification. Its id derives from the package's version, so it is posted once per transition.
    func notify(
        _ person: PersonID, of event: PackageEvent, naming name: String?, amount: Int64, _ package: StoredPackage,
        now: Instant, in tx: Transaction
    ) throws {
        let about = [event.rawValue, package.id.description, String(package.version), person.description]
        let notice = Notice(
            id: ID(about: about, at: now), person: person, kind: event.kind,
            resource: CarrepsaEvents.path(package.id), subject: package.title,
            details: event.details(name: name, amount: amount, currency: currency), at: now
        )
        try notice.post(in: tx)
    }

    /// Reminds both parties of packages whose latest pickup is near, once per acceptance. Acceptances that happen
    /// near the deadline get no reminder.
    func remindOfDeadlines() async throws {
        let now = clock.now
        try await database.write { [self] tx in
            for package in try DeadlineReminders.take(now: now, in: tx) {
                try remind(of: package, now: now, in: tx)
            }
        }
    }

    private func remind(of package: StoredPackage, now: Instant, in tx: Transaction) throws {
        guard let owner = package.owner, let carrier = package.carrier, let acceptedAt = package.acceptedAt else {
            return
        }
        let kind = NoticeKind.packageDeadlineNear
        for (person, other) in [(owner, carrier), (carrier, owner)] {
            let notice = Notice(
                id: ID(about: [kind.rawValue, package.id.description, person.description], at: acceptedAt),
                person: person, kind: kind, resource: CarrepsaEvents.path(package.id), subject: package.title,
                details: try details(of: package, naming: other, in: tx), at: now
            )
            try notice.post(in: tx)
        }
    }

    private func details(
        of package: StoredPackage, naming other: PersonID?, in tx: Transaction
    ) throws -> [String: String] {
        var details: [String: String] = [:]
        details["who"] = try other.flatMap { try PeopleStore.name(of: $0, in: tx) }
        details["deadline"] = package.deadline?.rfc3339
        return details
    }
}
