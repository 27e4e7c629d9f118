import Kernel

/// Renders one page. Every printed value is escaped for HTML, in every template and block, except `{{{name}}}`, and
/// can't reorder the text around it (``TemplatePrinting``).
struct TemplateRendering {
    private let templates: [String: [TemplateNode]]
    /// The values that names are looked up in, the innermost last.
    private var scopes: [TemplateValue]
    /// The content that replaces that of blocks.
    private var blocks: [String: [TemplateNode]] = [:]
    private var types = TemplateTypes()
    private var html: [UInt8] = []

    private init(_ templates: [String: [TemplateNode]], _ model: Any) {
        self.templates = templates
        scopes = [TemplateValue(model)].compactMap(\.self)
    }

    /// Returns the page in UTF-8; `nil` for an unknown template.
    static func html(_ template: String, of templates: [String: [TemplateNode]], with model: Any) -> [UInt8]? {
        guard let nodes = templates[template] else { return nil }
        var rendering = Self(templates, model)
        rendering.render(nodes)
        return rendering.html
    }

    private mutating func render(_ nodes: [TemplateNode]) {
        for node in nodes {
            switch node {
            case .text(let bytes): html += bytes
            case .value(let name, let printing):
                guard let text = value(name)?.printed else { continue }
                html += printing.html(text).utf8
            case .section(let name, let isInverted, let content):
                if isInverted { renderInverted(value(name), content) } else { render(value(name), content) }
            case .template(let name, let replaced, _):
                let outer = blocks
                // The content that a page gives to a block is used also where a template between has its own.
                if !replaced.isEmpty { blocks.merge(replaced) { outer, _ in outer } }
                render(templates[name] ?? [])
                if !replaced.isEmpty { blocks = outer }
            case .block(let name, let content): render(blocks[name] ?? content)
            }
        }
    }

    private mutating func render(_ value: TemplateValue?, _ content: [TemplateNode]) {
        switch value {
        case nil: return
        case .flag(let flag): if flag { render(content) }
        case .list(let entries): for entry in entries { render(content, in: TemplateValue(entry)) }
        case .text, .object: render(content, in: value)
        }
    }

    private mutating func renderInverted(_ value: TemplateValue?, _ content: [TemplateNode]) {
        switch value {
        case nil: render(content)
        case .flag(let flag): if !flag { render(content) }
        case .list(let entries): if entries.isEmpty { render(content) }
        case .text, .object: return
        }
    }

    private mutating func render(_ content: [TemplateNode], in scope: TemplateValue?) {
        guard let scope else { return }
        scopes.append(scope)
        render(content)
        scopes.removeLast()
    }

    /// Returns the value of a name. An absent value is looked up in the outer scopes.
    private mutating func value(_ name: TemplateName) -> TemplateValue? {
        guard let first = name.first else { return scopes.last }
        for index in scopes.indices.reversed() {
            guard var found = property(first, of: scopes[index]) else { continue }
            for part in name.rest {
                guard let next = property(part, of: found) else { return nil }
                found = next
            }
            return found
        }
        return nil
    }

    private mutating func property(_ name: String, of value: TemplateValue) -> TemplateValue? {
        guard case .object(let object) = value else { return nil }
        return object.property(name, &types)
    }
}
