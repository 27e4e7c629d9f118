package import Kernel
package import Pictures

/// A child's turn that it can swap.
package struct SwappableTurn: Sendable, Hashable {
    package let child: Member
    package let choreID: ID<Chore>
    package let name: String
    package let pictureID: ID<Picture>
    package let date: LocalDate
}

/// A swap of turns that isn't done yet: each of two children does the turn of the other.
package struct TurnSwap: Sendable, Hashable {
    package let id: ID<TurnSwap>
    /// The turn of the child that asks.
    package let offered: SwappableTurn
    /// The turn of the other child.
    package let wanted: SwappableTurn
    /// Whether the other child agreed, so that the swap waits for a parent.
    package let isAccepted: Bool
}

/// The swap that a client asks for; `nil` for a missing or unreadable field.
package struct TurnSwapInput: Sendable {
    package var choreID: ID<Chore>?
    /// `2026-03-01`.
    package var occurrence: String?
    package var otherChoreID: ID<Chore>?
    package var otherOccurrence: String?

    package init(
        choreID: ID<Chore>? = nil, occurrence: String? = nil, otherChoreID: ID<Chore>? = nil,
        otherOccurrence: String? = nil
    ) {
        self.choreID = choreID
        self.occurrence = occurrence
        self.otherChoreID = otherChoreID
        self.otherOccurrence = otherOccurrence
    }
}

/// The turns among which a child chooses.
package struct SwapChoices: Sendable {
    package let own: [SwappableTurn]
    package let others: [SwappableTurn]
    /// The present date in the household's time zone.
    package let today: LocalDate
}
