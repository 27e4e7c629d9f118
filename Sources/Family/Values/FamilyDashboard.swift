package import Kernel

/// What a child's dashboard shows.
package struct ChildDashboard: Sendable {
    /// The child and its siblings, in the order in which they were added.
    package let children: [Child]
    package let today: FamilyToday
    package let shop: ShopSummary
}

/// What a parent's dashboard shows.
package struct FamilyDashboard: Sendable {
    /// The parent's own profile.
    package let me: Member
    package let children: ListPage<Child>
    /// The open requests of each child that has some, oldest first.
    package let requests: [PersonID: [ChoreRequest]]
    /// The first steps of a new family; `nil` once they are done or hidden.
    package let firstSteps: FirstSteps?
    package let today: FamilyToday
    package let shop: ShopSummary
    /// The swaps to which both children agreed, and which wait for a parent.
    package let swapCount: Int
    package let chores: ChoreCounts

    var withoutFirstSteps: FamilyDashboard {
        FamilyDashboard(
            me: me, children: children, requests: requests, firstSteps: nil, today: today, shop: shop,
            swapCount: swapCount, chores: chores)
    }
}
