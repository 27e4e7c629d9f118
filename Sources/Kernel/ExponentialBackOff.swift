/// The delays between the attempts of one request.
package struct ExponentialBackOff: Sendable {
    // A larger exponent only overflows: every maximum is reached before.
    private static let exponentMaximum = 20

    private let firstMilliseconds: Int64
    private let maximumMilliseconds: Int64

    /// - Parameters:
    ///   - firstMilliseconds: the longest delay after the first attempt.
    ///   - maximumMilliseconds: the longest delay after any attempt.
    package init(firstMilliseconds: Int64, maximumMilliseconds: Int64) {
        self.firstMilliseconds = firstMilliseconds
        self.maximumMilliseconds = maximumMilliseconds
    }

    /// Returns the longest delay in milliseconds, which doubles with each attempt.
    /// - Parameter attempt: the number of the failed attempt, from 1.
    package func longestMilliseconds(afterAttempt attempt: Int) -> Int64 {
        min(firstMilliseconds << Int64(max(0, min(attempt - 1, Self.exponentMaximum))), maximumMilliseconds)
    }

    /// Returns a delay in milliseconds: 50 to 100 percent of the longest delay, so that requests that failed together
    /// don't return together.
    /// - Parameters:
    ///   - attempt: the number of the failed attempt, from 1.
    ///   - chance: a random number.
    package func milliseconds(afterAttempt attempt: Int, chance: UInt64) -> Int64 {
        let longest = longestMilliseconds(afterAttempt: attempt)
        return longest / 2 + Int64(chance % UInt64(longest / 2 + 1))
    }
}
