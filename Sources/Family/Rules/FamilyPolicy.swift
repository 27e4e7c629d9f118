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
    /// Undo a child's deletion.
    case restoreChild
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

/// Who may do what: one table, asked by every use case.
package enum FamilyPolicy {
    /// What a parent may do with their household; there is nothing that a parent does to themselves here.
    static let parents: Set<FamilyAction> = Set(FamilyAction.allCases).subtracting([.request])
    /// What a child may do with itself.
    static let oneself: Set<FamilyAction> = [
        .seeChild, .seeContracts, .seeAssignments, .seeRequests, .seeDevices, .editChild, .request, .removeDevice,
    ]
    /// What a child may see of its siblings and its household.
    static let siblings: Set<FamilyAction> = [
        .seeChild, .seeContracts, .seeAssignments, .seeChores, .seeParents,
    ]

    /// What somebody is told who wants to do something.
    /// - Parameters:
    ///   - role: what the asker is in their household.
    ///   - relation: what they are to whom or what it is about.
    package static func verdict(
        _ role: Member.Role, _ relation: FamilyRelation, _ action: FamilyAction
    ) -> FamilyVerdict {
        let allowed: Set<FamilyAction>
        switch (role, relation) {
        case (_, .stranger): return .notFound
        case (.parent, _): allowed = parents
        case (.child, .oneself): allowed = oneself
        case (.child, .household): allowed = siblings
        }
        return allowed.contains(action) ? .allowed : .forbidden
    }
}
