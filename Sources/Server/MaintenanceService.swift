import Accounts
import Carrepsa
import Family
import Jobs
import Kernel
import Logging
import Notifications
import Pictures
import ServiceLifecycle
import Storage
import Tracking

/// Periodic maintenance: deletes old events and unreferenced files, expires commands, meets deadlines, archives
/// positions.
package struct MaintenanceService: Service, CustomStringConvertible {
    private let services: Services

    /// The type's name alone, so that logs show no contents.
    package var description: String { "MaintenanceService" }

    package init(_ services: Services) { self.services = services }

    /// Cleans up at once and then every ``Limits/housekeepingSeconds``, until the server stops. Also checks every
    /// ``Limits/deadlineSeconds`` for packages that were not picked up in time, every ``Limits/lockSweepSeconds`` for
    /// sessions to lock, every ``Limits/archiveSeconds`` for positions to archive, and every
    /// ``Limits/earlierWorkSeconds`` for work of earlier versions.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask { await repeating(everySeconds: Limits.housekeepingSeconds) { await cleanUp() } }
                group.addTask { await repeating(everySeconds: Limits.deadlineSeconds) { await meetDeadlines() } }
                group.addTask { await repeating(everySeconds: Limits.lockSweepSeconds) { await lockOverdue() } }
                group.addTask { await repeating(everySeconds: Limits.archiveSeconds) { await archive() } }
                group.addTask { await repeating(everySeconds: Limits.earlierWorkSeconds) { await moveEarlierWork() } }
            }
        }
    }

    /// Refunds packages that were not picked up in time, and refers unconfirmed deliveries to the administrators.
    package func meetDeadlines() async {
        await attempt("carrepsa") { try await services.carrepsa.housekeeping.run() }
    }

    /// Locks sessions that were inactive for too long.
    package func lockOverdue() async {
        await attempt("lock") { try await services.accounts.sessionLocks.lockOverdue() }
    }

    /// Writes received positions to the object store.
    package func archive() async { await attempt("archive") { try await services.tracking.archive.writeSegments() } }

    /// Turns mails and push messages into jobs that servers of an earlier version queued.
    private func moveEarlierWork() async {
        await services.accounts.mailSender.moveEarlierMails()
        await services.notifications.sender.moveEarlierMessages()
    }

    /// Cleans up once. A failure is logged; the next run tries again.
    package func cleanUp() async {
        await attempt("outbox") {
            let before = services.clock.now.adding(seconds: -Limits.outboxSeconds)
            while try await services.database.write({ try Outbox.prune(before: before, in: $0) }) > 0 {}
        }
        await attempt("notifications") { try await services.notifications.housekeeping() }
        await attempt("idempotency") {
            let before = services.clock.now.adding(seconds: -Limits.idempotencySeconds)
            while try await services.database.write({ try $0.pruneIdempotency(before: before) }) > 0 {}
        }
        await attempt("tracking") { try await services.tracking.housekeeping.run() }
        // Before the pictures, because deleting children leaves unreferenced pictures.
        await attempt("family") { try await services.family.housekeeping.run() }
        await attempt("accounts") { try await services.accounts.housekeeping.run() }
        await attempt("jobs") { try await services.deadJobs.prune() }
        await attempt("pictures") { try await services.pictures.sweep() }
    }

    private func attempt(_ part: String, _ work: () async throws -> Void) async {
        do {
            try await work()
        } catch is CancellationError {
            return
        } catch {
            services.logger.warning("Housekeeping failed", metadata: ["part": "\(part)", "error": "\(error)"])
        }
    }
}

/// Calls `work` at once and then at the given interval, until the task is cancelled.
func repeating(everySeconds seconds: Int, _ work: () async -> Void) async {
    while !Task.isCancelled {
        await work()
        try? await Task.sleep(for: .seconds(seconds))
    }
}
