package import Kernel

/// The kind of a notification, which people can mute.
package enum NoticeKind: String, Sendable, CaseIterable {
    /// An item is farther from its owner's phone than allowed.
    case itemTooFar
    /// The battery of a tracker is low.
    case batteryLow
    /// A tracker has not reported for the hours of its item's setting.
    case itemSilent
    /// A parked item is somewhere else.
    case itemMoved
    /// An item arrived at a place.
    case itemArrived
    /// An item left a place.
    case itemLeft
    /// An item wasn't at a place by a time.
    case itemNotArrived
    /// A tracker did not confirm a switch in time, or did so late.
    case switchNotConfirmed
    /// The account's position history is full or nearly full.
    case historyFull
    /// An item is shared with the person, or no longer; or the people of an item changed.
    case itemShared
    /// A finder wrote about an item in lost mode.
    case itemFound
    /// An item in lost mode is with its owner again.
    case itemReturned
    /// A live link ended, because the recipient came near.
    case liveLinkMet
    /// A person shares their position, ends that, is asked for it, or has a rule about the notified one.
    case positionShared
    /// A person who shares their position arrived at a place, left it, or hasn't arrived in time.
    case personCrossed
    /// A carrier accepted the owner's package.
    case packageAccepted
    /// The carrier has the package.
    case packagePickedUp
    case packageDelivered
    /// The latest pickup is near and the package isn't picked up.
    case packageDeadlineNear
    /// A delivery is cancelled.
    case packageCancelled
    /// Owner or carrier asks to cancel a delivery, or no longer asks.
    case packageCancellationRequested
    /// A carrier reports a delivery, and the owner must confirm it.
    case packageDeliveryReported
    /// A problem with a package or a message is reported, or a problem is answered or waits for a decision.
    case packageDisputed
    /// An administrator decided a dispute.
    case packageDecided
    /// A package wasn't accepted or picked up by its deadline.
    case packageLapsed
    /// A carrier wanted to accept, but the owner's wallet doesn't cover the reward.
    case packageNotFunded
    /// An administrator recorded a payment into or out of the wallet.
    case walletPayment
    /// A person asks to be paid out, or no longer; or an administrator declined it.
    case payoutRequest
    /// A new offer is on the way of a saved trip.
    case packageOnTrip
    /// Owner or carrier of a package writes.
    case packageMessage
    /// Owner or carrier of a delivery wrote a review, or replied to one.
    case packageReview
    /// A chore was assigned, with its points.
    case choreAssigned
    /// Points were given automatically, because no parent decided in time.
    case choreCounted
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
    /// A child bought a reward in the shop.
    case rewardBought
    /// A parent decided on a child's purchase.
    case purchaseDecided
    /// A child has the points for its saving goal.
    case goalReached
    /// A child wishes for a reward.
    case wishAdded
    /// A parent decided on a child's wish.
    case wishDecided
    /// Another parent joined the household.
    case parentJoined
    /// A parent left the household.
    case parentLeft
    /// The removal of a parent was announced, ended or completed.
    case parentRemoval
    /// A parent created a child's sign-in code.
    case signInCodeMade
    /// A device signed in as a child.
    case childSignedIn
    /// A child was deleted, restored or erased.
    case childDeletion
    /// A chore became a child's turn, or stopped being one.
    case choreTurn
    /// A chore is due soon, or overdue.
    case choreDue
    /// The summary of a child's week.
    case weekReviewed
    /// Chores pause, or are due again.
    case chorePause
    /// A person tests whether push messages arrive.
    case test
}

/// A notification for one person: an entry in the feed and a push message to subscribed devices.
package struct Notice: Sendable, Equatable {
    /// Posting the same id again changes nothing.
    package let id: ID<Notice>
    package let person: PersonID
    package let kind: NoticeKind
    /// The path of the page that it opens: `/tracking/items/…`.
    package let resource: String
    /// The name of the subject: an item's name, a package's title or a chore's name.
    package let subject: String
    /// The further values in the text, by name: `place`, `lastSeenAt`, `reward`, `points`, `who`, `event`, `amount`,
    /// `currency`, `payment`, and `alert`, the path of the page that explains it. `forgets` is the path of a page that
    /// the person may not see any more.
    package let details: [String: String]
    /// The people whose names are among the values, by the name of the value. `subject` is ``subject``.
    package let people: [String: PersonID]
    package let at: Instant
    /// The number of earlier notifications of the same matter that this one replaced (``FloodRule``).
    package var further = 0
    /// The path of the page that explains why it was sent; `nil` for none.
    package var explanation: String? { details["alert"] }

    /// - Parameter people: the further values that are names, which disappear with the accounts of these people. The
    ///   key `subject` is for a subject that is a name.
    package init(
        id: ID<Notice>, person: PersonID, kind: NoticeKind, resource: String, subject: String,
        details: [String: String] = [:], people: [String: NamedPerson?] = [:], at: Instant
    ) {
        let named = people.compactMapValues(\.self)
        self.id = id
        self.person = person
        self.kind = kind
        self.resource = resource
        self.subject = subject
        let names = named.filter { $0.key != Self.subjectKey }.mapValues(\.name)
        self.details = details.merging(names) { $1 }
        self.people = named.mapValues(\.id)
        self.at = at
    }
}

extension Notice {
    /// The key of ``subject`` in ``people``.
    static let subjectKey = "subject"
}

/// A person who is named in a notification.
package struct NamedPerson: Sendable, Equatable {
    package let id: PersonID
    package let name: String

    package init(_ id: PersonID, _ name: String) {
        self.id = id
        self.name = name
    }
}
