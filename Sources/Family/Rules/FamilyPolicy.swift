/// An action of a person in a household.
package enum FamilyAction: String, Sendable, Hashable, CaseIterable {
    /// See a child's card and profile.
    case seeChild
    /// See a child's contracts and rewards.
    case seeContracts
    /// See a child's assignments.
    case seeAssignments
    case seeChores
    case seeParents
    /// See a child's open requests.
    case seeRequests
    /// See the devices on which a child is signed in.
    case seeDevices
    /// See the state of a child's sign-in code.
    case seeCode
    case addChild
    /// Change a child's name, date of birth, theme or avatar.
    case editChild
    case deleteChild
    /// See the deleted children of the household that can be restored.
    case seeDeletedChildren
    case restoreChild
    /// Erase a deleted child while it can still be restored.
    case eraseChild
    case addContract
    /// Mark a reward as handed over, or clear that mark.
    case handOver
    case addChore
    case editChore
    case deleteChore
    /// Restore a deleted chore.
    case restoreChore
    /// Give points for chores.
    case assign
    /// Claim a chore that the first child does, and give it back.
    case claim
    /// Skip a date of a chore, and make it due again.
    case skip
    /// Pause a child or all children, end a pause, and see the pauses.
    case pause
    /// See the swaps of turns that wait: all as a parent, one's own as a child.
    case seeSwaps
    /// Ask another child to swap turns.
    case swap
    /// Agree to a swap that another child asks for.
    case acceptSwap
    /// Agree to a swap as a parent.
    case approveSwap
    /// Withdraw or decline a swap.
    case declineSwap
    /// Undo an assignment.
    case undo
    /// Request points for a chore.
    case request
    /// Give the points of a request.
    case approve
    /// Decline a request.
    case decline
    /// See the rewards of the shop.
    case seeShop
    case addReward
    case editReward
    case deleteReward
    /// Restore a deleted reward.
    case restoreReward
    /// See a child's purchases, and the points that it can spend.
    case seePurchases
    /// Buy a reward with one's own points.
    case buy
    /// See a child's wishes.
    case seeWishes
    /// Wish for a reward.
    case addWish
    /// Withdraw one's own wish.
    case withdrawWish
    case declineWish
    /// Add a wish to the shop.
    case grantWish
    /// Choose the reward that one saves for.
    case chooseGoal
    /// Cancel one's own purchase while it waits.
    case cancelPurchase
    case approvePurchase
    case declinePurchase
    /// Give the points of an approved purchase back.
    case refundPurchase
    case makeCode
    case voidCodes
    /// Sign out a child's device.
    case removeDevice
    /// See the shared tablets of the household.
    case seeTablets
    /// Create a code that pairs a shared tablet.
    case pairTablet
    case removeTablet
    /// Set and remove the picture PIN with which a child acts on a shared tablet.
    case setPicturePIN
    /// Create an invitation for another parent.
    case invite
    /// Join another household by an invitation.
    case join
    /// Withdraw one's own request.
    case withdrawRequest
    case seeInvitations
    case revokeInvitation
    case leave
    /// Remove another parent at once.
    case removeParent
    /// Announce that another parent is removed after a period of notice.
    case announceRemoval
    /// Withdraw the announced removal of another parent.
    case withdrawRemoval
    /// Refuse one's own announced removal.
    case refuseRemoval
}

/// The relation of the acting person to the person or resource of an action.
package enum HouseholdRelation: String, Sendable, Hashable, CaseIterable {
    /// The person themselves.
    case oneself
    /// Another member or a resource of the same household, or the household itself.
    case household
    /// Anyone or anything outside the household, and anything that doesn't exist.
    case stranger
}

/// The decision of ``FamilyPolicy``.
package enum FamilyDecision: String, Sendable, Hashable, CaseIterable {
    case allowed
    /// The resource is visible, but the role doesn't allow the action.
    case forbidden
    /// The answer is the same as for a resource that doesn't exist.
    case notFound
}

/// The role of a person in their household.
package enum HouseholdRole: String, Sendable, Hashable, CaseIterable {
    /// The parent who created the household; after they leave, the parent who has been in it longest.
    case maker
    case parent
    case child
}

/// The permissions of a household. Every use case checks them here.
package enum FamilyPolicy {
    /// The actions that only a child may do, with itself.
    private static let childrenOnly: Set<FamilyAction> = [
        .request, .withdrawRequest, .swap, .acceptSwap, .buy, .cancelPurchase, .chooseGoal, .addWish, .withdrawWish,
    ]
    /// The actions that a parent may do with themselves.
    private static let parentThemselves: Set<FamilyAction> = [.leave, .refuseRemoval]
    /// The actions that a parent may do with another parent.
    private static let otherParents: Set<FamilyAction> = [.removeParent, .announceRemoval, .withdrawRemoval]
    /// The actions that a parent may do with their household.
    static let parents: Set<FamilyAction> = Set(FamilyAction.allCases)
        .subtracting(childrenOnly).subtracting(parentThemselves).subtracting([.removeParent])
    /// The actions of the parent who created the household.
    static let maker: Set<FamilyAction> = parents.union([.removeParent])
    /// The actions that a child may do with itself.
    static let oneself: Set<FamilyAction> = [
        .seeChild, .seeContracts, .seeAssignments, .seeRequests, .seeDevices, .editChild, .request, .withdrawRequest,
        .claim, .swap, .acceptSwap, .declineSwap, .removeDevice, .seePurchases, .buy, .cancelPurchase, .chooseGoal,
        .seeWishes, .addWish, .withdrawWish,
    ]
    /// The actions that a child may do with its siblings and its household.
    static let siblings: Set<FamilyAction> = [
        .seeChild, .seeContracts, .seeAssignments, .seeChores, .seeParents, .seeSwaps, .seeShop,
    ]

    /// Returns whether an action is allowed.
    /// - Parameters:
    ///   - standing: the role of the acting person in their household.
    ///   - relation: the relation of the acting person to the subject of the action.
    package static func verdict(
        _ standing: HouseholdRole, _ relation: HouseholdRelation, _ action: FamilyAction
    ) -> FamilyDecision {
        let allowed: Set<FamilyAction>
        switch (standing, relation) {
        case (_, .stranger): return .notFound
        case (.maker, .household): allowed = maker
        case (.parent, .household): allowed = parents
        case (.maker, .oneself), (.parent, .oneself):
            allowed = parents.subtracting(otherParents).union(parentThemselves)
        case (.child, .oneself): allowed = oneself
        case (.child, .household): allowed = siblings
        }
        return allowed.contains(action) ? .allowed : .forbidden
    }
}
