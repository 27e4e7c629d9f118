import Kernel

/// How a template prints a value, which depends on the place in HTML.
enum TemplatePrinting: Sendable {
    /// In an element. A value that could reorder the text around it is in an element of its own, `bdi`.
    case content
    /// In a text without elements that people read, such as a window's title or a label: between control characters.
    case text
    /// In an attribute for programs, and in the fields of a form: as it is, apart from the escapes.
    case exact
    /// HTML of ours, without escapes.
    case unescaped

    /// Returns the HTML of a value.
    func html(_ text: String) -> String {
        switch self {
        case .content:
            let isolate = DirectionIsolate(text)
            let html = MarkupText.html(isolate.text)
            return isolate.isNeeded ? "<bdi>\(html)</bdi>" : html
        case .text: return MarkupText.html(text.isolated)
        case .exact: return MarkupText.html(text)
        case .unescaped: return text
        }
    }
}
