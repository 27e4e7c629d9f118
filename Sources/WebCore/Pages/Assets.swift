import Synchronization

/// The templates, styles and scripts of all modules, read from their embedded files.
struct Assets: Sendable {
    let renderer: Renderer
    let files: StaticFiles

    private struct Entry {
        let modules: [EmbeddedFiles]
        let assets: Assets
    }

    /// Servers of the same modules in one process share what was read: reading it is most of a server's start, and the
    /// tests start hundreds.
    private static let entries = Mutex<[Entry]>([])
    private static let maxEntries = 4

    /// - Throws: `Renderer.Failure` for templates that can't be used.
    static func of(_ modules: [EmbeddedFiles]) throws -> Assets {
        if let known = entries.withLock({ $0.first { $0.modules == modules } }) { return known.assets }
        let assets = Assets(
            renderer: try Renderer(modules), files: StaticFiles(modules, generated: try WebAppManifest.files()))
        entries.withLock { $0 = [Entry(modules: modules, assets: assets)] + $0.prefix(maxEntries - 1) }
        return assets
    }
}
