import Kernel
import Storage
import Synchronization

extension NotificationService {
    /// Trims the feeds that exceed their limit. Runs in the background in small transactions. Trimming in the
    /// transaction that posts a notification would hold that transaction's locks longer, including those of the
    /// ledger.
    package func housekeeping() async throws {
        let now = clock.now
        let since = lastTrim.withLock { $0 } ?? now.adding(seconds: -Limits.feedTrimFirstSeconds)
        let dayAgo = now.adding(seconds: -Limits.daySeconds)
        while try await database.write({ try NotificationStore.trimWithdrawn(before: dayAgo, in: $0) })
            == Limits.housekeepingBatch
        {}
        let kept = now.adding(seconds: -Limits.feedTrimAgeSeconds)
        var person: PersonID?
        while true {
            let last = person
            let people = try await database.read { tx in
                try NotificationStore.people(since: since, after: last, limit: Limits.pageSizeMaximum, in: tx)
            }
            for person in people {
                while try await database.write({ try NotificationStore.trim(person, before: kept, in: $0) })
                    == Limits.housekeepingBatch
                {}
            }
            guard people.count == Limits.pageSizeMaximum else { break }
            person = people.last
        }
        // The next run covers the notifications that were too new for this one, and those that nodes with slow clocks
        // wrote.
        lastTrim.withLock { $0 = kept.adding(seconds: -Limits.feedTrimAgeSeconds) }
    }
}
