import Notifications

/// An event of a household that concerns people besides the person who caused it. Each of them is notified once. The
/// person who caused it is notified too where another person may have used their session.
package enum HouseholdEvent: String, Sendable, Hashable, CaseIterable {
    /// A child asks for the points of a chore.
    case choreRequested
    /// A parent declines a child's request.
    case requestDeclined
    /// A parent gives points for a chore.
    case pointsGiven
    /// Points are given automatically, because no parent decided on the child's request in time.
    case choreCounted
    /// A parent undoes an assignment.
    case pointsUndone
    /// A child reaches a level of its contract.
    case levelReached
    /// A parent gives a child a new contract.
    case contractAdded
    /// A child buys a reward.
    case rewardBought
    /// A parent approves a child's purchase.
    case purchaseApproved
    /// A parent declines a child's purchase.
    case purchaseDeclined
    /// A parent gives the points of a purchase back.
    case purchaseRefunded
    /// A child has the points for its saving goal.
    case goalReached
    /// A child wishes for a reward.
    case wishAdded
    /// A parent declines a child's wish.
    case wishDeclined
    /// A parent adds a child's wish to the shop.
    case wishGranted
    /// A parent creates a child's sign-in code.
    case codeMade
    /// A device signs in as a child.
    case childSignedIn
    /// A device is paired as a shared tablet.
    case tabletPaired
    /// A parent deletes a child.
    case childDeleted
    /// A parent restores a deleted child.
    case childRestored
    /// A parent erases a deleted child.
    case childErased
    /// A parent gives a child a chore that the first child to claim it does.
    case choreHandedOut
    /// A parent skips a date of a child's chore.
    case choreSkipped
    /// A parent makes a chore due again on a date that was skipped.
    case choreUnskipped
    /// A child gets a turn of today, or a swapped one, because another child can no longer do it.
    case turnPassed
    /// A swapped turn or a claim isn't the child's any more.
    case turnDropped
    /// Another child can't do a chore that it claimed, so that it can be claimed again.
    case claimEnded
    /// A child asks another one to swap turns.
    case swapAsked
    /// The other child agrees.
    case swapAccepted
    /// A parent agrees, and the turns are swapped.
    case swapDone
    /// A child withdraws a swap, or the other one or a parent declines it.
    case swapDeclined
    /// A swap that waits ends, because one of the turns isn't the child's any more.
    case swapEnded
    /// A parent offers points to the first child who does a chore.
    case bountyOffered
    /// A week is over in which a child did chores.
    case weekReviewed
    /// A chore is due soon.
    case choreDue
    /// A chore is overdue.
    case choreOverdue
    /// A parent plans days on which nothing is due, for a child or for all.
    case pauseBegun
    /// The same, from a later day on.
    case pausePlanned
    /// A parent ends them.
    case pauseEnded
    /// A parent removes a pause before it begins.
    case pauseRemoved
    /// A parent joins the household.
    case parentJoined
    /// A parent leaves the household, or deletes their account.
    case parentLeft
    /// A parent is removed from the household.
    case parentRemoved
    /// A parent announces the removal of another.
    case removalAnnounced
    /// A parent withdraws an announced removal.
    case removalWithdrawn
    /// A parent refuses their own removal.
    case removalRefused

    /// The people an event concerns.
    package enum Recipients: Sendable, Hashable, CaseIterable {
        /// The child that it is about.
        case child
        /// All parents of the household.
        case parents
        /// The child that it is about, or all children without one, and all parents.
        case childAndParents
        /// All parents of the household, and the parent who is the subject.
        case parentsAndSubject
    }

    /// The people who are notified.
    package var recipients: Recipients {
        switch self {
        case .requestDeclined, .pointsGiven, .pointsUndone, .contractAdded, .choreHandedOut, .choreSkipped,
            .choreUnskipped, .turnPassed, .turnDropped, .claimEnded, .swapAsked, .swapDone, .swapDeclined, .swapEnded,
            .choreDue, .bountyOffered, .purchaseApproved, .purchaseDeclined, .purchaseRefunded,
            .wishDeclined, .wishGranted:
            .child
        case .levelReached, .choreCounted, .goalReached, .pauseBegun, .pausePlanned, .pauseEnded, .pauseRemoved,
            .choreOverdue,
            .weekReviewed:
            .childAndParents
        case .choreRequested, .swapAccepted, .codeMade, .childSignedIn, .tabletPaired, .childDeleted, .childRestored,
            .childErased, .parentJoined, .rewardBought, .wishAdded:
            .parents
        case .parentLeft, .parentRemoved, .removalAnnounced, .removalWithdrawn, .removalRefused: .parentsAndSubject
        }
    }

    var kind: NoticeKind {
        switch self {
        case .choreRequested: .choreRequested
        case .requestDeclined: .choreDeclined
        case .pointsGiven: .choreAssigned
        case .choreCounted: .choreCounted
        case .pointsUndone: .pointsUndone
        case .levelReached: .levelReached
        case .contractAdded: .contractAdded
        case .rewardBought: .rewardBought
        case .purchaseApproved, .purchaseDeclined, .purchaseRefunded: .purchaseDecided
        case .goalReached: .goalReached
        case .wishAdded: .wishAdded
        case .wishDeclined, .wishGranted: .wishDecided
        case .codeMade: .signInCodeMade
        case .childSignedIn, .tabletPaired: .childSignedIn
        case .childDeleted, .childRestored, .childErased: .childDeletion
        case .choreHandedOut, .choreSkipped, .choreUnskipped, .bountyOffered, .swapAsked, .swapAccepted, .swapDone,
            .swapDeclined, .swapEnded, .turnPassed, .turnDropped, .claimEnded:
            .choreTurn
        case .pauseBegun, .pausePlanned, .pauseEnded, .pauseRemoved: .chorePause
        case .choreDue, .choreOverdue: .choreDue
        case .weekReviewed: .weekReviewed
        case .parentJoined: .parentJoined
        case .parentLeft: .parentLeft
        case .parentRemoved, .removalAnnounced, .removalWithdrawn, .removalRefused: .parentRemoval
        }
    }

    /// The step in the notification text of a removal, a deletion, a purchase or a wish; `nil` for other events.
    var step: String? {
        switch self {
        case .tabletPaired: "tablet"
        case .childDeleted: "deleted"
        case .childRestored: "restored"
        case .childErased: "erased"
        case .bountyOffered: "bounty"
        case .choreSkipped: "skipped"
        case .choreUnskipped: "unskipped"
        case .choreDue: "soon"
        case .choreOverdue: "overdue"
        case .swapAsked: "asked"
        case .swapAccepted: "accepted"
        case .swapDone: "swapped"
        case .swapDeclined: "declined"
        case .swapEnded: "ended"
        case .turnPassed: "passed"
        case .turnDropped: "dropped"
        case .claimEnded: "freed"
        case .pauseBegun: "begun"
        case .pausePlanned: "planned"
        case .pauseEnded: "ended"
        case .pauseRemoved: "removed"
        case .purchaseApproved: "approved"
        case .purchaseDeclined: "declined"
        case .purchaseRefunded: "refunded"
        case .wishDeclined: "declined"
        case .wishGranted: "granted"
        case .removalAnnounced: "announced"
        case .removalWithdrawn: "withdrawn"
        case .removalRefused: "refused"
        case .parentRemoved: "removed"
        default: nil
        }
    }
}

extension FamilyAction {
    /// The events that an action causes. An empty list means that the action concerns only the person who acts, or that
    /// the other people's pages already show it.
    package var events: Set<HouseholdEvent> {
        switch self {
        case .request: [.choreRequested, .choreCounted]
        case .approve, .assign: [.pointsGiven, .levelReached, .goalReached, .weekReviewed]
        case .decline: [.requestDeclined]
        case .undo: [.pointsUndone]
        case .addContract: [.contractAdded]
        case .buy: [.rewardBought]
        case .approvePurchase: [.purchaseApproved]
        case .declinePurchase: [.purchaseDeclined, .goalReached]
        case .refundPurchase: [.purchaseRefunded, .goalReached]
        case .cancelPurchase, .chooseGoal: [.goalReached]
        case .addWish: [.wishAdded]
        case .declineWish: [.wishDeclined]
        case .grantWish: [.wishGranted]
        case .makeCode: [.codeMade, .childSignedIn]
        case .pairTablet: [.tabletPaired]
        case .deleteChild: [.childDeleted, .turnPassed, .turnDropped, .claimEnded, .swapEnded]
        case .restoreChild: [.childRestored]
        case .eraseChild: [.childErased]
        case .join: [.parentJoined, .parentLeft]
        case .leave: [.parentLeft]
        case .removeParent: [.parentRemoved]
        case .announceRemoval: [.removalAnnounced, .parentRemoved]
        case .withdrawRemoval: [.removalWithdrawn]
        case .refuseRemoval: [.removalRefused]
        case .editChore: [.choreDue, .choreOverdue, .bountyOffered, .turnPassed, .turnDropped, .swapEnded]
        case .deleteChore: [.swapEnded]
        case .claim: [.choreHandedOut]
        case .skip: [.choreSkipped, .choreUnskipped]
        case .pause:
            [
                .pauseBegun, .pausePlanned, .pauseEnded, .pauseRemoved, .turnPassed, .turnDropped, .claimEnded,
                .swapEnded,
            ]
        case .swap: [.swapAsked]
        case .acceptSwap: [.swapAccepted]
        case .approveSwap: [.swapDone]
        case .declineSwap: [.swapDeclined]
        case .seeChild, .seeContracts, .seeAssignments, .seeChores, .seeParents, .seeRequests, .seeDevices, .seeCode,
            .seeInvitations, .seeDeletedChildren, .seeSwaps, .seeShop, .seePurchases, .seeWishes, .seeTablets:
            []
        case .addChild, .editChild, .handOver, .addChore, .restoreChore, .voidCodes, .removeDevice,
            .removeTablet, .setPicturePIN, .withdrawRequest, .invite, .revokeInvitation, .addReward, .editReward,
            .deleteReward, .restoreReward,
            .withdrawWish:
            []
        }
    }
}
