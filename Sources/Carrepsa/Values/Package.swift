package import Kernel
package import Pictures

/// The owner or the carrier of a package.
package struct Party: Sendable, Hashable {
    /// `nil` if the account was deleted.
    package let id: PersonID?
    /// The current name; `nil` if the account was deleted.
    package let name: String?
}

/// A package with its delivery.
package struct Package: Sendable, Hashable {
    package let id: ID<Package>
    /// 1 to 50 characters.
    package let title: String
    /// The place of the pickup, 1 to 100 characters.
    package let from: String
    /// The destination, 1 to 100 characters.
    package let to: String
    package let route: PackageRoute
    /// Grams, 1 to ``Limits/packageWeightGrams``.
    package let weightGrams: Int64
    /// The carrier's earnings in minor units, 1 to ``Limits/packageMoneyMinor``.
    package let reward: Int64
    /// The carrier's deposit in minor units, 1 to ``Limits/packageMoneyMinor``.
    package let moneyLock: Int64
    package let description: String?
    /// A picture from the owner's library.
    package let pictureID: ID<Picture>?
    /// The latest pickup. From this instant on, the package can't be accepted or picked up.
    package let deadline: Instant?
    package let state: PackageState
    /// Whether the reward is in escrow or the owner's balance covers it. Always true for finished packages.
    package let funded: Bool
    package let isRewardHeld: Bool
    package let owner: Party
    /// `nil` while the package is offered, and if it was withdrawn without a carrier.
    package let carrier: Party?
    package let createdAt: Instant
    /// When the current carrier accepted it.
    package let acceptedAt: Instant?
    package let pickedUpAt: Instant?
    package let deliveredAt: Instant?
    /// When it was delivered or cancelled.
    package let finishedAt: Instant?
    package let deliveryReportedAt: Instant?
    /// Who requested the cancellation: ``PackageRole/owner`` or ``PackageRole/carrier``.
    package let cancellationRequestedBy: PackageRole?
    package let disputedAt: Instant?
    /// Who opened the dispute: owner, carrier or clock.
    package let disputedBy: PackageRole?
    /// The text of the owner or carrier who opened the dispute.
    package let disputeReason: String?
    /// Increases by one with each change.
    package let version: Int64
    package let hasRecipient: Bool
    /// Whether the recipient refused it.
    package let isRefused: Bool
    /// Whether the owner requires photos before the handovers are confirmed.
    package let requiresPhotos: Bool
    /// Whether there are photos of its handovers.
    let hasPhotos: Bool

    /// Whether it is still offered although its latest pickup has passed.
    package func isLapsed(_ now: Instant) -> Bool { state == .available && deadline.map { $0 <= now } ?? false }
}

/// Why a visitor can no longer see an offer.
package enum OfferEndReason: Sendable, Hashable {
    /// A carrier accepted it.
    case taken
    /// The owner withdrew it.
    case withdrawn
    /// The dispute is decided; administrators see only open disputes.
    case settled
}

/// Why the server would reject an action that the current state allows.
package enum BlockReason: String, Sendable, Hashable, CaseIterable {
    /// The actor's balance doesn't cover the deposit.
    case insufficientFunds = "insufficient_funds"
    /// The owner's balance doesn't cover the reward.
    case rewardNotFunded = "reward_not_funded"
    case deadlinePassed = "deadline_passed"
    /// The actor cancelled the delivery less than a day ago.
    case cancelledRecently = "cancelled_recently"
    /// The owner requires a photo of the handover.
    case photosNeeded = "photos_needed"
    /// The action needs the other person's handover code.
    case codeNeeded = "code_needed"
}

/// A package as one person sees it.
package struct PackageDetails: Sendable, Hashable {
    package let package: Package
    /// The viewer's role.
    package let role: PackageRole
    /// The actions that a page shows as buttons, in the order of ``DeliveryLifeCycle/table``.
    package let actions: [PackageAction]
    /// The reasons why the server would reject some of ``actions`` now. ``BlockReason/codeNeeded`` only says that the
    /// actor must enter a code.
    package let blocked: [PackageAction: BlockReason]
    /// The viewer's balance in minor units, if it doesn't cover the deposit; otherwise `nil`.
    package let insufficientBalance: Int64?
    /// The history, oldest first. Empty in the result of an action.
    package let history: [PackageHistoryEntry]
    /// The photos of the handovers, oldest first. Empty in the result of an action.
    package let proofs: [PackageProof]
    /// The dispute, also after its end; `nil` if there was none.
    package let dispute: Dispute?
    /// Whether the viewer is an administrator whose decision owner or carrier appealed against: another one decides.
    package let isAppealOfViewer: Bool
    /// How the viewer reaches the other person; `nil` for people who aren't owner or carrier, without a carrier, and in
    /// the result of an action.
    package let contact: PackageContact?
    /// The reviews of a completed delivery; `nil` under the same condition, and before the delivery.
    package let reviews: PackageReviews?
    /// Who receives the package; `nil` for people who aren't owner or carrier, unless the delivery is under way, and in
    /// the result of an action.
    package let recipient: Recipient?
}

/// How owner or carrier of a package reaches the other.
package struct PackageContact: Sendable, Hashable {
    /// The other person's phone number while the delivery is under way, and while a cancelled package comes back.
    package let phone: String?
    /// Whether one of the two blocked the other, so that they can't write.
    package let isBlocked: Bool
    /// The number of messages.
    package let messages: Int64
    /// The number of messages that the viewer hasn't read.
    package let unread: Int64
    /// When the conversation closes; `nil` while the delivery is under way.
    package let closesAt: Instant?
}

/// An entry in the history of a package.
package struct PackageHistoryEntry: Sendable, Hashable {
    /// The kind of a history entry.
    package enum Event: Sendable, Hashable {
        case action(PackageAction)
        /// A carrier tried to accept, but the owner's balance didn't cover the reward.
        case rewardNotFunded
    }

    package let at: Instant
    package let event: Event
    /// The role of the person at that time.
    package let role: PackageRole
    /// The person; `nil` for the clock and for deleted accounts.
    package let by: PersonID?
    /// The person's current name.
    package let byName: String?
    /// The reason of a dispute, a statement or an administrator's note.
    package let note: String?
    /// The division of the money that was offered or decided.
    package let split: MoneySplit?
    /// The photo of a statement; `nil` without one, and if it was deleted with the account of its author.
    package let pictureID: ID<Picture>?

    /// The entry without the person, and without what they said about a handover.
    var unnamed: PackageHistoryEntry {
        let isProof = event == .action(.addProof)
        return PackageHistoryEntry(
            at: at, event: event, role: role, by: nil, byName: nil, note: isProof ? nil : note, split: split,
            pictureID: nil)
    }

    /// The entry without its photo.
    var withoutPhoto: PackageHistoryEntry {
        PackageHistoryEntry(
            at: at, event: event, role: role, by: by, byName: byName, note: note, split: split, pictureID: nil)
    }

    /// The entry without what was said about a handover.
    var withoutCondition: PackageHistoryEntry {
        guard event == .action(.addProof) else { return self }
        return PackageHistoryEntry(
            at: at, event: event, role: role, by: by, byName: byName, note: nil, split: split, pictureID: nil)
    }
}

/// The unvalidated details of a new package; `nil` means missing.
package struct PackageInput: Sendable {
    /// 1 to 50 characters.
    package var title: String?
    /// 1 to 100 characters.
    package var from: String?
    /// 1 to 100 characters.
    package var to: String?
    package var origin: PackageEndInput
    package var destination: PackageEndInput
    package var size: PackageSize?
    /// Whole grams, 1 to ``Limits/packageWeightGrams``. Errors name the field `weight`.
    package var weightGrams: Int64?
    /// Minor units, 1 to ``Limits/packageMoneyMinor``.
    package var reward: Int64?
    /// Minor units, 1 to ``Limits/packageMoneyMinor``.
    package var moneyLock: Int64?
    /// At most ``Limits/descriptionCharacters`` characters; blank text means none.
    package var description: String?
    /// A picture from the owner's own library.
    package var pictureID: ID<Picture>?
    /// The latest pickup; must be in the future.
    package var deadline: Instant?
    /// Whether photos must be taken before the handovers are confirmed; `nil` means no.
    package var requiresPhotos: Bool?

    package init(
        title: String? = nil, from: String? = nil, to: String? = nil, origin: PackageEndInput = PackageEndInput(),
        destination: PackageEndInput = PackageEndInput(), size: PackageSize? = nil, weightGrams: Int64? = nil,
        reward: Int64? = nil, moneyLock: Int64? = nil, description: String? = nil, pictureID: ID<Picture>? = nil,
        deadline: Instant? = nil, requiresPhotos: Bool? = nil
    ) {
        self.title = title
        self.from = from
        self.to = to
        self.origin = origin
        self.destination = destination
        self.size = size
        self.weightGrams = weightGrams
        self.reward = reward
        self.moneyLock = moneyLock
        self.description = description
        self.pictureID = pictureID
        self.deadline = deadline
        self.requiresPhotos = requiresPhotos
    }
}

/// The search filter of a package list. Empty text doesn't filter.
package struct PackageFilter: Sendable, Hashable {
    /// Matches a part of the origin, ignoring case and accents.
    package var from: String?
    /// Matches a part of the destination, ignoring case and accents.
    package var to: String?
    /// The maximum weight in grams, at least 1.
    package var maxWeightGrams: Int64?

    package init(from: String? = nil, to: String? = nil, maxWeightGrams: Int64? = nil) {
        self.from = from
        self.to = to
        self.maxWeightGrams = maxWeightGrams
    }
}

/// The kind of a package list.
package enum PackageListing: Sendable, Hashable {
    /// All offers before their latest pickup, including the viewer's own.
    case offers
    /// The viewer's own packages, without withdrawn ones.
    case owned
    /// The packages that the viewer carries or carried.
    case carried
}

/// A handover that codes can prove.
package enum HandoverStep: String, Sendable, Hashable, CaseIterable {
    /// From the owner to the carrier.
    case pickup
    /// The arrival at the destination.
    case delivery
}

/// The code that owner or carrier shows and the other enters to prove a handover.
package struct HandoverCode: Sendable, Hashable {
    /// Six digits. The server stores only a keyed hash.
    package let code: String
    package let step: HandoverStep
    /// The end of its validity. A newer code of the same party invalidates it earlier.
    package let expiresAt: Instant
}
