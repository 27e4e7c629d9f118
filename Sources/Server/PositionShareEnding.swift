import Kernel
import Logging
import ServiceLifecycle
import Tracking
import WebCore

/// Ends the sharing of positions whose time is over within a second while pages are open. Without open pages,
/// housekeeping does, and no request shows a position after the end.
struct PositionShareEnding: Service {
    let services: Services
    let live: LiveHub

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await repeating(everyMilliseconds: Limits.positionShareCheckMilliseconds) {
                guard live.listenerCount > 0 else { return }
                do {
                    try await services.tracking.positionShareExpiry.run()
                } catch {
                    services.logger.warning("Sharing could not be ended", metadata: ["error": "\(error)"])
                }
            }
        }
    }
}
