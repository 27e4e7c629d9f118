import Hologram
package import Jobs
import Kernel
import Logging
import Storage

/// Reads the trackers' messages from the cloud's bucket and log, as repeated jobs. One node reads each of them.
package struct HologramFeedReader: Sendable {
    /// A job for each feed that is configured.
    package let queue: JobQueue
    /// `nil` without a bucket.
    let bucket: HologramBucketReader?
    /// `nil` without an API key.
    let records: HologramRecordReader?
    let database: Database
    let clock: any WallClock
    let random: any RandomSource

    /// Reads both feeds while the server runs. A reading that has begun is cancelled with the worker; the next worker
    /// reads the rest. A reading that was missed is made up for only once.
    package var worker: JobWorker {
        let feeds = [bucket.map { _ in HologramFeed.bucket }, records.map { _ in .records }].compactMap(\.self)
        return JobWorker(
            queue: queue, database: database, clock: clock, pollSeconds: Limits.hologramPollSeconds,
            finishesAttempts: false,
            repeatedJobs: feeds.map { feed in
                NewJob(kind: feed.rawValue, name: feed.rawValue, payload: [], expiresAt: NewJob.endless)
            }, perform: { job in try await read(job) })
    }

    private func read(_ job: LeasedJob) async throws -> JobCompletion {
        let now = clock.now
        let seconds = try await database.read { tx in
            Int64(try TrackerPollStore.shortestMinutes(in: tx) ?? ItemSettings.standard.locateMinutes) * 60
        }
        do {
            switch HologramFeed(rawValue: job.kind) {
            case .bucket:
                guard let bucket else { return JobCompletion(nextAt: now.adding(seconds: Limits.hologramPollSeconds)) }
                try await bucket.importObjects(now: now)
            case .records:
                guard let records else { return JobCompletion(nextAt: now.adding(seconds: Limits.hologramPollSeconds)) }
                try await records.read(now: now)
            case nil: throw JobFailure("The feed is unknown to this version")
            }
        } catch let failure as HologramFailure {
            throw JobFailure(
                failure.reason,
                retryAfterMilliseconds: failure.isFinal
                    ? seconds * 1_000 : HologramBackOff.milliseconds(after: failure, chance: random.uint64()))
        }
        return JobCompletion(nextAt: now.adding(seconds: seconds))
    }
}
