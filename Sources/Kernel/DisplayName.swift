/// The name of an item or a person: one line of 1 to ``Limits/nameCharacters`` characters.
package struct DisplayName: Hashable, Sendable {
    package let text: String

    /// Checks and normalizes the typed text.
    package init(_ typed: String) throws(TextValidation.Failure) {
        text = try TextValidation.line(typed, characters: Limits.nameCharacters, bytes: Limits.nameBytes)
    }
}
