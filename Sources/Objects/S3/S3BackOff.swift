import Kernel

/// The delays between attempts to reach the bucket.
struct S3BackOff: Sendable {
    private static let retries = ExponentialBackOff(
        firstMilliseconds: Limits.bucketRetryMilliseconds, maximumMilliseconds: Limits.bucketRetryMaximumMilliseconds)

    let random: any RandomSource
    /// Waits for this number of milliseconds.
    var pause: @Sendable (Int64) async throws -> Void = { try await Task.sleep(for: .milliseconds($0)) }

    /// Returns the delay in milliseconds.
    /// - Parameters:
    ///   - attempt: The number of the failed attempt, from 1.
    ///   - seconds: The delay that the service asked for.
    func milliseconds(after attempt: Int, asked seconds: Int64?) -> Int64 {
        let own = Self.retries.milliseconds(afterAttempt: attempt, chance: random.uint64())
        return max(own, min((seconds ?? 0) * 1_000, Limits.bucketRetryMaximumMilliseconds))
    }
}
