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
    package var version: Int64
    package let createdAt: Instant
    /// `nil` if only parents give its points.
    package var automatic: AutomaticPoints?
    /// What the child ticks off before it is done, at most ``Limits/choreSteps``.
    package var steps: [String] = []
    /// Whether the child's request needs a photo.
    package var needsPhoto = false

    /// Whether a request needs more than a tap.
    package var needsProof: Bool { needsPhoto || !steps.isEmpty }
}

/// The fields of a new chore as a client sent them; `nil` for a missing field.
package struct ChoreInput: Sendable {
    /// 1 to 50 characters.
    package var name: String?
    /// A picture from the acting person's own library, or a built-in one.
    package var pictureID: ID<Picture>?
    /// Hours after a child's request after which its points are given automatically; `nil` for never.
    package var automaticHours: Int64?
    /// The points that it then gives: 1, 2 or 3.
    package var automaticPoints: Int64?
    /// 1 to 60 characters each; blank ones are left out.
    package var steps: [String]
    package var needsPhoto: Bool

    package init(
        name: String? = nil, pictureID: ID<Picture>? = nil, automaticHours: Int64? = nil,
        automaticPoints: Int64? = nil, steps: [String] = [], needsPhoto: Bool = false
    ) {
        self.name = name
        self.pictureID = pictureID
        self.automaticHours = automaticHours
        self.automaticPoints = automaticPoints
        self.steps = steps
        self.needsPhoto = needsPhoto
    }
}

/// The changed fields of a chore as a client sent them. The name and the picture can't be cleared.
package struct ChoreChanges: Sendable {
    /// 1 to 50 characters.
    package var name: Edit<String>
    /// A picture from the acting person's own library, a built-in one, or the chore's present one.
    package var pictureID: Edit<ID<Picture>>
    /// Hours after a child's request after which its points are given automatically. Cleared for never.
    package var automaticHours: Edit<Int64>
    /// The points that it then gives: 1, 2 or 3.
    package var automaticPoints: Edit<Int64>
    /// 1 to 60 characters each; blank ones are left out.
    package var steps: Edit<[String]>
    package var needsPhoto: Edit<Bool>

    package init(
        name: Edit<String> = .unchanged, pictureID: Edit<ID<Picture>> = .unchanged,
        automaticHours: Edit<Int64> = .unchanged, automaticPoints: Edit<Int64> = .unchanged,
        steps: Edit<[String]> = .unchanged, needsPhoto: Edit<Bool> = .unchanged
    ) {
        self.name = name
        self.pictureID = pictureID
        self.automaticHours = automaticHours
        self.automaticPoints = automaticPoints
        self.steps = steps
        self.needsPhoto = needsPhoto
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
    /// Whether its points were given automatically, because no parent decided in time.
    package let isAutomatic: Bool
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
    /// The time at which its points are given automatically; `nil` if a parent has to decide.
    package let automaticAt: Instant?
    /// The child's photo of what it did. It is deleted when the request ends.
    package let photoID: ID<Picture>?
}

/// What a child sends with a request for a chore that needs more than a tap.
package struct ChoreProof: Sendable {
    /// The texts of the steps that it ticked off.
    package let steps: [String]
    /// A photo of its own library.
    package let photoID: ID<Picture>?

    package init(steps: [String] = [], photoID: ID<Picture>? = nil) {
        self.steps = steps
        self.photoID = photoID
    }
}
