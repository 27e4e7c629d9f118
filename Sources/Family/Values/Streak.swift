package import Kernel

/// The days in a row on which a child did a chore. A day without anything due, and a pause, leave it as it is.
package struct Streak: Sendable, Hashable {
    package let childID: PersonID
    /// The days until yesterday, 0 or more.
    package var days: Int
    package var bestDays: Int
    /// The missed days that it can still bear: 0 to ``Limits/streakFreezes``.
    package var freezes: Int
}
