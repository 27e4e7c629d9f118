/// The error messages of one module.
///
/// A message without a number is the raw value of its case. One that names a limit is made from its constant in
/// ``text``.
package protocol ErrorMessage: RawRepresentable<String>, CaseIterable, Sendable {
    /// The message in English, with its numbers in place.
    var text: String { get }
}
