import Kernel

extension Limits {
    /// Children, chores, rewards, contracts and pauses that one parent creates in an hour.
    static let householdObjectsPerHour = 300
    /// Entries of points by one parent in an hour.
    static let assignmentsPerHour = 300
    /// Requests for points of one child in an hour.
    static let choreRequestsPerHour = 100
    /// Swaps, claimed turns and skipped dates of one person in an hour.
    static let turnChangesPerHour = 60
    /// Rewards that one child buys in an hour.
    static let purchasesPerHour = 100
    /// Wishes of one child in an hour, and its saving goals.
    static let wishesPerHour = 30
    /// Invitations, and codes for devices and tablets, of one parent in an hour.
    static let familyCodesPerHour = 60
    /// Removals of parents that one parent announces in a day: each can be taken back.
    static let removalsPerDay = 10
}
