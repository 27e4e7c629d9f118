import Synchronization

/// A statement that is run so often that even putting its text together would tell: the text stands when the program
/// starts, and each connection finds its prepared form by a number instead of by the text.
///
/// Make it once, as a `static let`, with `?` in the place of each value, and hand the values in beside it, in their
/// order. For everything else ``SQL`` is safer: there the values can't get out of step with their places.
package final class FixedSQL: Sendable {
    private static let lastNumber = Atomic<Int>(-1)

    /// The statement, `?` in the place of each value.
    package let text: String
    /// Counts the program's fixed statements from 0.
    let number: Int

    /// Keeps a statement's text, which may be put together from parts that several statements share.
    package init(_ parts: StaticString...) {
        text = parts.map(\.description).joined()
        number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    }
}
