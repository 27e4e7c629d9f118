import Kernel

/// The English texts in templates: `{{#t}}Carried by {name}{{/t}}`. A text is plain text, without markup; `{name}`
/// prints a property of the view model. Equal texts with different meanings have a context: `{{#t verb}}Open{{/t}}`.
///
/// A placeholder with markup has it after the text, so that each language can put it elsewhere in the sentence:
/// `{{#t}}Last used {time}{{:time}}<time datetime="{{machine}}">{{age}}</time>{{/t}}`.
enum TemplateTexts {
    private static let opening: StaticString = "{{#t"
    private static let tagEnd: StaticString = "}}"
    private static let closing: StaticString = "{{/t}}"
    private static let element: StaticString = "{{:"

    /// One text of a template.
    private struct Text {
        /// From the opening tag to the closing one.
        let range: Range<String.Index>
        let context: String?
        let content: Substring
        /// The markup of placeholders, as a part of the template.
        let elements: [(name: Substring, markup: Substring)]

        /// Whether the text is plain text and contains the placeholder of each element.
        var isWellFormed: Bool {
            !content.contains("{{") && elements.allSatisfy { content.contains("{\($0.name)}") }
        }
    }

    private struct Unclosed: Error {}

    /// Returns the template with its texts in the translator's language; `nil` when a text isn't closed.
    static func translated(_ template: String, by t: Translator) -> String? {
        var result = ""
        var end = template.startIndex
        do throws(Unclosed) {
            while let text = try next(in: template, from: end) {
                result += template[end..<text.range.lowerBound]
                result += markup(t.text(String(text.content), context: text.context), text.elements)
                end = text.range.upperBound
            }
        } catch { return nil }
        return result + template[end...]
    }

    /// Returns the first text that has a tag, such as an icon, which would be shown as text, or that lacks the
    /// placeholder of its markup; `nil` when there is none.
    static func malformed(in template: String) -> String? {
        var end = template.startIndex
        while let text = try? next(in: template, from: end) {
            if !text.isWellFormed { return String(template[text.range]) }
            end = text.range.upperBound
        }
        return nil
    }

    /// Returns the first text from `start`; `nil` when there is none.
    private static func next(in template: String, from start: String.Index) throws(Unclosed) -> Text? {
        var start = start
        while let tag = template[start...].firstByteRange(of: opening) {
            let after = template[tag.upperBound...]
            guard !after.isEmpty else { throw Unclosed() }
            // Another section, such as {{#title}}.
            guard after.utf8.first == UInt8(ascii: "}") || after.utf8.first == UInt8(ascii: " ") else {
                start = tag.upperBound
                continue
            }
            guard let contextEnd = after.firstByteRange(of: tagEnd),
                let end = after.firstByteRange(of: closing)
            else { throw Unclosed() }
            let context = after[..<contextEnd.lowerBound].trimmingSpaces()
            // The text's content, and its elements, each with its name at the start.
            var parts = after[contextEnd.upperBound..<end.lowerBound].split(atBytes: element)
            let content = parts.removeFirst()
            return Text(
                range: tag.lowerBound..<end.upperBound, context: context.isEmpty ? nil : context, content: content,
                elements: try parts.map { part throws(Unclosed) in
                    guard let nameEnd = part.firstByteRange(of: tagEnd) else { throw Unclosed() }
                    return (part[..<nameEnd.lowerBound], part[nameEnd.upperBound...])
                })
        }
        return nil
    }

    /// Returns the text as HTML, with its placeholders as tags or as their elements. Any other brace becomes a
    /// character reference, so that a translation can't contain a tag.
    private static func markup(_ text: String, _ elements: [(name: Substring, markup: Substring)]) -> String {
        // Most texts have no placeholder, and the expression is compiled for each text.
        guard text.utf8.contains(UInt8(ascii: "{")) else { return plain(text[...]) }
        var result = ""
        var end = text.startIndex
        for placeholder in text.matches(of: #/\{([A-Za-z][A-Za-z0-9]*)\}/#) {
            let name = placeholder.output.1
            result += plain(text[end..<placeholder.range.lowerBound])
            result += elements.first { $0.name == name }?.markup ?? "{{~\(name)}}"
            end = placeholder.range.upperBound
        }
        return result + plain(text[end...])
    }

    private static func plain(_ text: Substring) -> String {
        let html = MarkupText.html(String(text))
        guard html.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else { return html }
        return html.replacing("{", with: "&#123;").replacing("}", with: "&#125;")
    }
}
