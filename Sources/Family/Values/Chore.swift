package import Accounts
package import Kernel
package import Pictures

/// A chore of a household.
package struct Chore: Sendable, Hashable {
    package let id: ID<Chore>
    /// 1 to 50 characters.
    package let name: String
    package let pictureID: ID<Picture>
    /// Increases by one with each change.
    package let version: Int64
    package let createdAt: Instant
}

/// The fields of a new chore as a client sent them; `nil` for a missing field.
package struct ChoreInput: Sendable {
    /// 1 to 50 characters.
    package var name: String?
    /// A picture from the acting person's own library, or a built-in one.
    package var pictureID: ID<Picture>?

    package init(name: String? = nil, pictureID: ID<Picture>? = nil) {
        self.name = name
        self.pictureID = pictureID
    }
}

/// The changed fields of a chore as a client sent them. No field can be cleared.
package struct ChoreChanges: Sendable {
    /// 1 to 50 characters.
    package var name: Edit<String>
    /// A picture from the acting person's own library, a built-in one, or the chore's present one.
    package var pictureID: Edit<ID<Picture>>

    package init(name: Edit<String> = .unchanged, pictureID: Edit<ID<Picture>> = .unchanged) {
        self.name = name
        self.pictureID = pictureID
    }
}

/// A chore after it was added or changed.
package struct SavedChore: Sendable, Hashable {
    package let chore: Chore
    /// Whether another chore of the household has the same name or picture. The page shows a hint; it is not an error.
    package let hasTwin: Bool
}

/// A chore that a child did, and the points for it.
package struct Assignment: Sendable, Hashable {
    package let id: ID<Assignment>
    /// The chore; `nil` if it was deleted.
    package let choreID: ID<Chore>?
    /// The chore's name at the time of the assignment.
    package let name: String
    /// The chore's picture at the time of the assignment.
    package let pictureID: ID<Picture>
    /// 1, 2 or 3.
    package let points: Int
    package let at: Instant
    /// The parent who gave the points; `nil` if the account was deleted.
    package let byID: PersonID?
    /// The present name of that parent; `nil` if the account was deleted.
    package let byName: String?
    /// The time of the undo; the points don't count any more.
    package let reversedAt: Instant?
    /// The child's contract at the time of the assignment.
    package let contractID: ID<Contract>?
    /// The date of the occurrence that it counts for; `nil` for none.
    package let occurrence: LocalDate?
}

/// One chore of a new assignment as a client sent it; `nil` for a missing field.
package struct AssignmentInput: Sendable {
    /// A chore of the household.
    package var choreID: ID<Chore>?
    /// 1, 2 or 3.
    package var points: Int64?
    /// The date of an occurrence of the chore's schedule, `2026-03-01`; `nil` for the open one, if there is one.
    package var occurrence: String?

    package init(choreID: ID<Chore>? = nil, points: Int64? = nil, occurrence: String? = nil) {
        self.choreID = choreID
        self.points = points
        self.occurrence = occurrence
    }
}

/// A child's request for the points of a chore.
package struct ChoreRequest: Sendable, Hashable {
    package let id: ID<ChoreRequest>
    /// The child who made the request.
    package let childID: PersonID
    package let choreID: ID<Chore>
    package let name: String
    package let pictureID: ID<Picture>
    package let at: Instant
    /// The date of the occurrence that it is for; `nil` for none.
    package let occurrence: LocalDate?
}
