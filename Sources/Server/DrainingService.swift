import ServiceLifecycle
import WebCore

/// Gives the balancer of several nodes time to send requests elsewhere, before this node ends its connections. Stop it
/// before the other services.
struct DrainingService: Service {
    let web: Web
    let seconds: Int

    func run() async throws {
        try await gracefulShutdown()
        guard seconds > 0 else { return }
        web.drain()
        // A stop that takes too long cancels it.
        try? await Task.sleep(for: .seconds(seconds))
    }
}
