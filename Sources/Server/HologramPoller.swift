import Kernel
import Logging
import ServiceLifecycle
import Storage
import Tracking

/// Polls trackers for positions, sends their commands and fetches their messages through the cloud while the server
/// runs. Several servers on one database can do so at the same time.
package struct HologramPoller: Service, CustomStringConvertible {
    private let services: Services

    /// The type's name alone, so that logs show no contents.
    package var description: String { "HologramPoller" }

    package init(_ services: Services) { self.services = services }

    /// Polls after each change, made here or by another server, and when a poll is due. Reading messages can take long;
    /// it doesn't delay commands.
    package func run() async throws {
        guard services.tracking.hasHologram else { return await untilShutdown() }
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask { await follow { try await services.tracking.polls.runDuePolls() } }
                group.addTask { await follow { try await services.tracking.hologramFeeds.readDue() } }
            }
        }
    }

    private func untilShutdown() async {
        try? await gracefulShutdown()
    }

    private func follow(_ round: @Sendable () async throws -> Instant?) async {
        await services.database.workWhenDue(
            atLeastEvery: Limits.trackerPollWakeSeconds, clock: services.clock, work: round,
            failed: { error in
                services.logger.warning("A round of the trackers failed", metadata: ["error": "\(error)"])
            })
    }
}
