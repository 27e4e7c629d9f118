package import Kernel

/// The delays between attempts to reach Hologram.
package enum HologramBackOff {
    /// After an outage.
    package static let retries = ExponentialBackOff(
        firstMilliseconds: Limits.hologramRetrySeconds * 1_000,
        maximumMilliseconds: Limits.hologramRetryMaximumSeconds * 1_000)
    private static let repeats = ExponentialBackOff(
        firstMilliseconds: Limits.hologramRepeatSeconds * 1_000,
        maximumMilliseconds: Limits.hologramRepeatMaximumSeconds * 1_000)

    /// Returns the shortest delay in milliseconds after a failure. After "rate limit exceeded" the vendor asks for 5 to
    /// 10 seconds.
    /// - Parameter chance: A random number.
    package static func milliseconds(after failure: HologramFailure, chance: UInt64) -> Int64 {
        switch failure {
        case .busy(let asked):
            let range = Limits.hologramBusySeconds
            let wait = spread(range.lowerBound * 1_000, range.upperBound * 1_000, chance)
            return max(wait, min(asked ?? 0, Limits.hologramLongestBusySeconds) * 1_000)
        case .wrongKey: return Limits.hologramRefusedKeySeconds * 1_000
        case .unreachable, .unavailable, .unreadable, .refused, .tooLarge: return 0
        }
    }

    /// Returns the delay in seconds before an accepted switch is sent again, unless the tracker confirms it: the cloud
    /// doesn't keep messages for unreachable devices.
    /// - Parameter attempt: The number of attempts, from 1.
    package static func repeatSeconds(attempt: Int) -> Int64 {
        repeats.longestMilliseconds(afterAttempt: attempt) / 1_000
    }

    private static func spread(_ least: Int64, _ most: Int64, _ chance: UInt64) -> Int64 {
        least + Int64(chance % UInt64(most - least + 1))
    }
}
