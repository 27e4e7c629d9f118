import Kernel

/// The icons of the sprite, and the tags that draw them in templates:
///
/// - `{{icon "check"}}` is the icon of that name.
/// - `{{icon "check" small}}` is the same icon with the class `icon-small`. `large` makes it large, and `turns`
///   mirrors it in languages that are written from right to left.
/// - `{{icon rowIcon}}` is the icon that a property of the view model names, and `{{icon .}}` the one that the current
///   value names. Both can have a class too.
///
/// Icons are hidden from screen readers: the text beside them, or the label of the button, says what they mean.
///
/// A page contains drawings instead of references to the sprite, because a phone loads an external sprite as a separate
/// document, with style and layout for each icon, before it shows the page's first text. An icon with a fixed name is
/// drawn when its template is read. The others are drawn in the rendered page.
struct Icons: Sendable {
    static let sprite = "vendor/icons.svg"

    private static let tag = "{{icon"
    private static let styles: Set<Substring> = ["small", "large", "turns"]
    private static let placeholder: StaticString = "<svg data-icon=\""
    private static let placeholderEnd: StaticString = "\"/>"

    /// The drawings by name: an `svg` element around the content of the sprite's `symbol`. `.icon` in the styles sets
    /// the line width.
    private let drawings: [String: String]

    /// Reads a sprite with each symbol on its own line, as the set-up script writes it.
    init(sprite: [UInt8]) {
        var drawings: [String: String] = [:]
        // Created once: each new expression is compiled at its first use.
        let pattern = /<symbol id="([^"]+)" viewBox="([^"]+)"[^>]*>(.*)<\/symbol>/
        for line in sprite.split(separator: UInt8(ascii: "\n")) {
            guard let symbol = String(decoding: line, as: UTF8.self).wholeMatch(of: pattern) else { continue }
            let (_, name, box, drawing) = symbol.output
            drawings[String(name)] = "<svg viewBox=\"\(box)\" data-icon=\"\(name)\">\(drawing)</svg>"
        }
        self.drawings = drawings
    }

    /// Returns a template with its icon tags replaced: by a drawing if the name is fixed, otherwise by a placeholder
    /// for ``drawn(in:)``. The placeholder prints the name as any other value, so a name is escaped.
    /// - Parameter name: the template's name, for errors.
    func expanded(in template: String, named name: String) throws(Renderer.Failure) -> String {
        var result = ""
        var copied = template.startIndex
        var next = copied
        while let start = template.utf8[next...].firstIndex(of: UInt8(ascii: "{")) {
            next = template.utf8.index(after: start)
            guard template[start...].hasPrefix(Self.tag) else { continue }
            let after = template[start...].dropFirst(Self.tag.count)
            // A tag such as {{iconName}} or {{icon.name}}.
            if let first = after.first, first.isLetter || first.isNumber || ".-_".contains(first) { continue }
            let text = after.prefix { $0 != "}" }
            let end = template[text.endIndex...]
            guard end.hasPrefix("}}"), !template[..<start].hasSuffix("{"),
                let drawing = try drawing(for: text, in: name)
            else { throw .malformedIcon(String(template[start..<text.endIndex]), template: name) }
            result += template[copied..<start]
            result += drawing
            copied = end.dropFirst(2).startIndex
            next = copied
        }
        return result + template[copied...]
    }

    /// Returns the element for a tag; `nil` for a malformed one. It is read without a regular expression, whose
    /// compilation would cost more than all else that reads a template.
    /// - Parameter text: the tag after its first word, such as ` "check" small`.
    private func drawing(for text: Substring, in template: String) throws(Renderer.Failure) -> String? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2 || words.count == 3, words[0].isEmpty else { return nil }
        let style = words.dropFirst(2).first
        if let style, !Self.styles.contains(style) { return nil }
        let content: String
        if words[1].hasPrefix("\"") {
            let name = words[1].dropFirst().dropLast()
            guard words[1].count > 1, words[1].hasSuffix("\""), !name.contains(where: "\"{}".contains) else {
                return nil
            }
            guard let known = drawings[String(name)] else { throw .unknownIcon(String(name), template: template) }
            content = known
        } else {
            let parts = words[1].split(separator: ".", omittingEmptySubsequences: false)
            guard words[1] == "." || parts.allSatisfy(Self.isProperty) else { return nil }
            content = "<svg data-icon=\"{{\(words[1])}}\"/>"
        }
        return "<svg class=\"icon\(style.map { " icon-\($0)" } ?? "")\" aria-hidden=\"true\">\(content)</svg>"
    }

    private static func isProperty(_ name: Substring) -> Bool {
        name.first?.isLetter == true && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// Returns the rendered page with its placeholders replaced by drawings. A placeholder with a name that the sprite
    /// doesn't have stays; a browser shows nothing for it.
    func drawn(in page: [UInt8]) -> String {
        page.withUnsafeBufferPointer { bytes in
            var drawn: [UInt8] = []
            drawn.reserveCapacity(bytes.count + bytes.count / 4)
            var copied = 0
            var next = 0
            while let start = bytes.firstIndex(of: Self.placeholder, from: next) {
                next = start + Self.placeholder.utf8CodeUnitCount
                guard let end = bytes.firstIndex(of: Self.placeholderEnd, from: next),
                    let drawing = drawings[String(decoding: bytes[next..<end], as: UTF8.self)]
                else { continue }
                drawn += bytes[copied..<start]
                drawn += drawing.utf8
                copied = end + Self.placeholderEnd.utf8CodeUnitCount
                next = copied
            }
            drawn += bytes[copied...]
            return String(decoding: drawn, as: UTF8.self)
        }
    }
}
