/// What a new family has done of its first steps.
package struct FirstSteps: Sendable, Hashable {
    package let hasChild: Bool
    package let hasChore: Bool
    /// Whether a chore has a schedule.
    package let hasPlan: Bool
    /// Whether a child has a contract now.
    package let hasReward: Bool
    /// Whether a child is signed in on a device.
    package let hasDevice: Bool

    package var isDone: Bool { hasChild && hasChore && hasPlan && hasReward && hasDevice }
}
