import Accounts
import Carrepsa
import Family
import Kernel
import Logging
import Notifications
import Pictures
import ServiceLifecycle
import Storage
import Tracking

/// What has to be done now and then: old events go, commands expire, files that nobody refers to go.
package struct Housekeeping: Service, CustomStringConvertible {
    private let services: Services

    /// The type's name alone, so that logs show no contents.
    package var description: String { "Housekeeping" }

    /// Makes the service; nothing runs before ``run()``.
    package init(_ services: Services) { self.services = services }

    /// Tidies up at once and then every ``Limits/housekeepingSeconds``, looks every ``Limits/deadlineSeconds`` for
    /// parcels that were not picked up in time, every ``Limits/lockSweepSeconds`` for sessions that are to be locked, and
    /// every ``Limits/archiveSeconds`` for positions to be archived, until the server stops.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask { await repeating(everySeconds: Limits.housekeepingSeconds) { await tidy() } }
                group.addTask { await repeating(everySeconds: Limits.deadlineSeconds) { await meetDeadlines() } }
                group.addTask { await repeating(everySeconds: Limits.lockSweepSeconds) { await lockOverdue() } }
                group.addTask { await repeating(everySeconds: Limits.archiveSeconds) { await archive() } }
            }
        }
    }

    /// Gives back what wasn't picked up in time, and asks operators about deliveries that nobody confirmed.
    package func meetDeadlines() async {
        await attempt("carrepsa") { try await services.carrepsa.housekeeping() }
    }

    /// Locks sessions that were left alone for too long.
    package func lockOverdue() async { await attempt("lock") { try await services.accounts.lockOverdue() } }

    /// Writes positions that have come in to the object store.
    package func archive() async { await attempt("archive") { try await services.tracking.archive() } }

    /// Tidies up once. What fails is logged and tried again the next time.
    package func tidy() async {
        await attempt("outbox") {
            let before = services.clock.now.adding(seconds: -Limits.outboxSeconds)
            while try await services.database.write({ try Outbox.prune(before: before, in: $0) }) > 0 {}
        }
        await attempt("notifications") { try await services.notifications.housekeeping() }
        await attempt("idempotency") {
            let before = services.clock.now.adding(seconds: -Limits.idempotencySeconds)
            while try await services.database.write({ try $0.pruneIdempotency(before: before) }) > 0 {}
        }
        await attempt("tracking") { try await services.tracking.housekeeping() }
        // Before the pictures: children who go for good leave some behind.
        await attempt("family") { try await services.family.housekeeping() }
        await attempt("accounts") { try await services.accounts.housekeeping() }
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

/// Does `work` at once and then every so many seconds, until the task is cancelled.
func repeating(everySeconds seconds: Int, _ work: () async -> Void) async {
    while !Task.isCancelled {
        await work()
        try? await Task.sleep(for: .seconds(seconds))
    }
}
