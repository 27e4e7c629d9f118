package import Kernel

extension Limits {
    /// Seconds after a delivery in which its owner and carrier can review each other. Then all written reviews are
    /// shown.
    package static let reviewSeconds: Int64 = 7 * 24 * 60 * 60
    /// Reviews that a profile shows, the newest first.
    package static let reviewsShown = 20
    /// Reviews whose words a profile counts, the newest ones, so that its cost has a bound.
    package static let reviewsCounted = 1_000
    /// Finished deliveries up to which a profile counts.
    package static let deliveriesCounted = 10_000
}
