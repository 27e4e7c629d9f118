import Crypto
package import Jobs
import Kernel
import Logging
import Storage

/// Sends push messages. Several servers may do so on one database.
package struct PushSender: Sendable {
    let queue: JobQueue
    let database: Database
    /// The push services that may receive messages.
    let hosts: PushHosts
    let key: PushKey
    /// The contact of the administrator for push services (RFC 8292, 2.1).
    let contact: String
    let transport: any PushTransport
    let clock: any WallClock
    let random: any RandomSource
    let logger: Logger

    /// The queues of all lanes.
    package var queues: [JobQueue] { [queue] }

    var worker: JobWorker {
        JobWorker(queue: queue, database: database, clock: clock, perform: { job in try await perform(job) })
    }

    /// Moves the messages that servers of earlier versions queued. For a periodic job: such servers may run during a
    /// rolling update.
    package func moveEarlierMessages() async {
        do {
            while true {
                let now = clock.now
                guard try await database.read({ try EarlierDeliveryStore.isAnyDue(now: now, in: $0) }) else { return }
                try await database.write { [queue, random] tx in
                    try EarlierDeliveryStore.move(to: queue, random: random, now: now, in: tx)
                }
            }
        } catch {
            logger.error(
                "The push messages of an earlier version could not be moved", metadata: ["error": "\(error)"])
        }
    }

    private func perform(_ job: LeasedJob) async throws -> JobCompletion {
        switch PushJobs.Payload(job.payload) {
        case .notification(let notice): return try await distribute(notice, until: job.expiresAt)
        case .message(let notice, let subscription):
            let message = try await database.read { tx in
                try PushMessageReader.message(notice, subscription, expiresAt: job.expiresAt, in: tx)
            }
            guard let message else { return .done }
            return try await send(message)
        case nil: throw JobFailure("The job can't be read", isFinal: true)
        }
    }

    /// Enqueues a message for each device of the notification's person.
    private func distribute(_ notice: ID<Notice>, until expiresAt: Instant) async throws -> JobCompletion {
        let now = clock.now
        let subscriptions = try await database.read { tx in try SubscriptionStore.subscriptions(for: notice, in: tx) }
        let messages = subscriptions.map { subscription in
            PushJobs.message(
                of: notice, to: subscription.id, subject: PushHosts.host(of: subscription.endpoint) ?? "",
                expiresAt: expiresAt)
        }
        return JobCompletion { [queue] tx in try queue.enqueue(messages, now: now, in: tx) }
    }

    private func send(_ message: OutgoingPushMessage) async throws -> JobCompletion {
        let reply: PushReply
        do throws(PushDeliveryFailure) {
            reply = try await deliver(message)
        } catch {
            switch error {
            case .notCreated: throw JobFailure("The message could not be created", isFinal: true)
            case .notPublic: throw JobFailure("The push service's address isn't public", isFinal: true)
            case .unreachable: throw JobFailure("The push service could not be reached")
            }
        }
        switch PushOutcome(reply, now: clock.now) {
        case .handedOver: return .done
        case .gone:
            return JobCompletion { tx in try removeSubscription(of: message, in: tx) }
        case .later(let seconds):
            throw JobFailure(
                "The push service responded with status \(reply.status)",
                retryAfterMilliseconds: min(seconds ?? 0, Limits.pushMessageSeconds) * 1_000)
        case .hopeless:
            throw JobFailure("The push service responded with status \(reply.status)", isFinal: true)
        }
    }

    /// Sends a message to its push service, once.
    func deliver(_ message: OutgoingPushMessage) async throws(PushDeliveryFailure) -> PushReply {
        let request: PushRequest
        do {
            // The configured list may be shorter than when the browser subscribed.
            try hosts.check(message.subscription.endpoint)
            request = try self.request(for: message, now: clock.now)
        } catch {
            throw .notCreated
        }
        do throws(PushTransportFailure) {
            return try await transport.send(request)
        } catch {
            switch error {
            case .notPublic: throw .notPublic
            case .unreachable(let reason): throw .unreachable(reason)
            }
        }
    }

    /// Deletes a subscription that the push service no longer knows.
    func removeSubscription(of message: OutgoingPushMessage, in tx: Transaction) throws {
        try SubscriptionStore.remove(message.subscription.id, in: tx)
        try FeedEvent.publish(to: message.entry.notice.person, at: clock.now, in: tx)
    }

    private func request(for message: OutgoingPushMessage, now: Instant) throws -> PushRequest {
        let subscription = message.subscription
        let origin = PushHosts.parts(subscription.endpoint)?.origin ?? ""
        let body = try PushEncryption.seal(
            try PushMessage(message).encoded(), browserKey: subscription.publicKey, secret: subscription.secret,
            ownKey: try messageKey(), salt: random.bytes(PushEncryption.saltBytes)
        )
        let secondsLeft = message.expiresAt.seconds(since: now)
        return PushRequest(
            endpoint: subscription.endpoint,
            headers: [
                ("Authorization", try PushSignature.header(origin: origin, contact: contact, now: now, key: key)),
                ("Content-Type", "application/octet-stream"), ("Content-Encoding", "aes128gcm"),
                ("TTL", "\(max(0, Int64(secondsLeft)))"), ("Urgency", message.entry.notice.urgency),
                ("Topic", message.entry.notice.topic(for: subscription.id)),
            ],
            body: body
        )
    }

    /// Returns the key of one message. A random number is invalid as a key with a probability of 2^-32.
    private func messageKey() throws -> P256.KeyAgreement.PrivateKey {
        for _ in 0..<3 {
            if let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: random.bytes(32)) { return key }
        }
        return try P256.KeyAgreement.PrivateKey(rawRepresentation: random.bytes(32))
    }
}

/// The reason why a message didn't reach its push service.
enum PushDeliveryFailure: Error {
    /// The push service isn't one that may receive messages, or the message can't be encrypted.
    case notCreated
    case notPublic
    case unreachable(String)
}
