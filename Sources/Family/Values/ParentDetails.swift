package import Accounts

/// What the page of a parent shows.
package struct ParentDetails: Sendable {
    package let parent: Parent
    /// All parents of the household.
    package let parents: [Parent]
    /// The proof that leaving or removing requires.
    package let proof: ProofState
}

/// What the account page of a parent shows.
package struct ParentAccountDetails: Sendable {
    package let me: Member
    package let chores: [Chore]
    package let parents: [Parent]
    package let hasDeletedChildren: Bool
}

/// What the page of invitations shows.
package struct InvitationDetails: Sendable {
    /// The unused invitations, newest first.
    package let open: [OpenInvitation]
    /// The proof that the next invitation requires.
    package let proof: ProofState
}

/// What the page of a deleted child shows.
package struct DeletedChildDetails: Sendable {
    package let child: DeletedChild
    /// The proof that its erasure requires.
    package let proof: ProofState
}
