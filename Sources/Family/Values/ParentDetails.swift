package import Accounts

/// The data of a parent's page.
package struct ParentDetails: Sendable {
    package let parent: Parent
    /// All parents of the household.
    package let parents: [Parent]
    /// The proof that leaving or removing requires.
    package let proof: ProofState
}

/// The data of a parent's account page.
package struct ParentAccountDetails: Sendable {
    package let me: Member
    package let chores: [Chore]
    package let parents: [Parent]
    package let hasDeletedChildren: Bool
}

/// The data of the invitations' page.
package struct InvitationDetails: Sendable {
    /// The unused invitations, newest first.
    package let open: [OpenInvitation]
    /// The proof that the next invitation requires.
    package let proof: ProofState
}

/// The data of a deleted child's page.
package struct DeletedChildDetails: Sendable {
    package let child: DeletedChild
    /// The proof that its erasure requires.
    package let proof: ProofState
}
