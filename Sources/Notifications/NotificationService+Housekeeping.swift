import Kernel
import Storage
import Synchronization

extension NotificationService {
    /// Shortens the feeds that have grown. It runs in the background, a transaction for each portion: in the
    /// transaction that posts a notice it would hold that transaction's locks, those of the ledger among them.
    package func housekeeping() async throws {
        let now = clock.now
        let since = lastTrim.withLock { $0 } ?? now.adding(seconds: -Limits.feedTrimFirstSeconds)
        let kept = now.adding(seconds: -Limits.feedTrimAgeSeconds)
        var person: PersonID?
        while true {
            let last = person
            let people = try await database.read { tx in
                try NoticeStore.people(since: since, after: last, limit: Limits.pageSizeMaximum, in: tx)
            }
            for person in people {
                while try await database.write({ try NoticeStore.trim(person, before: kept, in: $0) })
                    == Limits.housekeepingBatch
                {}
            }
            guard people.count == Limits.pageSizeMaximum else { break }
            person = people.last
        }
        // What was too new this time is looked at again the next time, with what slow clocks wrote.
        lastTrim.withLock { $0 = kept.adding(seconds: -Limits.feedTrimAgeSeconds) }
    }
}
