package import Kernel

/// The latest declined request of a child for a chore. The child sees it until it asks again or gets the points, for
/// ``Limits/declinedRequestSeconds`` at most.
package struct DeclinedRequest: Sendable, Hashable {
    package let childID: PersonID
    package let choreID: ID<Chore>
    /// The date of the occurrence that it was for; `nil` for none.
    package let occurrence: LocalDate?
    /// The parent's text for the child; `nil` for none.
    package let reason: String?
    /// The parent's name; `nil` after their account was deleted.
    package let byName: String?
    package let at: Instant
}
