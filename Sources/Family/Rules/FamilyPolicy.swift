/// What somebody wants to do in a household.
package enum FamilyAction: String, Sendable, Hashable, CaseIterable {
    /// See a child's card and profile.
    case seeChild
    /// See a child's contracts and rewards.
    case seeContracts
    /// See what a child has finished.
    case seeAssignments
    /// See the household's chores.
    case seeChores
    /// See who the household's parents are.
    case seeParents
    /// See for which chores a child waits for points.
    case seeRequests
    /// See where a child is signed in.
    case seeDevices
    /// See what became of a child's sign-in code.
    case seeCode
    /// Add a child.
    case addChild
    /// Change a child's name, date of birth, theme or avatar.
    case editChild
    /// Delete a child.
    case deleteChild
    /// See the deleted children of the household that can be restored.
    case seeDeletedChildren
    /// Restore a deleted child.
    case restoreChild
    /// Erase a deleted child before its time to be restored is over.
    case eraseChild
    /// Add a contract.
    case addContract
    /// Tick a reward off, or untick it.
    case handOver
    /// Add a chore.
    case addChore
    /// Change a chore.
    case editChore
    /// Delete a chore.
    case deleteChore
    /// Undo a chore's deletion.
    case restoreChore
    /// Book points for chores.
    case assign
    /// Take an assignment back.
    case undo
    /// Ask for points for a chore.
    case request
    /// Give the points that a child asks for.
    case approve
    /// Refuse the points that a child asks for.
    case decline
    /// Make a child's sign-in code.
    case makeCode
    /// Void a child's sign-in codes.
    case voidCodes
    /// Sign a child's device out.
    case removeDevice
    /// Invite another parent.
    case invite
    /// Move into another household by its invitation.
    case join
    /// Withdraw one's own request for points.
    case withdrawRequest
    /// See the household's open invitations.
    case seeInvitations
    /// Revoke an invitation.
    case revokeInvitation
    /// Leave the household.
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

/// What the asker is to whom or what an action is about.
package enum FamilyRelation: String, Sendable, Hashable, CaseIterable {
    /// Themselves.
    case oneself
    /// Somebody or something of their own household, or the household itself.
    case household
    /// Anybody and anything else, and what isn't there at all.
    case stranger
}

/// What an asker is told.
package enum FamilyVerdict: String, Sendable, Hashable, CaseIterable {
    /// Go on.
    case allowed
    /// It is there, but not for this role to do.
    case forbidden
    /// As though it weren't there.
    case notFound
}

/// The standing of a person in their household.
package enum FamilyStanding: String, Sendable, Hashable, CaseIterable {
    /// The parent who made the household; after they leave, the parent who has been in it longest.
    case maker
    /// Another parent.
    case parent
    /// A child.
    case child
}

/// Who may do what: one table, asked by every use case.
package enum FamilyPolicy {
    /// The actions that only a child may do, with itself.
    private static let childrenOnly: Set<FamilyAction> = [.request, .withdrawRequest]
    /// The actions that a parent may do with themselves.
    private static let parentThemselves: Set<FamilyAction> = [.leave, .refuseRemoval]
    /// The actions that a parent may do with another parent.
    private static let otherParents: Set<FamilyAction> = [.removeParent, .announceRemoval, .withdrawRemoval]
    /// The actions that a parent may do with their household.
    static let parents: Set<FamilyAction> = Set(FamilyAction.allCases)
        .subtracting(childrenOnly).subtracting(parentThemselves).subtracting([.removeParent])
    /// The actions of the parent who made the household.
    static let maker: Set<FamilyAction> = parents.union([.removeParent])
    /// What a child may do with itself.
    static let oneself: Set<FamilyAction> = [
        .seeChild, .seeContracts, .seeAssignments, .seeRequests, .seeDevices, .editChild, .request, .withdrawRequest,
        .removeDevice,
    ]
    /// What a child may see of its siblings and its household.
    static let siblings: Set<FamilyAction> = [
        .seeChild, .seeContracts, .seeAssignments, .seeChores, .seeParents,
    ]

    /// What somebody is told who wants to do something.
    /// - Parameters:
    ///   - standing: the asker's role in their household.
    ///   - relation: what they are to whom or what it is about.
    package static func verdict(
        _ standing: FamilyStanding, _ relation: FamilyRelation, _ action: FamilyAction
    ) -> FamilyVerdict {
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
