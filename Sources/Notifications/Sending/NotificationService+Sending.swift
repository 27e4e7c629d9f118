import Crypto
package import Kernel
import Logging
import Storage

extension NotificationService {
    /// Sends all due messages.
    /// - Returns: when the next message is due; `nil` if the queue is empty.
    /// - Throws: the database's error.
    package func sendDue() async throws -> Instant? {
        while true {
            let now = clock.now
            let next = try await database.read { tx in try DeliveryStore.nextDue(in: tx) }
            // Most checks find nothing due, so check with a read before a write.
            guard let next, next <= now else { return next }
            let claimed = try await database.write { tx in
                try DeliveryStore.claim(now: now, limit: Limits.pushBatch, in: tx)
            }
            // Another sender leased the due messages, or they had expired.
            guard !claimed.isEmpty else {
                return try await database.read { tx in try DeliveryStore.nextDue(in: tx) }
            }
            try await sendAll(claimed)
        }
    }

    private func sendAll(_ deliveries: [Delivery]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, delivery) in deliveries.enumerated() {
                if index >= Limits.pushConcurrency { try await group.next() }
                group.addTask { try await self.send(delivery) }
            }
            try await group.waitForAll()
        }
    }

    private func send(_ delivery: Delivery) async throws {
        let verdict = try await handOver(delivery)
        // After cancellation the result is unknown; another sender retries once the lease ends.
        try Task.checkCancellation()
        let now = clock.now
        let retryAt: Instant? =
            if case .later(let seconds) = verdict, delivery.attempt < Limits.pushAttempts {
                Instant(
                    millisecondsSince1970: now.millisecondsSince1970
                        + PushBackOff.milliseconds(
                            afterAttempt: delivery.attempt, asked: seconds, chance: random.uint64())
                )
            } else { nil }
        try await database.write { tx in
            if verdict == .gone {
                try SubscriptionStore.remove(delivery.subscription.id, in: tx)
                try FeedEvent.publish(to: delivery.entry.notice.person, at: now, in: tx)
            } else if let retryAt, retryAt < delivery.expiresAt {
                try DeliveryStore.postpone(delivery, until: retryAt, in: tx)
            } else {
                try DeliveryStore.finish(delivery, in: tx)
            }
        }
    }

    private func handOver(_ delivery: Delivery) async throws -> PushOutcome {
        let now = clock.now
        let host = PushHosts.host(of: delivery.subscription.endpoint) ?? ""
        let log: Logger.Metadata = [
            "host": "\(host)", "kind": "\(delivery.entry.notice.kind.rawValue)", "attempt": "\(delivery.attempt)",
        ]
        do {
            // The configured list may be shorter than when the browser subscribed.
            try hosts.check(delivery.subscription.endpoint)
            let request = try request(for: delivery, now: now)
            let reply = try await transport.send(request)
            let verdict = PushOutcome(reply, now: clock.now)
            switch verdict {
            case .handedOver: logger.debug("A push message was handed over", metadata: log)
            case .gone: logger.info("A push subscription is gone", metadata: log)
            case .later, .hopeless:
                logger.warning(
                    "A push service refused a message", metadata: log.merging(["status": "\(reply.status)"]) { $1 }
                )
            }
            return verdict
        } catch let failure as PushTransportFailure {
            logger.warning(
                "A push service could not be reached", metadata: log.merging(["error": "\(failure)"]) { $1 })
            return failure == .notPublic ? .hopeless : .later(seconds: nil)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // A retry can't help: the key is invalid or the host is no longer on the list.
            logger.warning(
                "A push message could not be made", metadata: log.merging(["error": "\(type(of: error))"]) { $1 })
            return .hopeless
        }
    }

    private func request(for delivery: Delivery, now: Instant) throws -> PushRequest {
        let subscription = delivery.subscription
        let origin = PushHosts.parts(subscription.endpoint)?.origin ?? ""
        let body = try PushEncryption.seal(
            try PushMessage(delivery).encoded(), browserKey: subscription.publicKey, secret: subscription.secret,
            ownKey: try messageKey(), salt: random.bytes(PushEncryption.saltBytes)
        )
        let secondsLeft = delivery.expiresAt.seconds(since: now)
        return PushRequest(
            endpoint: subscription.endpoint,
            headers: [
                ("Authorization", try PushSignature.header(origin: origin, contact: contact, now: now, key: key)),
                ("Content-Type", "application/octet-stream"), ("Content-Encoding", "aes128gcm"),
                ("TTL", "\(max(0, Int64(secondsLeft)))"), ("Urgency", delivery.entry.notice.urgency),
                ("Topic", delivery.entry.notice.topic(for: subscription.id)),
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
