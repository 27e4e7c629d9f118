import Jobs
import Kernel
import Storage

/// The jobs that send push messages. A notification is enqueued once, in the transaction of its change. Its job
/// enqueues a message for each subscribed device, so that a device whose push service doesn't respond delays no other.
enum PushJobs {
    static let lane = JobLane(
        name: "push", capacity: Limits.pushQueue, concurrency: Limits.pushConcurrency,
        leaseSeconds: Limits.pushLeaseSeconds,
        backOff: ExponentialBackOff(
            firstMilliseconds: Limits.pushRetrySeconds * 1_000,
            maximumMilliseconds: Limits.pushRetryMaximumSeconds * 1_000),
        attemptsMaximum: Limits.pushAttempts, retainsDeadPayloads: true)

    /// Returns the job that enqueues a notification's messages.
    static func distribution(of notice: Notice) -> NewJob {
        NewJob(
            kind: "notification", subject: notice.kind.rawValue, payload: Payload.notification(notice.id).bytes,
            expiresAt: notice.pushExpiresAt)
    }

    /// Returns the job that sends a message to one device.
    /// - Parameter subject: the host of the push service, or the kind of the notification.
    static func message(
        of notice: ID<Notice>, to subscription: ID<PushSubscription>, subject: String, expiresAt: Instant
    ) -> NewJob {
        NewJob(
            kind: "message", subject: subject, payload: Payload.message(notice, subscription).bytes,
            expiresAt: expiresAt)
    }

    /// The payload of a job: the ids of rows that may be deleted before the job is performed.
    enum Payload: Equatable {
        case notification(ID<Notice>)
        case message(ID<Notice>, ID<PushSubscription>)

        init?(_ bytes: [UInt8]) {
            let ids = String(decoding: bytes, as: UTF8.self).split(separator: " ")
            guard let first = ids.first, let notice = ID<Notice>(first) else { return nil }
            switch ids.count {
            case 1: self = .notification(notice)
            case 2:
                guard let subscription = ID<PushSubscription>(ids[1]) else { return nil }
                self = .message(notice, subscription)
            default: return nil
            }
        }

        var bytes: [UInt8] {
            switch self {
            case .notification(let notice): Array("\(notice)".utf8)
            case .message(let notice, let subscription): Array("\(notice) \(subscription)".utf8)
            }
        }
    }
}
