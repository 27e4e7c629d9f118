import Kernel

/// Exponential back-off with jitter: the delay doubles with each attempt, and a random part is subtracted, so that
/// requests that failed together don't return together.
struct S3BackOff: Sendable {
    let random: any RandomSource
    /// Waits for this number of milliseconds.
    var pause: @Sendable (Int64) async throws -> Void = { try await Task.sleep(for: .milliseconds($0)) }

    /// Returns the delay in milliseconds.
    /// - Parameters:
    ///   - attempt: The number of the failed attempt, from 1.
    ///   - seconds: The delay that the service asked for.
    func milliseconds(after attempt: Int, asked seconds: Int64?) -> Int64 {
        let doubled = Limits.bucketRetryMilliseconds << Int64(min(attempt - 1, 10))
        let longest = min(doubled, Limits.bucketRetryMaximumMilliseconds)
        let own = longest / 2 + Int64(random.uint64() % UInt64(longest / 2 + 1))
        return max(own, min((seconds ?? 0) * 1_000, Limits.bucketRetryMaximumMilliseconds))
    }
}
