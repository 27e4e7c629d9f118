import Kernel

/// The child who does an occurrence of a chore that one child does.
struct Turn: Sendable, Hashable {
    let choreID: ID<Chore>
    let date: LocalDate
    let childID: PersonID
    /// The child whose turn it is by the rotation, also after a swap; `nil` without a rotation. The next turn follows
    /// from it.
    let rotationChildID: PersonID?
    /// Whether a round of the rotation begins with it (``Rotation``).
    var startsRound = false
}

/// A chore on a date.
struct ChoreDate: Sendable, Hashable {
    let chore: ID<Chore>
    let date: LocalDate
}

extension Turn {
    var key: ChoreDate { ChoreDate(chore: choreID, date: date) }

    /// Whether children swapped it.
    var isSwapped: Bool { rotationChildID.map { $0 != childID } ?? false }
}
