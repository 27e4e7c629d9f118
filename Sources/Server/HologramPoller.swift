import Jobs
import Kernel
import Logging
import ServiceLifecycle
import Storage
import Tracking

/// Polls trackers for positions, sends their commands and fetches their messages through the cloud while the server
/// runs. Several servers on one database can do so at the same time.
package struct HologramPoller: Service {
    private let services: Services

    package init(_ services: Services) { self.services = services }

    /// Polls after each change, made here or by another server, and when a poll is due. Reading messages can take long;
    /// it doesn't delay commands. A message that is being sent is finished.
    package func run() async throws {
        let tracking = services.tracking
        guard tracking.hasHologram else { return await untilShutdown() }
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                if tracking.commandDeliveries.isEnabled {
                    group.addTask { await tracking.commandDeliveries.worker.run() }
                }
                group.addTask { await poll() }
                group.addTask { await tracking.hologramFeeds.worker.run() }
            }
        }
    }

    private func untilShutdown() async { try? await gracefulShutdown() }

    private func poll() async {
        await services.database.workWhenDue(
            atLeastEvery: Limits.trackerPollWakeSeconds, clock: services.clock,
            work: { try await services.tracking.polls.runDuePolls() },
            failed: { error in
                services.logger.warning("Polling the trackers failed", metadata: ["error": "\(error)"])
            })
    }
}
