package import Kernel

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

    var withoutFirstSteps: FamilyDashboard {
        FamilyDashboard(me: me, children: children, requests: requests, firstSteps: nil, today: today)
    }
}
