import Kernel
import Logging
import ServiceLifecycle
import Storage
import Tracking

/// Asks trackers for their position, hands over their commands and fetches what they sent, all through the cloud, while
/// the server runs. Any number of servers on one database may do so at once.
package struct TrackerRounds: Service, CustomStringConvertible {
    private let services: Services

    /// The name alone: a log of what starts must not show what is in it.
    package var description: String { "TrackerRounds" }

    /// Makes the service; nothing runs before ``run()``.
    package init(_ services: Services) { self.services = services }

    /// Looks whenever something was changed, here or by another server, and when a round is due. Reading may take long,
    /// and holds up no command.
    package func run() async throws {
        guard services.tracking.hasCloud else { return await untilShutdown() }
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask { await follow { try await services.tracking.goRounds() } }
                group.addTask { await follow { try await services.tracking.readCloud() } }
            }
        }
    }

    private func untilShutdown() async {
        try? await gracefulShutdown()
    }

    private func follow(_ round: @Sendable () async throws -> Instant?) async {
        await services.database.workWhenDue(
            atLeastEvery: Limits.roundLookSeconds, clock: services.clock, work: round,
            failed: { error in
                services.logger.warning("A round of the trackers failed", metadata: ["error": "\(error)"])
            })
    }
}
