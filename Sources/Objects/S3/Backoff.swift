import Kernel

/// How long to wait before the next attempt: twice as long each time, of which a random part is left off, so that
/// several that were refused together don't come back together.
struct Backoff: Sendable {
    let random: any RandomSource
    /// Waits so many milliseconds.
    var pause: @Sendable (Int64) async throws -> Void = { try await Task.sleep(for: .milliseconds($0)) }

    /// - Parameters:
    ///   - attempt: the attempt that failed, from 1 on.
    ///   - seconds: what the service asked for.
    func milliseconds(after attempt: Int, asked seconds: Int64?) -> Int64 {
        let doubled = Limits.bucketRetryMilliseconds << Int64(min(attempt - 1, 10))
        let longest = min(doubled, Limits.bucketRetryMaximumMilliseconds)
        let own = longest / 2 + Int64(random.uint64() % UInt64(longest / 2 + 1))
        return max(own, min((seconds ?? 0) * 1_000, Limits.bucketRetryMaximumMilliseconds))
    }
}
