package import Kernel

/// What somebody is told of.
package enum NoticeKind: String, Sendable, CaseIterable {
    /// A thing is farther from its owner's phone than they want.
    case itemTooFar
    /// A tracker did not confirm a switch in time, or did so late.
    case switchNotConfirmed
    /// An account has as many positions as it may, or nearly so.
    case historyFull
    /// A carrier took one's parcel on.
    case packageAccepted
    /// A parcel is on its way.
    case packagePickedUp
    /// A parcel arrived.
    case packageDelivered
    /// A parcel wasn't picked up, and its deadline is near.
    case packageDeadlineNear
    /// A delivery is cancelled.
    case packageCancelled
    /// The other side asks to cancel a delivery, or no longer asks.
    case packageCancellationRequested
    /// A carrier reports a delivery, and the owner must confirm it.
    case packageDeliveryReported
    /// A problem with a package is reported or answered, or waits for a decision.
    case packageDisputed
    /// An operator decided a dispute.
    case packageDecided
    /// A package wasn't accepted or picked up by its deadline.
    case packageLapsed
    /// A carrier wanted to accept, but the owner's wallet doesn't cover the reward.
    case packageNotFunded
    /// A chore was assigned, with its points.
    case choreAssigned
    /// A child reached a level of its contract.
    case levelReached
    /// A child asks for points for a chore.
    case choreRequested
    /// A parent declined a child's request.
    case choreDeclined
    /// A parent took points back.
    case pointsUndone
    /// A child got a new contract.
    case contractAdded
    /// Another parent joined the household.
    case parentJoined
    /// A parent left the household.
    case parentLeft
    /// The removal of a parent was announced, ended or carried out.
    case parentRemoval
    /// A parent made a child's sign-in code.
    case signInCodeMade
    /// A device signed in as a child.
    case childSignedIn
    /// A child was deleted, restored or erased.
    case childDeletion
    /// Somebody wants to see whether messages arrive.
    case test
}

/// Something that one person is told: it stands in their feed, and goes as a message to the devices that asked for it.
package struct Notice: Sendable, Equatable {
    /// Its id. Told twice with the same id, it is told once.
    package let id: ID<Notice>
    /// Whom it is for.
    package let person: PersonID
    /// What happened.
    package let kind: NoticeKind
    /// The path of the page that it leads to: `/tracking/items/…`.
    package let resource: String
    /// The name of what it is about: an item's name, a parcel's title, a chore's name.
    package let subject: String
    /// What else its words say, by name: `place`, `lastSeenAt`, `reward`, `points`, `who`, `event`,
    /// `amount`, `currency`.
    package let details: [String: String]
    /// When it happened.
    package let at: Instant

    /// Makes a notice.
    package init(
        id: ID<Notice>, person: PersonID, kind: NoticeKind, resource: String, subject: String,
        details: [String: String] = [:], at: Instant
    ) {
        self.id = id
        self.person = person
        self.kind = kind
        self.resource = resource
        self.subject = subject
        self.details = details
        self.at = at
    }
}
