import Kernel
import Logging
import ServiceLifecycle
import Storage
import Tracking

/// Asks trackers for their position, hands over their commands and fetches what they sent, all through the cloud, while
/// the server runs. Any number of servers on one database may do so at once.
package struct TrackerRounds: Service, CustomStringConvertible {
    private static let shortestPauseMilliseconds = 250
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

    private func follow(_ work: @escaping @Sendable () async throws -> Instant?) async {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let changes = Task { [database = services.database] in
            for await _ in database.changes() { wake.yield() }
        }
        var timer: Task<Void, Never>?
        defer {
            changes.cancel()
            timer?.cancel()
            wake.finish()
        }
        wake.yield()
        for await _ in wakes {
            let seconds = await look(work)
            timer?.cancel()
            timer = Task {
                guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
                wake.yield()
            }
            // All changes of a moment are one reason to look.
            try? await Task.sleep(for: .milliseconds(Self.shortestPauseMilliseconds))
        }
    }

    /// - Returns: seconds until the next look, if nothing happens before.
    private func look(_ work: @Sendable () async throws -> Instant?) async -> Double {
        let longest = Double(Limits.roundLookSeconds)
        do {
            guard let next = try await work() else { return longest }
            return min(longest, max(0, next.seconds(since: services.clock.now)))
        } catch is CancellationError {
            return longest
        } catch {
            services.logger.warning("A round of the trackers failed", metadata: ["error": "\(error)"])
            return longest
        }
    }
}
