import ServiceLifecycle
import WebCore

/// Parses the templates beside the start of the server, which is ready without them.
struct TemplatePreparation: Service, CustomStringConvertible {
    let web: Web

    /// The type's name alone, so that logs show no contents.
    var description: String { "TemplatePreparation" }

    func run() async throws {
        web.prepareTemplates()
        // A service that ends would end the others.
        try await gracefulShutdown()
    }
}
