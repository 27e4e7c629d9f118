package import Kernel
package import Storage

/// The dead jobs of all lanes: jobs that failed their last attempt, or expired. For administrators only; the caller
/// checks that.
package struct DeadJobService: Sendable {
    private let database: Database
    /// The queues of all lanes.
    package let queues: [JobQueue]
    private let clock: any WallClock

    package init(database: Database, queues: [JobQueue], clock: any WallClock) {
        self.database = database
        self.queues = queues
        self.clock = clock
    }

    /// Returns up to ``Limits/deadJobPage`` dead jobs of a lane, the newest first.
    /// - Parameter last: the last one of the previous page.
    /// - Throws: ``AppError`` `notFound` for an unknown lane.
    package func list(lane name: String, after last: DeadJob? = nil) async throws -> [DeadJob] {
        let lane = try queue(name).lane
        return try await database.read { tx in
            try DeadJobStore.page(of: lane, after: last, limit: Limits.deadJobPage, in: tx)
        }
    }

    /// Enqueues a dead job again, with all its attempts and its full time until it expires. Its lane's workers find it
    /// within a minute.
    /// - Throws: ``AppError`` `notFound` for an unknown dead job, one without a payload, or one whose name another job
    ///   has; `unavailable` when the lane is full.
    package func retry(_ id: ID<NewJob>) async throws {
        let now = clock.now
        try await database.write { tx in try retry(id, now: now, in: tx) }
    }

    /// Enqueues a dead job again, in the caller's transaction.
    package func retry(_ id: ID<NewJob>, now: Instant, in tx: Transaction) throws {
        guard let lane = try DeadJobStore.lane(of: id, in: tx),
            let queue = queues.first(where: { $0.lane.name == lane })
        else { throw AppError.notFound }
        try queue.retry(id, now: now, in: tx)
    }

    /// Returns up to ``Limits/deadJobPage`` dead jobs of each lane, the newest of all lanes first.
    package func newest(in tx: Transaction) throws -> [DeadJob] {
        let jobs = try queues.flatMap { queue in
            try DeadJobStore.page(of: queue.lane, after: nil, limit: Limits.deadJobPage, in: tx)
        }
        return jobs.sorted { $0.diedAt > $1.diedAt }
    }

    /// Deletes dead jobs that are older than ``Limits/deadJobDays``, and the oldest of a lane with more than
    /// ``Limits/deadJobsPerLane``. For a periodic job.
    package func prune() async throws {
        let secondsPerDay: Int64 = 24 * 60 * 60
        let before = clock.now.adding(seconds: -Limits.deadJobDays * secondsPerDay)
        for queue in queues {
            let lane = queue.lane
            while try await database.write({ tx in
                try DeadJobStore.prune(lane, before: before, keeping: Limits.deadJobsPerLane, in: tx)
            }) > 0 {}
            // Jobs that expired in a lane without a worker, for example while a service isn't configured.
            while try await database.write({ tx in try JobStore.deleteExpired(lane, before: before, in: tx) }) > 0 {}
        }
    }

    private func queue(_ name: String) throws -> JobQueue {
        guard let queue = queues.first(where: { $0.lane.name == name }) else { throw AppError.notFound }
        return queue
    }
}

extension JobQueue {
    /// Enqueues a dead job again.
    /// - Throws: as ``DeadJobService/retry(_:)``.
    func retry(_ id: ID<NewJob>, now: Instant, in tx: Transaction) throws {
        try count(now: now, in: tx)
        guard status.waitingCount < lane.capacity else {
            throw AppError(.unavailable, "The queue is full. Try again later.")
        }
        guard try DeadJobStore.retry(id, lane: lane, now: now, in: tx) else { throw AppError.notFound }
        tx.afterCommit { [self] in addWaiting(1) }
    }
}
