import Kernel

/// The English texts in templates: `{{#t}}Carried by {name}{{/t}}`. A text is plain text, without markup; `{name}`
/// prints a property of the view model. Equal texts with different meanings have a context: `{{#t verb}}Open{{/t}}`.
enum TemplateTexts {
    private static let opening = "{{#t"
    private static let closing = "{{/t}}"

    /// Returns the template with its texts in the translator's language; `nil` when a text isn't closed.
    static func translated(_ template: String, by t: Translator) -> String? {
        var result = ""
        var rest = template[...]
        while let start = rest.firstRange(of: opening) {
            let after = rest[start.upperBound...]
            guard !after.isEmpty else { return nil }
            // Another section, such as {{#title}}.
            guard after.first == "}" || after.first == " " else {
                result += rest[..<start.upperBound]
                rest = after
                continue
            }
            guard let contextEnd = after.firstRange(of: "}}") else { return nil }
            guard let end = after.firstRange(of: closing) else { return nil }
            let context = after[..<contextEnd.lowerBound].trimmingSpaces()
            let text = String(after[contextEnd.upperBound..<end.lowerBound])
            result += rest[..<start.lowerBound]
            result += markup(t.text(text, context: context.isEmpty ? nil : context))
            rest = after[end.upperBound...]
        }
        return result + rest
    }

    /// Returns the text as HTML, with its placeholders as tags. Any other brace becomes a character reference, so that a
    /// translation can't contain a tag.
    private static func markup(_ text: String) -> String {
        var result = ""
        var end = text.startIndex
        for placeholder in text.matches(of: #/\{([A-Za-z][A-Za-z0-9]*)\}/#) {
            result += plain(text[end..<placeholder.range.lowerBound]) + "{{\(placeholder.output.1)}}"
            end = placeholder.range.upperBound
        }
        return result + plain(text[end...])
    }

    private static func plain(_ text: Substring) -> String {
        MarkupText.html(String(text)).replacing("{", with: "&#123;").replacing("}", with: "&#125;")
    }
}
