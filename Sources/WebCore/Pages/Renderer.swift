import Mustache

/// Renders all modules' templates. What a template prints is escaped for HTML.
package struct Renderer: Sendable {
    /// The templates by name; for the test that compares their tags with the view models.
    package let sources: [String: String]
    private let library: MustacheLibrary

    /// A template that can't be used.
    package enum Failure: Error, Equatable {
        /// No module brings a template of that name.
        case unknown(String)
        /// Two modules bring a template of that name.
        case twice(String)
        /// It isn't UTF-8 or not Mustache.
        case unreadable(String)
    }

    /// Reads `templates/NAME.mustache` of every module.
    package init(_ modules: [EmbeddedFiles]) throws(Failure) {
        var sources: [String: String] = [:]
        var library = MustacheLibrary()
        for module in modules {
            for path in module.paths where path.hasPrefix("templates/") && path.hasSuffix(".mustache") {
                let name = String(path.dropFirst("templates/".count).dropLast(".mustache".count))
                guard let bytes = module.contents(of: path), let text = String(validating: bytes, as: UTF8.self) else {
                    throw .unreadable(name)
                }
                guard sources.updateValue(text, forKey: name) == nil else { throw .twice(name) }
                do {
                    try library.register(text, named: name)
                } catch {
                    throw .unreadable(name)
                }
            }
        }
        self.sources = sources
        self.library = library
    }

    /// Renders a view model.
    package func render(_ model: Any, template: String) throws(Failure) -> String {
        guard let html = library.render(model, withTemplate: template) else { throw .unknown(template) }
        return html
    }
}
