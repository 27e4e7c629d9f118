import Kernel
import Notifications
import Storage

/// What people are told of a parcel, in the transaction in which it happens, and never by themselves.
extension CarrepsaService {
    /// Tells the other side of a step.
    func notify(
        of step: Step, on package: StoredPackage, by asker: Move.Asker, now: Instant, in tx: Transaction
    ) throws {
        guard let kind = step.action.noticeKind else { return }
        // Whoever an operator decides for is told like whom the other side tells.
        let told = [package.owner, package.carrier].compactMap { $0 }.filter { $0 != asker.person }
        for person in told {
            // Who brings it is news to its owner alone.
            let carrier = person == package.owner ? package.carrier : nil
            let notice = Notice(
                id: ID(about: [kind.rawValue, package.id.description, person.description], at: now), person: person,
                kind: kind, resource: Announcement.path(package.id), subject: package.title,
                details: try details(of: package, naming: carrier, in: tx), at: now
            )
            try notice.post(in: tx)
        }
    }

    /// Reminds the two sides of what was not picked up and soon can't be any more, once for each acceptance. One that was
    /// accepted when the deadline was near already needs no reminder.
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
                person: person, kind: kind, resource: Announcement.path(package.id), subject: package.title,
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

extension PackageAction {
    fileprivate var noticeKind: NoticeKind? {
        switch self {
        case .accept: .packageAccepted
        case .confirmPickup: .packagePickedUp
        case .confirmDelivery, .decideDelivered: .packageDelivered
        default: nil
        }
    }
}
