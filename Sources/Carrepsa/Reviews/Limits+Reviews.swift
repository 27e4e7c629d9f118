package import Kernel

extension Limits {
    /// Seconds after a delivery in which its parties can review each other. Then all written reviews are shown.
    package static let reviewSeconds: Int64 = 7 * 24 * 60 * 60
    /// Reviews that a profile shows, the newest first.
    package static let reviewsShown = 20
}
