/// A tag of a Mustache template; text is omitted.
indirect enum TemplateTag {
    /// `{{name}}`, `{{~name}}`, `{{{name}}}` or `{{&name}}`.
    case value(String, isEscaped: Bool)
    /// `{{#name}}…{{/name}}`, or with `^`.
    case section(String, isInverted: Bool, [TemplateTag])
    /// `{{>name}}`.
    case partial(String)
    /// `{{<name}}…{{/name}}`: that template, with blocks of its own.
    case parent(String, blocks: [String: [TemplateTag]])
    /// `{{$name}}…{{/name}}`: the default content, unless a child template replaces it.
    case block(String, [TemplateTag])
}

/// Thrown when a template can't be checked.
struct TemplateFailure: Error, CustomStringConvertible {
    let description: String
}

/// Reads the tags of one template. Tags that our templates don't use are an error.
struct TemplateReader {
    private struct Token {
        let kind: String
        let name: String
    }

    private let tokens: [Token]
    private var position = 0

    static func tags(of text: String) throws -> [TemplateTag] {
        var reader = try TemplateReader(text)
        let tags = try reader.tags(until: nil)
        return tags
    }

    private init(_ text: String) throws {
        let tag = #/\{\{(?<unescaped>\{)?(?<kind>[#^\/<>$!&=%*~]?)\s*(?<name>[^{}]*?)\s*\}\}(?<end>\}?)/#
        var tokens: [Token] = []
        for match in text.matches(of: tag) {
            let name = String(match.output.name)
            let kind = match.output.unescaped != nil ? "{" : String(match.output.kind)
            if kind == "!" { continue }
            guard ["", "~", "{", "&", "#", "^", "/", "<", ">", "$"].contains(kind) else {
                throw TemplateFailure(description: "{{\(kind)\(name)}} is not understood by this test")
            }
            guard name == "." || name.wholeMatch(of: #/[A-Za-z][A-Za-z0-9_.-]*/#) != nil else {
                throw TemplateFailure(description: "{{\(kind)\(name)}} is no plain name")
            }
            tokens.append(Token(kind: kind, name: name))
        }
        self.tokens = tokens
    }

    private mutating func tags(until end: String?) throws -> [TemplateTag] {
        var found: [TemplateTag] = []
        while position < tokens.count {
            let token = tokens[position]
            position += 1
            switch token.kind {
            case "/":
                guard token.name == end else { throw TemplateFailure(description: "{{/\(token.name)}} closes nothing") }
                return found
            case "#", "^":
                let body = try tags(until: token.name)
                found.append(.section(token.name, isInverted: token.kind == "^", body))
            case "$": found.append(.block(token.name, try tags(until: token.name)))
            case "<": found.append(.parent(token.name, blocks: try blocks(until: token.name)))
            case ">": found.append(.partial(token.name))
            default: found.append(.value(token.name, isEscaped: ["", "~"].contains(token.kind)))
            }
        }
        guard end == nil else { throw TemplateFailure(description: "{{#\(end ?? "")}} is never closed") }
        return found
    }

    private mutating func blocks(until end: String) throws -> [String: [TemplateTag]] {
        var blocks: [String: [TemplateTag]] = [:]
        for tag in try tags(until: end) {
            guard case .block(let name, let body) = tag else {
                throw TemplateFailure(description: "{{<\(end)}} may hold blocks only")
            }
            blocks[name] = body
        }
        return blocks
    }
}
