package import Accounts
package import Kernel
import Storage

/// Push messages, for administrators: the key that signs them, and a test of one of the administrator's own devices.
package struct PushAdministrationService: Sendable {
    let database: Database
    let sender: PushSender
    let acts: AdministratorActs
    let clock: any WallClock
    let random: any RandomSource
    private static let throttle = Throttle(
        scope: "admin-push-test", limit: Limits.pushTestMessages, windowSeconds: Limits.pushTestSeconds)

    /// What administrators see.
    package struct Details: Sendable, Equatable {
        /// The public key of the messages' signatures, in base64url.
        package let publicKey: String
        /// The administrator's subscribed devices, the newest first.
        package let devices: [SubscribedDevice]
    }

    /// - Throws: `AppError` `forbidden` unless the actor is an administrator.
    package func details(for actor: Actor) async throws -> Details {
        try await database.read { tx in
            try acts.require(actor, in: tx)
            return Details(
                publicKey: sender.key.publicText, devices: try SubscriptionStore.devices(of: actor.person, in: tx))
        }
    }

    /// Sends a test message to one of the actor's devices at once, as other push messages are sent. A subscription that
    /// the push service no longer knows is deleted.
    /// - Throws: `AppError` `forbidden` unless the actor is an administrator; `notFound` if the device isn't one of the
    ///   actor's; `throttled` after ``Limits/pushTestMessages``.
    package func sendTest(to device: ID<PushSubscription>, by actor: Actor) async throws -> PushTestResult {
        let now = clock.now
        let notice = Notice(
            id: ID(at: now, random: random), person: actor.person, kind: .test, resource: "/account/notifications",
            subject: "", at: now)
        let message = try await database.write { tx in
            try acts.record(.sendTestPush, by: actor, now: now, in: tx)
            guard try SubscriptionStore.owner(of: device, in: tx) == actor.person else { throw AppError.notFound }
            try Self.throttle.fail(actor.person.description, now: now, in: tx)
            try NotificationStore.insert(notice, in: tx) { [unowned tx] _ in
                try FeedEvent.publish(to: actor.person, at: now, in: tx)
            }
            return try PushMessageReader.message(notice.id, device, expiresAt: notice.pushExpiresAt, in: tx)
        }
        guard let message else { throw AppError.notFound }
        return try await result(of: message)
    }

    private func result(of message: OutgoingPushMessage) async throws -> PushTestResult {
        let reply: PushReply
        do throws(PushDeliveryFailure) {
            reply = try await sender.deliver(message)
        } catch {
            switch error {
            case .notCreated: return .hostNotAllowed
            case .notPublic: return .notPublic
            case .unreachable(let reason): return .unreachable(reason)
            }
        }
        switch PushOutcome(reply, now: clock.now) {
        case .handedOver: return .accepted
        case .gone:
            try await database.write { tx in try sender.removeSubscription(of: message, in: tx) }
            return .expired
        case .later: return .busy(status: reply.status)
        case .hopeless: return .refused(status: reply.status)
        }
    }
}

/// A device that gets push messages.
package struct SubscribedDevice: Sendable, Equatable {
    package let id: ID<PushSubscription>
    /// The name of its session.
    package let name: String
    /// The host of its push service.
    package let service: String
    package let subscribedAt: Instant
    package let session: ID<Session>
}

/// What the push service responded to a test.
package enum PushTestResult: Sendable, Equatable {
    case accepted
    /// The push service no longer knows the subscription, which was deleted.
    case expired
    /// The push service rejects the message for good.
    case refused(status: Int)
    /// The push service asks to try later.
    case busy(status: Int)
    case unreachable(String)
    /// The host's name leads to an address that isn't public.
    case notPublic
    /// The push service is no longer one that may receive messages.
    case hostNotAllowed
}
