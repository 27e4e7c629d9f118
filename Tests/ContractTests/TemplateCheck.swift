/// Walks a template with the type of its view model, as the renderer walks it with a value. The renderer prints
/// nothing for an unknown name; here that is a problem.
struct TemplateCheck {
    private static let depthLimit = 20

    private let templates: [String: [TemplateTag]]
    /// The problems found, without repetitions.
    private(set) var problems: Set<String> = []
    /// The templates that were walked.
    private(set) var visited: Set<String> = []
    /// The tags that are printed without escaping: `template: tag`.
    private(set) var unescaped: Set<String> = []
    /// The stored properties of type `String` that are printed with escaping.
    private(set) var printed: Set<String> = []

    /// The position of the walk.
    private struct Place {
        /// The names of the templates, the innermost last.
        var templates: [String]
        /// The types that names are looked up in, the innermost last.
        var scopes: [ViewModelType]
        var blocks: [String: Block] = [:]

        var template: String { templates.last ?? "" }
    }

    /// The content that a page gives to a block of its parent.
    private struct Block {
        let template: String
        let tags: [TemplateTag]
    }

    init(_ sources: [String: String]) throws {
        var templates: [String: [TemplateTag]] = [:]
        for (name, text) in sources {
            do {
                templates[name] = try TemplateReader.tags(of: text)
            } catch {
                throw TemplateFailure(description: "\(name): \(error)")
            }
        }
        self.templates = templates
    }

    mutating func check(_ template: String, with model: ViewModelType) {
        enter(template, Place(templates: [], scopes: [model]))
    }

    private mutating func enter(_ name: String, _ place: Place) {
        guard let tags = templates[name] else {
            problems.insert("\(place.template): there is no template \(name)")
            return
        }
        guard place.templates.count < Self.depthLimit else {
            problems.insert("\(name): goes round in circles")
            return
        }
        visited.insert(name)
        var place = place
        place.templates.append(name)
        walk(tags, place)
    }

    private mutating func walk(_ tags: [TemplateTag], _ place: Place) {
        for tag in tags { walk(tag, place) }
    }

    private mutating func walk(_ tag: TemplateTag, _ place: Place) {
        switch tag {
        case .value(let name, let isEscaped):
            if !isEscaped { unescaped.insert("\(place.template): \(name)") }
            guard let found = find(name, place) else { return }
            let value = found.type.unwrapped
            if !value.isText { note("{{\(name)}} prints a \(found.type)", place) }
            if isEscaped, value.type == String.self { printed.insert(value.origin) }
        case .section(let name, let isInverted, let body):
            section(name, isInverted: isInverted, body, place)
        case .partial(let name): enter(name, place)
        case .parent(let name, let blocks):
            for block in blocks.keys where !Self.blockNames(in: templates[name] ?? []).contains(block) {
                note("\(name) has no block \(block)", place)
            }
            var inner = place
            let own = blocks.mapValues { Block(template: place.template, tags: $0) }
            inner.blocks.merge(own) { _, new in new }
            enter(name, inner)
        case .block(let name, let standard):
            guard let override = place.blocks[name] else { return walk(standard, place) }
            var inner = place
            inner.templates.append(override.template)
            walk(override.tags, inner)
        }
    }

    private mutating func section(_ name: String, isInverted: Bool, _ body: [TemplateTag], _ place: Place) {
        guard let found = find(name, place) else { return }
        let value = found.type.unwrapped
        var inner = place
        if let element = value.element {
            if !isInverted { inner.scopes.append(element) }
        } else if !value.isFlag {
            // Even an empty text counts as present, and a struct is always present.
            if !found.mayBeAbsent, isInverted || value.isText {
                note("{{\(isInverted ? "^" : "#")\(name)}} is decided by a \(value), which is never absent", place)
            }
            if !isInverted { inner.scopes.append(value) }
        }
        walk(body, inner)
    }

    /// The type of a name: the first part is looked up from the innermost scope outward, the others in the type that
    /// was found.
    private mutating func find(_ name: String, _ place: Place) -> (type: ViewModelType, mayBeAbsent: Bool)? {
        guard name != "." else { return place.scopes.last.map { ($0, false) } }
        var parts = name.split(separator: ".").map(String.init)
        let first = parts.removeFirst()
        let scopes = Array(place.scopes.reversed())
        let holders = scopes.compactMap { $0.property(first) }
        guard var found = holders.first else {
            note("{{\(name)}} is stored in none of \(scopes)", place)
            return nil
        }
        // For an absent value, the renderer continues with the outer scopes and uses theirs.
        if found.isOptional, holders.count > 1 { note("{{\(name)}}, when absent, is that of an outer scope", place) }
        var mayBeAbsent = found.isOptional
        for part in parts {
            guard let next = found.unwrapped.property(part) else {
                note("{{\(name)}}: \(found) stores no \(part)", place)
                return nil
            }
            found = next
            mayBeAbsent = mayBeAbsent || next.isOptional
        }
        return (found, mayBeAbsent)
    }

    private mutating func note(_ problem: String, _ place: Place) { problems.insert("\(place.template): \(problem)") }

    private static func blockNames(in tags: [TemplateTag]) -> Set<String> {
        var names: Set<String> = []
        for tag in tags {
            switch tag {
            case .block(let name, let body): names.formUnion(blockNames(in: body).union([name]))
            case .section(_, _, let body): names.formUnion(blockNames(in: body))
            case .value, .partial, .parent: break
            }
        }
        return names
    }
}
