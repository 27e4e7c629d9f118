import Kernel

/// When what failed is tried again.
package enum HologramBackOff {
    /// Twice as long after each attempt; between half of that and the whole, so that what failed together doesn't come
    /// back together. After "rate limit exceeded" what the vendor asks for: 5 to 10 seconds.
    /// - Parameters:
    ///   - failure: what was answered.
    ///   - attempt: the one that failed, from 1.
    ///   - chance: any number; decides within the range.
    /// - Returns: milliseconds; `nil` where another attempt would be answered the same.
    package static func milliseconds(after failure: HologramFailure, attempt: Int, chance: UInt64) -> Int64? {
        switch failure {
        case .refused, .tooLarge: return nil
        case .wrongKey: return Limits.hologramRefusedKeySeconds * 1_000
        case .busy(let asked):
            let range = Limits.hologramBusySeconds
            let wait = spread(range.lowerBound * 1_000, range.upperBound * 1_000, chance)
            return max(wait, min(asked ?? 0, Limits.hologramLongestBusySeconds) * 1_000)
        case .unreachable, .unavailable, .unreadable:
            let whole = doubled(Limits.hologramRetrySeconds, attempt, upTo: Limits.hologramRetryMaximumSeconds) * 1_000
            return spread(whole / 2, whole, chance)
        }
    }

    /// When a switch that the cloud has taken is sent once more, unless the tracker confirms it before: the cloud doesn't
    /// keep messages for devices that aren't there.
    /// - Parameter attempt: how often it was handed over, from 1.
    package static func repeatSeconds(attempt: Int) -> Int64 {
        doubled(Limits.hologramRepeatSeconds, attempt, upTo: Limits.hologramRepeatMaximumSeconds)
    }

    private static func doubled(_ first: Int64, _ attempt: Int, upTo maximum: Int64) -> Int64 {
        min(first << Int64(max(0, min(attempt - 1, 20))), maximum)
    }

    private static func spread(_ least: Int64, _ most: Int64, _ chance: UInt64) -> Int64 {
        least + Int64(chance % UInt64(most - least + 1))
    }
}
