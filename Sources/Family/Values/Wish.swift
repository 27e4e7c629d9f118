package import Kernel

/// A reward that a child wishes for in the shop.
package struct Wish: Sendable, Hashable {
    package let id: ID<Wish>
    package let childID: PersonID
    /// 1 to ``Limits/shopRewardCharacters`` characters.
    package let name: String
    package let at: Instant
}
