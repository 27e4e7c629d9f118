package import Kernel
import Synchronization
import Translations

/// Renders the templates of all modules. ``TemplateParser`` describes their tags. ``TemplateRendering`` escapes every
/// printed value.
package final class Renderer: Sendable {
    /// The templates by name, with drawn icons and untranslated texts.
    private let templates: [String: String]
    /// The parsed templates of the languages in which a page was rendered.
    private let parsed = Mutex<[Language: [String: [TemplateNode]]]>([:])
    private let icons: Icons

    /// A template that can't be used.
    package enum Failure: Error, Equatable {
        /// No module has a template of that name.
        case unknown(String)
        /// Two modules have a template of that name.
        case twice(String)
        /// It isn't valid UTF-8, or has a tag that ``TemplateParser`` doesn't know.
        case unreadable(String)
        /// It has an icon tag that isn't written as ``Icons`` describes.
        case malformedIcon(String, template: String)
        /// It has a text that isn't written as ``TemplateTexts`` describes, such as one with an icon in it.
        case malformedText(String, template: String)
        /// It names an icon that the sprite doesn't have.
        case unknownIcon(String, template: String)
    }

    /// Reads `templates/NAME.mustache` of every module.
    package init(_ modules: [EmbeddedFiles]) throws(Failure) {
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
            sources[name] = text
        }
        return sources
    }

    /// Parses the templates of a language. Without this call, the first page in that language waits for it.
    package func prepare(_ language: Language) throws(Failure) { _ = try parsed(in: language) }

    private func parsed(in language: Language) throws(Failure) -> [String: [TemplateNode]] {
        // Locked while it parses: the pages that wait for the result would otherwise parse all templates, too.
        try parsed.withLock { parsed throws(Failure) in
            if let known = parsed[language] { return known }
            let sources = try sources(in: language)
            var templates: [String: [TemplateNode]] = [:]
            func parse(_ name: String, isInTag: Bool) throws(Failure) {
                do {
                    templates[name] = try sources[name].map { try TemplateParser.nodes(of: $0, isInTag: isInTag) }
                } catch {
                    throw .unreadable(name)
                }
            }
            for name in sources.keys { try parse(name, isInTag: false) }
            // A template that other ones use among the attributes of an element begins there.
            let attributes = templates.values.map { TemplateNode.templates(in: $0, onlyInTags: true) }
            for name in attributes.reduce(into: Set(), { $0.formUnion($1) }) { try parse(name, isInTag: true) }
            let used = TemplateNode.templates(in: templates.values.flatMap(\.self))
            if let missing = used.subtracting(templates.keys).min() { throw .unknown(missing) }
            parsed[language] = templates
            return templates
        }
    }

    /// Renders a view model, with the icons that it names.
    package func render(_ model: Any, template: String, in language: Language) throws(Failure) -> String {
        guard let html = TemplateRendering.html(template, of: try parsed(in: language), with: model) else {
            throw .unknown(template)
        }
        return icons.drawn(in: html)
    }
}
