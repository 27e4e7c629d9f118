import ServiceLifecycle
import WebCore

/// Parses the templates beside the start of the server, which is ready without them.
struct TemplatePreparation: Service {
    let web: Web

    func run() async throws {
        web.prepareTemplates()
        // A service that ends would end the others.
        try await gracefulShutdown()
    }
}
