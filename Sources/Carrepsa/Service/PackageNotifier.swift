import Kernel
import Notifications
import Storage

/// Notifications of package changes, posted in the transaction of the change. A person gets none for their own
/// actions.
struct PackageNotifier: Sendable {
    let currency: Currency
    let recipients: RecipientNotifier

    /// Posts the notifications of a transition, and enqueues the mail to the package's recipient.
    /// - Parameter names: the names that are known; others are read.
    func notify(
        of transition: Transition, from before: StoredPackage, to after: StoredPackage, by actor: PersonID?,
        names: [PersonID: String], now: Instant, in tx: Transaction
    ) throws {
        guard !transition.notifications.isEmpty else { return }
        // The transition may have removed the carrier.
        let carrier = after.carrier ?? before.carrier
        for notification in transition.notifications {
            let amount = transition.amount(in: notification, for: after)
            let parts = notification.event.namesParts ? transition.parts(in: notification, for: after) : nil
            let recipients: [PersonID?]
            let other: PersonID?
            switch notification.recipient {
            case .owner: (recipients, other) = ([after.owner], carrier)
            case .carrier: (recipients, other) = ([carrier], after.owner)
            case .operator:
                let operators = try PeopleStore.operators(in: tx)
                (recipients, other) = (operators.filter { $0 != after.owner && $0 != carrier }, actor)
            case .recipient:
                (recipients, other) = ([], nil)
                try self.recipients.notify(of: notification.event, after, by: actor, now: now, in: tx)
            case .stranger, .clock: (recipients, other) = ([], nil)
            }
            let named = try other.flatMap { id in
                try (names[id] ?? PeopleStore.name(of: id, in: tx)).map { NamedPerson(id, $0) }
            }
            // A decision after an appeal takes effect at once, which has a notification of its own.
            if notification.event == .decisionMade, after.dispute?.appeal != nil { continue }
            for recipient in recipients.compactMap({ $0 }) where recipient != actor {
                try notify(
                    recipient, of: notification.event, naming: named, amount: amount, parts: parts, after, now: now,
                    in: tx)
            }
        }
    }

    /// Notifies the owner that a carrier couldn't accept because the reward isn't covered, unless the last entry of
    /// the history says so.
    func notifyOwnerOfMissingFunds(_ id: ID<Package>, now: Instant, in tx: Transaction) throws {
        guard var package = try PackageStore.lock(id, in: tx), package.state == .available,
            let owner = package.owner,
            try PackageHistoryStore.lastEvent(of: package.id, in: tx) != PackageHistoryStore.rewardNotFunded
        else { return }
        package.version += 1
        let entry = PackageHistoryRow(
            package, PackageHistoryStore.rewardNotFunded, role: .stranger, by: nil, note: nil, now: now)
        try PackageStore.update(package, history: entry, in: tx)
        try tx.publish(CarrepsaEvents.package(package, to: owner, now: now))
        try notify(owner, of: .rewardNotFunded, naming: nil, amount: package.reward, package, now: now, in: tx)
    }

    /// Reminds the owner or carrier who hasn't written of the end of the time for statements.
    func remindOfStatement(_ package: StoredPackage, now: Instant, in tx: Transaction) throws {
        let person = package.dispute?.awaited == .owner ? package.owner : package.carrier
        guard let person else { return }
        try notify(
            person, of: .statementDue, naming: nil, amount: package.reward + package.moneyLock, package, now: now,
            in: tx)
    }

    /// Posts one notification. Its id derives from the package's version, so it is posted once per transition.
    private func notify(
        _ person: PersonID, of event: PackageEvent, naming other: NamedPerson?, amount: Int64,
        parts: (reward: Int64, deposit: Int64)? = nil, _ package: StoredPackage, now: Instant, in tx: Transaction
    ) throws {
        let about = [event.rawValue, package.id.description, String(package.version), person.description]
        var details = event.details(
            name: nil, amount: amount, reward: parts?.reward, deposit: parts?.deposit, currency: currency)
        switch event {
        case .decisionMade: details["deadline"] = package.dispute?.decision?.effectiveAt?.rfc3339
        case .statementDue: details["deadline"] = package.dispute?.statementsUntil?.rfc3339
        default: break
        }
        let notice = Notice(
            id: ID(about: about, at: now), person: person, kind: event.kind,
            resource: CarrepsaEvents.path(package.id), subject: package.title, details: details,
            people: ["who": other], at: now
        )
        try notice.post(in: tx)
    }
}
