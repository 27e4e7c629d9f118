import Kernel

/// Reads a template. Its tags are the part of Mustache that the pages need:
///
/// - `{{name}}` prints a value, escaped for HTML, and isolated from the text around it (``TemplatePrinting``).
///   `{{{name}}}` prints it as it is.
/// - `{{~name}}` prints a placeholder of a text in the reader's language (``TemplateTexts``).
/// - `{{#name}}…{{/name}}` is printed for a value that is present and not `false`, and for each entry of a list; the
///   value or the entry is then the innermost scope. `{{^name}}…{{/name}}` is printed otherwise.
/// - `{{>name}}` is another template.
/// - `{{<name}}{{$block}}…{{/block}}{{/name}}` is another template with other content in its blocks.
/// - `{{$block}}…{{/block}}` is a block with its default content.
/// - `{{! … }}` is a comment.
///
/// The other tags of Mustache, such as those that change the delimiters or the way of escaping, are errors. A line that
/// has nothing but one tag that prints no value isn't part of the page.
struct TemplateParser {
    /// Thrown for a tag that isn't known, isn't closed, or is where HTML doesn't allow it.
    struct Failure: Error {}

    private static let opening: StaticString = "{{"
    private static let newline = UInt8(ascii: "\n")

    private let bytes: [UInt8]
    private var position = 0
    private var html: HTMLScanner

    private init(_ text: String, isInTag: Bool) {
        bytes = Array(text.utf8)
        html = HTMLScanner(isInTag: isInTag)
    }

    /// Returns the parts of a template.
    /// - Parameter isInTag: whether it is used among the attributes of an element.
    static func nodes(of text: String, isInTag: Bool = false) throws(Failure) -> [TemplateNode] {
        var parser = Self(text, isInTag: isInTag)
        return try parser.nodes(until: nil)
    }

    private struct Tag {
        /// `{`, `~`, `#`, `^`, `/`, `<`, `>`, `$` or `!`; `nil` for a printed value.
        let kind: UInt8?
        let name: String
        /// The tag, or its line if it contains nothing else.
        let range: Range<Int>
    }

    private mutating func nodes(until end: String?) throws(Failure) -> [TemplateNode] {
        var nodes: [TemplateNode] = []
        while let tag = try nextTag() {
            append(position..<tag.range.lowerBound, to: &nodes)
            position = tag.range.upperBound
            switch tag.kind {
            case UInt8(ascii: "!"): continue
            case UInt8(ascii: "/"):
                guard tag.name == end else { throw Failure() }
                return nodes
            case UInt8(ascii: "#"), UInt8(ascii: "^"):
                let content = try self.nodes(until: tag.name)
                nodes.append(.section(try name(tag), isInverted: tag.kind == UInt8(ascii: "^"), content))
            case UInt8(ascii: ">"):
                guard html.isInContent || html.isInTag else { throw Failure() }
                nodes.append(.template(tag.name, blocks: [:], isInTag: html.isInTag))
            case UInt8(ascii: "<"):
                nodes.append(.template(tag.name, blocks: try blocks(until: tag.name), isInTag: false))
            case UInt8(ascii: "$"):
                guard html.isInContent else { throw Failure() }
                nodes.append(.block(tag.name, try self.nodes(until: tag.name)))
            case UInt8(ascii: "{"): nodes.append(.value(try name(tag), .unescaped))
            default:
                nodes.append(.value(try name(tag), html.printing(isInSentence: tag.kind == UInt8(ascii: "~"))))
                html.printed()
            }
        }
        guard end == nil else { throw Failure() }
        append(position..<bytes.count, to: &nodes)
        return nodes
    }

    /// Reads the blocks that replace those of another template. Text between them isn't printed.
    private mutating func blocks(until end: String) throws(Failure) -> [String: [TemplateNode]] {
        var blocks: [String: [TemplateNode]] = [:]
        for node in try nodes(until: end) {
            switch node {
            case .block(let name, let content): blocks[name] = content
            case .text: continue
            default: throw Failure()
            }
        }
        return blocks
    }

    private mutating func append(_ range: Range<Int>, to nodes: inout [TemplateNode]) {
        guard !range.isEmpty else { return }
        html.read(bytes[range])
        nodes.append(.text(Array(bytes[range])))
    }

    private func name(_ tag: Tag) throws(Failure) -> TemplateName {
        guard let name = TemplateName(tag.name) else { throw Failure() }
        return name
    }

    /// Returns the next tag; `nil` at the end of the template.
    private func nextTag() throws(Failure) -> Tag? {
        guard let start = bytes.withUnsafeBufferPointer({ $0.firstIndex(of: Self.opening, from: position) }) else {
            return nil
        }
        var index = start + Self.opening.utf8CodeUnitCount
        let kind = bytes.indices.contains(index) ? bytes[index] : nil
        let isKnown = kind.map { "{~#^/<>$!".utf8.contains($0) } ?? false
        if isKnown { index += 1 }
        guard let nameEnd = bytes[index...].firstIndex(of: UInt8(ascii: "}")) else { throw Failure() }
        let text = String(decoding: bytes[index..<nameEnd], as: UTF8.self).trimmingSpaces()
        let closing = kind == UInt8(ascii: "{") ? 3 : 2
        let end = nameEnd + closing
        guard end <= bytes.count, bytes[nameEnd..<end].allSatisfy({ $0 == UInt8(ascii: "}") }) else { throw Failure() }
        let isPrinted = !isKnown || kind == UInt8(ascii: "{") || kind == UInt8(ascii: "~")
        if kind != UInt8(ascii: "!"), !Self.isName(text) { throw Failure() }
        return Tag(
            kind: isKnown ? kind : nil, name: String(text),
            range: isPrinted ? start..<end : line(around: start..<end) ?? start..<end)
    }

    /// Whether a text is a name of a value, a template or a block.
    private static func isName(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    /// Returns the line of a tag, with its end; `nil` if it has other content.
    private func line(around tag: Range<Int>) -> Range<Int>? {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let start = bytes[..<tag.lowerBound].lastIndex { !isSpace($0) }
        let end = bytes[tag.upperBound...].firstIndex { !isSpace($0) }
        guard start.map({ bytes[$0] == Self.newline }) ?? true, end.map({ bytes[$0] == Self.newline }) ?? true else {
            return nil
        }
        return (start.map { $0 + 1 } ?? 0)..<(end.map { $0 + 1 } ?? bytes.count)
    }
}
