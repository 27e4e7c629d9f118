/// A part of a parsed template. ``TemplateParser`` describes the tags.
indirect enum TemplateNode: Sendable {
    /// HTML that is printed as it is.
    case text([UInt8])
    /// A value of the view model.
    case value(TemplateName, TemplatePrinting)
    /// Content that a value repeats or omits.
    case section(TemplateName, isInverted: Bool, [Self])
    /// Another template, with the blocks that replace its own. It may be among the attributes of an element.
    case template(String, blocks: [String: [Self]], isInTag: Bool)
    /// The default content of a block.
    case block(String, [Self])

    /// The names of the templates that the nodes use.
    /// - Parameter onlyInTags: whether those in content are omitted.
    static func templates(in nodes: [Self], onlyInTags: Bool = false) -> Set<String> {
        var names: Set<String> = []
        for node in nodes {
            switch node {
            case .text, .value: continue
            case .section(_, _, let content), .block(_, let content):
                names.formUnion(templates(in: content, onlyInTags: onlyInTags))
            case .template(let name, let blocks, let isInTag):
                if isInTag || !onlyInTags { names.insert(name) }
                for content in blocks.values { names.formUnion(templates(in: content, onlyInTags: onlyInTags)) }
            }
        }
        return names
    }
}

/// The name of a value: a property of the innermost scope that has it, and properties below that one.
struct TemplateName: Sendable {
    /// `nil` for the innermost scope itself, which is written as a period.
    let first: String?
    let rest: [String]

    /// Returns `nil` for characters that a name can't have.
    init?(_ text: String) {
        guard text != "." else {
            first = nil
            rest = []
            return
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.allSatisfy(Self.isProperty), let first = parts.first else { return nil }
        self.first = first
        rest = Array(parts.dropFirst())
    }

    private static func isProperty(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
