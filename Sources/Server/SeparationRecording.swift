import Kernel
import Logging
import ServiceLifecycle
import Tracking

/// Stores this node's evaluations of separations, which replays need, while the server runs and when it stops.
struct SeparationRecording: Service {
    let services: Services

    func run() async throws {
        let histories = services.tracking.separationHistories
        await cancelWhenGracefulShutdown {
            await repeating(everySeconds: Limits.separationStoreSeconds) {
                await attempt { try await histories.storeDue() }
            }
        }
        // The task of the service may be cancelled, and the store wouldn't begin a transaction then.
        await Task { await attempt { try await histories.storeAll() } }.value
    }

    /// What can't be stored is tried again with the next round.
    private func attempt(_ work: () async throws -> Void) async {
        do {
            try await work()
        } catch {
            services.logger.warning("Separations could not be stored", metadata: ["error": "\(error)"])
        }
    }
}
