package import Jobs
package import Kernel
import Storage

/// Background jobs that failed their last attempt, for administrators.
package struct JobAdministrationService: Sendable {
    let database: Database
    let deadJobs: DeadJobService
    let audit: AuditLog
    let clock: any WallClock

    /// Returns the state of each lane when it was last counted.
    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator.
    package func lanes(for actor: Actor) async throws -> [(name: String, status: JobLaneStatus)] {
        try await database.read { tx in _ = try AdministratorPolicy.require(actor, in: tx) }
        return deadJobs.queues.map { ($0.lane.name, $0.status) }
    }

    /// Returns up to ``Limits/deadJobPage`` dead jobs of each lane, the newest first.
    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator.
    package func list(for actor: Actor) async throws -> [DeadJob] {
        try await database.read { tx in
            _ = try AdministratorPolicy.require(actor, in: tx)
            return try deadJobs.newest(in: tx)
        }
    }

    /// Enqueues a dead job again.
    /// - Throws: ``AppError`` `forbidden` unless the actor is an administrator; as `DeadJobService.retry`.
    package func retry(_ id: ID<NewJob>, by change: Change) async throws {
        let now = clock.now
        try await database.write { tx in
            let administrator = try AdministratorPolicy.require(change.actor, in: tx)
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try deadJobs.retry(id, now: now, in: tx)
                try audit.record(.retryJob, subject: id.description, by: administrator, now: now, in: tx)
            }
        }
    }
}
