package import Kernel
import Mustache
import Synchronization
import Translations

/// Renders the templates of all modules. ``HTMLContent`` escapes every printed value for HTML, in every template,
/// partial and block.
package final class Renderer: Sendable {
    /// The templates by name, with drawn icons and untranslated texts.
    private let templates: [String: String]
    /// The parsed templates of the languages in which a page was rendered.
    private let libraries = Mutex<[Language: MustacheLibrary]>([:])
    private let icons: Icons

    /// A template that can't be used.
    package enum Failure: Error, Equatable {
        /// No module has a template of that name.
        case unknown(String)
        /// Two modules have a template of that name.
        case twice(String)
        /// It isn't valid UTF-8 or valid Mustache.
        case unreadable(String)
        /// It changes the content type or the delimiters, and so could print without escaping.
        case escapingChanged(String)
        /// It has an icon tag that isn't written as ``Icons`` describes.
        case malformedIcon(String, template: String)
        /// It has a text that isn't written as ``TemplateTexts`` describes, such as one with an icon in it.
        case malformedText(String, template: String)
        /// It names an icon that the sprite doesn't have.
        case unknownIcon(String, template: String)
    }

    /// Reads `templates/NAME.mustache` of every module.
    package init(_ modules: [EmbeddedFiles]) throws(Failure) {
        MustacheContentTypes.register(HTMLContent(), named: HTMLContent.name)
        icons = Icons(sprite: modules.lazy.compactMap { $0.contents(of: Icons.sprite) }.first.map(Array.init) ?? [])
        var templates: [String: String] = [:]
        for module in modules {
            for path in module.paths where path.hasPrefix("templates/") && path.hasSuffix(".mustache") {
                let name = String(path.dropFirst("templates/".count).dropLast(".mustache".count))
                guard let bytes = module.contents(of: path), let text = String(validating: bytes, as: UTF8.self) else {
                    throw .unreadable(name)
                }
                if let wrong = TemplateTexts.malformed(in: text) { throw .malformedText(wrong, template: name) }
                let drawn = try icons.expanded(in: text, named: name)
                guard templates.updateValue(drawn, forKey: name) == nil else { throw .twice(name) }
            }
        }
        self.templates = templates
    }

    /// Returns the templates by name, with drawn icons and the texts of a language.
    package func sources(in language: Language) throws(Failure) -> [String: String] {
        let t = Translations.translator(language)
        var sources: [String: String] = [:]
        for (name, template) in templates {
            guard let text = TemplateTexts.translated(template, by: t) else { throw .unreadable(name) }
            guard !HTMLContent.isChanged(by: text) else { throw .escapingChanged(name) }
            sources[name] = text
        }
        return sources
    }

    /// Parses the templates of a language. Without this call, the first page in that language waits for it.
    package func prepare(_ language: Language) throws(Failure) { _ = try library(in: language) }

    private func library(in language: Language) throws(Failure) -> MustacheLibrary {
        // Locked while it parses: the pages that wait for the result would otherwise parse all templates, too.
        try libraries.withLock { libraries throws(Failure) in
            if let known = libraries[language] { return known }
            var library = MustacheLibrary()
            for (name, text) in try sources(in: language) {
                do {
                    try library.register(HTMLContent.pragma + text, named: name)
                } catch {
                    throw .unreadable(name)
                }
            }
            libraries[language] = library
            return library
        }
    }

    /// Renders a view model, with the icons that it names.
    package func render(_ model: Any, template: String, in language: Language) throws(Failure) -> String {
        guard let html = try library(in: language).render(model, withTemplate: template) else {
            throw .unknown(template)
        }
        return icons.drawn(in: html)
    }
}

/// Escapes printed values for HTML. The library's own content type compares whole `Character`s and so doesn't escape a
/// quotation mark that a combining mark follows.
private struct HTMLContent: MustacheContentType {
    static let name = "HOMEWARD-HTML"
    /// Begins each template. The library falls back to its own content type at each partial, so one pragma at the start
    /// of a page isn't enough.
    static let pragma = "{{% CONTENT_TYPE:\(name)}}\n"

    /// Whether a template's text has a pragma, or delimiters that could hide one.
    static func isChanged(by text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.indices.dropLast(2).contains { index in
            guard bytes[index] == UInt8(ascii: "{"), bytes[index + 1] == UInt8(ascii: "{") else { return false }
            let kind = bytes[(index + 2)...].first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
            return kind == UInt8(ascii: "%") || kind == UInt8(ascii: "=")
        }
    }

    func escapeText(_ text: String) -> String { MarkupText.html(text) }
}
