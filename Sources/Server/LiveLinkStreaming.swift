import Kernel
import Logging
import ServiceLifecycle
import Tracking

/// Sends the positions of live links to their open pages while the server runs.
struct LiveLinkStreaming: Service {
    let services: Services

    func run() async throws {
        let hub = services.tracking.liveLinkHub
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask { await repeating(Limits.liveLinkPollMilliseconds) { try await hub.poll() } }
                group.addTask { await repeating(Limits.liveViewerBeatSeconds * 1_000) { try await hub.beat() } }
            }
        }
        hub.close()
    }

    /// A failure is tried again with the next round.
    private func repeating(_ milliseconds: Int, _ work: @Sendable () async throws -> Void) async {
        while (try? await Task.sleep(for: .milliseconds(milliseconds))) != nil {
            do {
                try await work()
            } catch {
                services.logger.warning("Live links could not be read", metadata: ["error": "\(error)"])
            }
        }
    }
}
