import Kernel
import Storage

/// Deletes positions that their items no longer keep.
struct FixExpiryService: Sendable {
    let database: Database
    let clock: any WallClock

    /// Deletes fixes older than the items' `keepDays`, in the table and in the archive.
    func expire() async throws {
        while true {
            try Task.checkCancellation()
            let now = clock.now
            let overdue = try await database.read { tx in
                try SegmentStore.overdue(now: now, limit: Limits.archiveBatch, in: tx)
            }
            guard !overdue.isEmpty else { return }
            for part in overdue {
                try await database.write { tx in
                    try SegmentStore.expire(part, in: tx)
                    guard let item = try ItemStore.served(part.item, in: tx),
                        let change = try FixStore.advance(part.item, in: tx)
                    else { return }
                    try TrackingEvents.publish(.fix, of: item.id, owner: item.owner, change, now: now, in: tx)
                }
            }
        }
    }
}
