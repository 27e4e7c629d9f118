import Foundation
import Kernel

/// The consequence of a push service's response.
enum PushOutcome: Sendable, Equatable {
    /// The push service accepted the message.
    case handedOver
    /// The push service no longer knows the subscription (RFC 8030, 7.3).
    case gone
    /// A retry makes sense, at the earliest after this many seconds.
    case later(seconds: Int64?)
    /// A retry would fail too.
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

    /// Returns the seconds in a `Retry-After` header, which holds seconds or a date (RFC 9110, 10.2.3).
    static func seconds(_ retryAfter: String?, now: Instant) -> Int64? {
        guard let text = retryAfter?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = Int64(text) { return seconds >= 0 ? seconds : nil }
        guard let moment = Instant(httpDate: text) else { return nil }
        return max(0, Int64(moment.seconds(since: now).rounded(.up)))
    }
}
