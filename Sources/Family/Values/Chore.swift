package import Accounts
package import Kernel
package import Pictures

/// Something that there is to do in a household.
package struct Chore: Sendable, Hashable {
    /// The chore's id.
    package let id: ID<Chore>
    /// 1 to 50 characters.
    package let name: String
    /// What it looks like.
    package let pictureID: ID<Picture>
    /// Grows by one with each change.
    package let version: Int64
    /// When it was added.
    package let createdAt: Instant
}

/// What is asked of a new chore, as it came in: `nil` is missing.
package struct ChoreInput: Sendable {
    /// 1 to 50 characters.
    package var name: String?
    /// A picture of the asker's own library, or a built-in one.
    package var pictureID: ID<Picture>?

    /// Makes an input.
    package init(name: String? = nil, pictureID: ID<Picture>? = nil) {
        self.name = name
        self.pictureID = pictureID
    }
}

/// Changes of a chore, as they were typed. Neither can be cleared.
package struct ChoreChanges: Sendable {
    /// 1 to 50 characters.
    package var name: Edit<String>
    /// A picture of the asker's own library, a built-in one, or the one that it has.
    package var pictureID: Edit<ID<Picture>>

    /// Makes changes; what isn't named stays.
    package init(name: Edit<String> = .keep, pictureID: Edit<ID<Picture>> = .keep) {
        self.name = name
        self.pictureID = pictureID
    }
}

/// A chore that was new or changed.
package struct SavedChore: Sendable, Hashable {
    /// The chore.
    package let chore: Chore
    /// Whether another chore of the household has the same name or the same picture: worth a notice, no fault.
    package let hasTwin: Bool
}

/// A chore that a child has done, and what it got for it.
package struct Assignment: Sendable, Hashable {
    /// The assignment's id.
    package let id: ID<Assignment>
    /// The chore; `nil` when it was deleted.
    package let choreID: ID<Chore>?
    /// The chore's name as it was.
    package let name: String
    /// The chore's picture as it was.
    package let pictureID: ID<Picture>
    /// 1, 2 or 3.
    package let points: Int
    /// When it was booked.
    package let at: Instant
    /// The parent who gave the points; `nil` when the account is gone.
    package let byID: PersonID?
    /// Their name as it is now; `nil` when the account is gone.
    package let byName: String?
    /// When it was undone: its points don't count any more.
    package let reversedAt: Instant?
    /// The contract under which it was booked.
    package let contractID: ID<Contract>?
}

/// One chore that is to be booked for a child, as it came in: `nil` is missing.
package struct AssignmentInput: Sendable {
    /// A chore of the household.
    package var choreID: ID<Chore>?
    /// 1, 2 or 3.
    package var points: Int64?

    /// Makes an input.
    package init(choreID: ID<Chore>? = nil, points: Int64? = nil) {
        self.choreID = choreID
        self.points = points
    }
}

/// A child says that it has done a chore, and waits for its points.
package struct ChoreRequest: Sendable, Hashable {
    /// The request's id.
    package let id: ID<ChoreRequest>
    /// Who asks.
    package let childID: PersonID
    /// The chore.
    package let choreID: ID<Chore>
    /// The chore's name.
    package let name: String
    /// The chore's picture.
    package let pictureID: ID<Picture>
    /// When the child asked.
    package let at: Instant
}
