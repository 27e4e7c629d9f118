import Kernel
import Notifications
import Storage

/// Reminders of packages whose latest pickup is near, and of statements that are due.
struct DeadlineReminderService: Sendable {
    let database: Database
    let notifier: PackageNotifier
    let clock: any WallClock

    /// Reminds owner and carrier of disputes that haven't written, once per time for statements.
    func sendForStatements() async throws {
        let now = clock.now
        try await database.write { [notifier] tx in
            for package in try DisputeStore.claimReminders(now: now, in: tx) {
                try notifier.remindOfStatement(package, now: now, in: tx)
            }
        }
    }

    /// Reminds owner and carrier, once per acceptance. Acceptances that happen near the deadline get no reminder.
    func send() async throws {
        let now = clock.now
        try await database.write { tx in
            for package in try DeadlineReminders.claim(now: now, in: tx) {
                try Self.remind(of: package, now: now, in: tx)
            }
        }
    }

    private static func remind(of package: StoredPackage, now: Instant, in tx: Transaction) throws {
        guard let owner = package.owner, let carrier = package.carrier, let acceptedAt = package.acceptedAt else {
            return
        }
        let kind = NoticeKind.packageDeadlineNear
        for (person, other) in [(owner, carrier), (carrier, owner)] {
            var details: [String: String] = [:]
            details["deadline"] = package.deadline?.rfc3339
            let notice = Notice(
                id: ID(about: [kind.rawValue, package.id.description, person.description], at: acceptedAt),
                person: person, kind: kind, resource: CarrepsaEvents.path(package.id), subject: package.title,
                details: details, people: ["who": try PeopleStore.named(other, in: tx)], at: now
            )
            try notice.post(in: tx)
        }
    }
}
