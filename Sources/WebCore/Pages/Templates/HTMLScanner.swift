/// Follows the HTML of a template, so that a tag knows where it is. It reads well-formed templates, not pages.
struct HTMLScanner {
    private enum State {
        case content
        /// The content of an element without other elements.
        case plain(TemplatePrinting)
        /// After `<`, in the name of an element.
        case name
        /// In an element's tag, between attributes.
        case tag
        case attribute
        /// After the equals sign.
        case value
        case quoted(UInt8)
        case unquoted
        /// A comment or the document's type.
        case declaration
    }

    /// Elements without other elements in them.
    private static let plainElements: [String: TemplatePrinting] = [
        "title": .text, "option": .text, "textarea": .exact, "script": .exact, "style": .exact,
    ]
    /// Attributes that people read or hear.
    private static let readAttributes: Set<String> = [
        "alt", "aria-description", "aria-label", "aria-roledescription", "label", "placeholder", "title",
    ]

    private var state: State
    private var element = ""
    private var attribute = ""

    /// - Parameter isInTag: whether the template is used among the attributes of an element.
    init(isInTag: Bool = false) { state = isInTag ? .tag : .content }

    var isInContent: Bool { if case .content = state { true } else { false } }

    /// Whether the place is among the attributes of an element.
    var isInTag: Bool {
        switch state {
        case .tag, .attribute: true
        default: false
        }
    }

    /// Returns how a value is printed that follows here.
    /// - Parameter isInSentence: whether it is a placeholder of a translated text, which is always for people.
    func printing(isInSentence: Bool) -> TemplatePrinting {
        let printing: TemplatePrinting =
            switch state {
            case .content: .content
            case .plain(let printing): printing
            case .value, .quoted, .unquoted: Self.readAttributes.contains(attribute) ? .text : .exact
            case .name, .tag, .attribute, .declaration: .exact
            }
        return isInSentence && printing == .exact ? .text : printing
    }

    /// Notes that a value was printed here, which may be a whole attribute without quotation marks.
    mutating func printed() { if case .value = state { state = .unquoted } }

    /// Reads the next bytes of the template.
    mutating func read(_ bytes: some Sequence<UInt8>) { for byte in bytes { read(byte) } }

    private mutating func read(_ byte: UInt8) {
        switch (state, byte) {
        case (.content, UInt8(ascii: "<")), (.plain, UInt8(ascii: "<")):
            state = .name
            element = ""
        case (.content, _), (.plain, _): break
        case (.quoted(let quote), _): if byte == quote { state = .tag }
        case (_, UInt8(ascii: ">")): state = Self.plainElements[element].map(State.plain) ?? .content
        case (.name, UInt8(ascii: "!")) where element.isEmpty: state = .declaration
        case (.declaration, _): break
        case (.name, _): if Self.isSpace(byte) { state = .tag } else { Self.append(byte, to: &element) }
        case (.tag, _): begin(byte)
        case (.attribute, UInt8(ascii: "=")): state = .value
        case (.attribute, _): if Self.isSpace(byte) { state = .tag } else { Self.append(byte, to: &attribute) }
        case (.value, UInt8(ascii: "\"")), (.value, UInt8(ascii: "'")): state = .quoted(byte)
        case (.value, _): state = .unquoted
        case (.unquoted, _): if Self.isSpace(byte) { state = .tag }
        }
    }

    /// Reads the first byte of an attribute's name.
    private mutating func begin(_ byte: UInt8) {
        guard !Self.isSpace(byte), byte != UInt8(ascii: "/") else { return }
        attribute = ""
        Self.append(byte, to: &attribute)
        state = .attribute
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
    }

    private static func append(_ byte: UInt8, to name: inout String) {
        name.unicodeScalars.append(Unicode.Scalar(byte))
    }
}
