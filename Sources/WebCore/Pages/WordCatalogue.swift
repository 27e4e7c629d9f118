/// All texts of an app in one language. `{…}` in a text is a placeholder.
package protocol WordCatalogue: Sendable {}

extension WordCatalogue {
    /// Replaces a text's `{placeholders}` in one pass, so that a value that looks like a placeholder stays as it is.
    package static func fill(_ text: String, _ values: KeyValuePairs<String, String>) -> String {
        var result = ""
        var rest = text[...]
        while let next = rest.firstIndex(of: "{") {
            result += rest[..<next]
            rest = rest[next...]
            guard let (name, value) = values.first(where: { rest.hasPrefix("{\($0.key)}") }) else {
                result.append(rest.removeFirst())
                continue
            }
            result += value
            rest = rest.dropFirst(name.count + 2)
            // A value that ends with a full stop, for example "Ole O.", also ends the sentence.
            if value.hasSuffix("."), rest.first == "." { rest = rest.dropFirst() }
        }
        return result + rest
    }

    /// Replaces `{n}` with a whole number; the fraction is truncated.
    package static func fill(_ text: String, count: Double) -> String { fill(text, ["n": String(Int(count))]) }
}
