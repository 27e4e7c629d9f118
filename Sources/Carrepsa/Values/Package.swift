package import Kernel
package import Pictures

/// One of the two people of a package.
package struct Party: Sendable, Hashable {
    /// The person; `nil` when the account is gone.
    package let id: PersonID?
    /// The name as it is now; `nil` when the account is gone.
    package let name: String?
}

/// A parcel and its journey.
package struct Package: Sendable, Hashable {
    /// The package's id.
    package let id: ID<Package>
    /// 1 to 50 characters.
    package let title: String
    /// Where it is fetched, 1 to 100 characters.
    package let from: String
    /// Where it goes, 1 to 100 characters.
    package let to: String
    /// Grams, 1 to ``Limits/packageWeightGrams``.
    package let weightGrams: Int64
    /// What the carrier earns, in minor units, 1 to ``Limits/packageMoneyMinor``.
    package let reward: Int64
    /// What the carrier puts up, in minor units, 1 to ``Limits/packageMoneyMinor``.
    package let moneyLock: Int64
    /// More about it.
    package let description: String?
    /// A picture of the owner's library.
    package let pictureID: ID<Picture>?
    /// The latest pickup; from this instant on it can't be accepted or picked up.
    package let deadline: Instant?
    /// Where it stands.
    package let state: PackageState
    /// Whether the reward is in escrow, or the owner could cover it now. Always true of finished ones.
    package let funded: Bool
    /// Whether the reward is in escrow.
    package let isRewardHeld: Bool
    /// Whose it is.
    package let owner: Party
    /// Who carries it; `nil` while nobody does, and where nobody ever did.
    package let carrier: Party?
    /// When it was posted.
    package let createdAt: Instant
    /// When the present carrier accepted it.
    package let acceptedAt: Instant?
    /// When it was handed to the carrier.
    package let pickedUpAt: Instant?
    /// When it was delivered.
    package let deliveredAt: Instant?
    /// When it was delivered or cancelled.
    package let finishedAt: Instant?
    /// When the carrier said that it had arrived.
    package let deliveryReportedAt: Instant?
    /// Who wants to give up the journey: ``PackageRole/owner`` or ``PackageRole/carrier``.
    package let cancellationRequestedBy: PackageRole?
    /// Since when an operator is asked.
    package let disputedAt: Instant?
    /// Who asked the operator: owner, carrier or clock.
    package let disputedBy: PackageRole?
    /// Why, in the words of who asked.
    package let disputeReason: String?
    /// Grows by one with each change.
    package let version: Int64

    /// Whether it is offered, though nobody can accept it any more.
    package func isLapsed(_ now: Instant) -> Bool { state == .available && deadline.map { $0 <= now } ?? false }
}

/// Why an offer that somebody looked at is out of their sight.
package enum OfferEnd: Sendable, Hashable {
    /// Somebody accepted it.
    case taken
    /// Its owner took it back.
    case withdrawn
    /// It was in dispute, and isn't any more.
    case settled
}

/// Why a button that belongs to the state can't be pressed now.
package enum BlockReason: String, Sendable, Hashable, CaseIterable {
    /// The asker's wallet doesn't cover the money lock.
    case insufficientFunds = "insufficient_funds"
    /// The owner can't cover the reward now.
    case rewardNotFunded = "reward_not_funded"
    /// The latest pickup has passed.
    case deadlinePassed = "deadline_passed"
    /// The other one's code is needed.
    case codeNeeded = "code_needed"
}

/// A package as one person sees it.
package struct PackageView: Sendable, Hashable {
    /// The package.
    package let package: Package
    /// What the asker is to it.
    package let role: PackageRole
    /// What the asker may do now, in the order of the life cycle; what a page shows as buttons. From the table.
    package let actions: [PackageAction]
    /// Those of ``actions`` that would be refused now, with the reason. ``BlockReason/codeNeeded`` only says that a
    /// code must be typed.
    package let blocked: [PackageAction: BlockReason]
    /// What happened to it so far, oldest first; only where the package was asked for, not in the answer to an action.
    package let story: [StoryEntry]
}

/// Something that happened to a package.
package struct StoryEntry: Sendable, Hashable {
    /// What a story tells.
    package enum Event: Sendable, Hashable {
        /// An action of the life cycle.
        case action(PackageAction)
        /// Somebody wanted to accept, but the owner couldn't cover the reward.
        case rewardNotFunded
    }

    /// When.
    package let at: Instant
    /// What.
    package let event: Event
    /// As what they did it.
    package let role: PackageRole
    /// Who; `nil` for the clock, and when the account is gone.
    package let by: PersonID?
    /// Their name as it is now.
    package let byName: String?
    /// A reason or an operator's note.
    package let note: String?

    /// The same without who it was.
    var unnamed: StoryEntry { StoryEntry(at: at, event: event, role: role, by: nil, byName: nil, note: note) }
}

/// What is asked of a new package, as it came in: `nil` is missing.
package struct PackageInput: Sendable {
    /// 1 to 50 characters.
    package var title: String?
    /// 1 to 100 characters.
    package var from: String?
    /// 1 to 100 characters.
    package var to: String?
    /// Whole grams, 1 to ``Limits/packageWeightGrams``; told at the field `weight`.
    package var weightGrams: Int64?
    /// Minor units, 1 to ``Limits/packageMoneyMinor``.
    package var reward: Int64?
    /// Minor units, 1 to ``Limits/packageMoneyMinor``.
    package var moneyLock: Int64?
    /// At most ``Limits/descriptionCharacters``; blank is none.
    package var description: String?
    /// A picture of the owner's own library.
    package var pictureID: ID<Picture>?
    /// In the future.
    package var deadline: Instant?

    /// Makes an input.
    package init(
        title: String? = nil, from: String? = nil, to: String? = nil, weightGrams: Int64? = nil, reward: Int64? = nil,
        moneyLock: Int64? = nil, description: String? = nil, pictureID: ID<Picture>? = nil, deadline: Instant? = nil
    ) {
        self.title = title
        self.from = from
        self.to = to
        self.weightGrams = weightGrams
        self.reward = reward
        self.moneyLock = moneyLock
        self.description = description
        self.pictureID = pictureID
        self.deadline = deadline
    }
}

/// What a list of packages is narrowed by. Empty text is no filter.
package struct PackageFilter: Sendable, Hashable {
    /// A part of where it is fetched, blind to case and accents.
    package var from: String?
    /// A part of where it goes, blind to case and accents.
    package var to: String?
    /// Grams at the most; 1 or more.
    package var maxWeightGrams: Int64?

    /// Makes a filter.
    package init(from: String? = nil, to: String? = nil, maxWeightGrams: Int64? = nil) {
        self.from = from
        self.to = to
        self.maxWeightGrams = maxWeightGrams
    }
}

/// Whose packages a list shows.
package enum PackageListing: Sendable, Hashable {
    /// What is offered before its latest pickup, one's own among them.
    case offers
    /// What the asker posted; withdrawn ones are gone.
    case owned
    /// What the asker carries or carried.
    case carried
}

/// The moments at which a parcel changes hands.
package enum HandoverStep: String, Sendable, Hashable, CaseIterable {
    /// From the owner to the carrier.
    case pickup
    /// Its arrival.
    case delivery
}

/// What one side shows, and the other types, to prove a handover.
package struct HandoverCode: Sendable, Hashable {
    /// Six digits. Shown once, stored nowhere.
    package let code: String
    /// The handover that it proves.
    package let step: HandoverStep
    /// When it ceases to be good. A newer code of the same side voids it earlier.
    package let expiresAt: Instant
}

/// What an operator can decide about a journey in dispute.
package enum DisputeOutcome: String, Sendable, Hashable, CaseIterable {
    /// It arrived: the carrier gets money lock and reward.
    case delivered
    /// Both get their own back.
    case refunded
    /// The carrier lost it: the owner gets reward and money lock.
    case lost
}
