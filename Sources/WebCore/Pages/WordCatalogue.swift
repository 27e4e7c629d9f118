/// Every word of an app that people read, in one language. `{…}` in a text marks what is put in.
package protocol WordCatalogue: Sendable {}

extension WordCatalogue {
    /// Puts values into a text's `{placeholders}`, in their order. What people typed comes last, so that it isn't taken
    /// for a placeholder.
    package static func fill(_ text: String, _ values: KeyValuePairs<String, String>) -> String {
        var result = text
        for (name, value) in values {
            // A name that ends with a full stop, such as "Ole O.", ends the sentence, too.
            if value.hasSuffix(".") { result = result.replacing("{\(name)}.", with: value) }
            result = result.replacing("{\(name)}", with: value)
        }
        return result
    }

    /// Puts a whole number into a text's `{n}`; what is behind the point falls away.
    package static func fill(_ text: String, count: Double) -> String { fill(text, ["n": String(Int(count))]) }
}
