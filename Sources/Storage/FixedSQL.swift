import Synchronization

/// A statement that runs so often that building its text would be measurable. The text is built once, and each
/// connection finds its prepared statement by a number instead of by the text.
///
/// Create it once, as a `static let`, with `?` in the place of each value, and pass the values in the same order.
/// Prefer ``SQL`` elsewhere: there the values can't get out of step with their placeholders.
package final class FixedSQL: Sendable {
    private static let lastNumber = Atomic<Int>(-1)

    /// The statement with `?` in the place of each value.
    package let text: String
    /// The statement's index among the program's fixed statements, from 0.
    let number: Int

    /// Joins the parts of a statement; several statements can share a part.
    package init(_ parts: StaticString...) {
        text = parts.map(\.description).joined()
        number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    }
}
