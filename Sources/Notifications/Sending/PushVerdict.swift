import Foundation
import Kernel

/// What follows from a push service's answer.
enum PushVerdict: Sendable, Equatable {
    /// It took the message.
    case handedOver
    /// It doesn't know the subscription any more (RFC 8030, 7.3).
    case gone
    /// It is worth trying again, at the earliest after so many seconds.
    case later(seconds: Int64?)
    /// It never will.
    case hopeless

    init(_ reply: PushReply, now: Instant) {
        self =
            switch reply.status {
            case 200..<300: .handedOver
            case 404, 410: .gone
            case 408, 425, 429, 500..<600: .later(seconds: Self.seconds(reply.retryAfter, now: now))
            default: .hopeless
            }
    }

    /// Retry-After as seconds, whether it came as such or as a date (RFC 9110, 10.2.3).
    static func seconds(_ retryAfter: String?, now: Instant) -> Int64? {
        guard let text = retryAfter?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = Int64(text) { return seconds >= 0 ? seconds : nil }
        guard let moment = Instant(httpDate: text) else { return nil }
        return max(0, Int64(moment.seconds(since: now).rounded(.up)))
    }
}

/// When the next attempt is due.
enum PushBackOff {
    /// Twice as long after each attempt, up to ``Limits/pushRetryMaximumSeconds``; between half of that and the whole, so
    /// that what failed together doesn't come back together. Not before the service said.
    /// - Parameters:
    ///   - attempt: the one that failed, from 1.
    ///   - asked: what the service asked for, in seconds.
    ///   - chance: any number; decides between half and whole.
    /// - Returns: milliseconds.
    static func milliseconds(afterAttempt attempt: Int, asked: Int64?, chance: UInt64) -> Int64 {
        let doubled = Limits.pushRetrySeconds << Int64(min(attempt - 1, 20))
        let whole = min(doubled, Limits.pushRetryMaximumSeconds) * 1_000
        let wait = whole / 2 + Int64(chance % UInt64(whole / 2 + 1))
        let longestAsked = Limits.pushMessageSeconds
        return max(wait, min(asked ?? 0, longestAsked) * 1_000)
    }
}
