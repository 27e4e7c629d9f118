import Logging
import ServiceLifecycle
import WebCore

/// Gives the balancer of several nodes time to send requests elsewhere, before this node ends its connections. Stop it
/// before the other services.
struct DrainingService: Service {
    let web: Web
    let seconds: Int
    let logger: Logger

    func run() async throws {
        try await gracefulShutdown()
        guard seconds > 0 else { return }
        logger.notice("The server drains before it stops", metadata: ["seconds": "\(seconds)"])
        web.drain()
        // Cancelled if another service fails.
        try? await Task.sleep(for: .seconds(seconds))
    }
}
