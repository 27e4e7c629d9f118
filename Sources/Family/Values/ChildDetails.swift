package import Kernel

/// The data of a child's page.
package struct ChildDetails: Sendable {
    package let child: Child
    /// The newest ones.
    package let assignments: ListPage<Assignment>
    /// The open requests, oldest first; none for a sibling, who may not see them.
    package let requests: [ChoreRequest]
    /// The chores of the household; none for a sibling.
    package let chores: [Chore]
    /// The requests that were declined lately; none for a sibling.
    package let declined: [DeclinedRequest]
    /// The chores for which the child got points today, by the family's clock.
    package let doneToday: Set<ID<Chore>>
}

/// A child with a page of one of its lists.
package struct ChildEntries<Entry: Sendable>: Sendable {
    package let child: Child
    package let page: ListPage<Entry>
}

/// A child with the chores for which it can get points.
package struct AssignableChores: Sendable {
    package let child: Child
    package let chores: [Chore]
}

/// A child's request with the child.
package struct ChoreRequestDetails: Sendable {
    package let request: ChoreRequest
    package let child: Child
}

/// A page of the open requests of a household.
package struct WaitingRequests: Sendable {
    package let page: ListPage<ChoreRequest>
    /// The children of these requests, in the order in which they were added.
    package let children: [Member]
}

/// The data of a child's account page.
package struct ChildAccountDetails: Sendable {
    package let child: Child
    package let parents: [Member]
}
