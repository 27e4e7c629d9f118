package import Accounts
package import Kernel
package import Logging
package import Storage
import Synchronization

/// What people are told: the feed in the app, and messages to the devices that they turned them on for.
package final class NotificationService: Sendable {
    /// How long it takes until a message that couldn't be handed over is tried again, and whom it may go to.
    let hosts: PushHosts
    let key: PushKey
    /// Whom a push service may write to when our messages make trouble (RFC 8292, 2.1).
    let contact: String
    let road: any PushRoad
    let database: Database
    let clock: any WallClock
    let random: any RandomSource
    let logger: Logger
    /// From when on feeds are to be shortened the next time; `nil` before the first time.
    let lastTrim = Mutex<Instant?>(nil)

    private let tests = Throttle(
        scope: "push-test", limit: Limits.pushTests, windowSeconds: Limits.pushTestSeconds
    )

    /// Makes the service.
    /// - Parameters:
    ///   - key: what messages are signed with.
    ///   - hosts: the push services that messages may go to.
    ///   - siteURL: this site's origin, by which push services know who sends.
    ///   - road: the road to push services.
    package init(
        database: Database, key: PushKey, hosts: PushHosts, siteURL: String, road: any PushRoad, clock: any WallClock,
        random: any RandomSource, logger: Logger
    ) {
        self.database = database
        self.key = key
        self.hosts = hosts
        contact = PushSignature.contact(site: siteURL)
        self.road = road
        self.clock = clock
        self.random = random
        self.logger = logger
    }

    /// What a browser needs to subscribe: our public key, base64url.
    package var publicKey: String { key.publicText }

    /// Takes this module's part in the export and the deletion of an account.
    package var companion: any AccountCompanion { NotificationCompanion() }

    // MARK: The feed

    /// One page of somebody's feed, newest first.
    /// - Parameters:
    ///   - after: what the page before said as `next`.
    ///   - limit: the most entries.
    /// - Throws: `AppError(.invalid)` at `after` for what no page said.
    package func feed(
        of actor: Actor, after: String?, limit: Int
    ) async throws -> (items: [FeedEntry], next: String?) {
        let cursor = try after.map { text in
            guard let cursor = FeedCursor(text) else { throw AppError.invalid(field: "after", .unknownPlace) }
            return cursor
        }
        let entries = try await database.read { tx in
            try NoticeStore.page(of: actor.person, after: cursor, limit: limit + 1, in: tx)
        }
        let items = Array(entries.prefix(limit))
        return (items, entries.count > limit ? items.last.map { FeedCursor($0).text } : nil)
    }

    /// How many entries of the feed somebody hasn't read.
    package func unreadCount(of actor: Actor) async throws -> Int {
        try await database.read { tx in try NoticeStore.unread(of: actor.person, in: tx) }
    }

    /// Marks what somebody has read, and tells their open pages.
    /// - Parameters:
    ///   - id: one notice; `nil` for all.
    ///   - until: of all, only those up to here: what came since was not seen.
    /// - Throws: `AppError.notFound` for one that isn't in their feed.
    package func markRead(_ id: ID<Notice>?, until: Instant? = nil, by actor: Actor) async throws {
        let now = clock.now
        try await database.write { tx in
            if let id, try !NoticeStore.exists(id, of: actor.person, in: tx) { throw AppError.notFound }
            let count = try NoticeStore.markRead(id, until: until, of: actor.person, now: now, in: tx)
            if count > 0 { try FeedEvent.publish(to: actor.person, at: now, in: tx) }
        }
    }

    // MARK: Settings

    /// What somebody wants to be told, and whether this very session's device gets messages.
    package func settings(of actor: Actor) async throws -> (settings: NoticeSettings, isOnHere: Bool) {
        try await database.read { tx in
            (
                try SettingStore.settings(of: actor.person, in: tx),
                try SubscriptionStore.subscription(of: actor.session, in: tx) != nil
            )
        }
    }

    /// Changes what somebody wants to be told.
    /// - Parameter edit: makes the new settings of the old ones.
    package func changeSettings(
        by change: Change, _ edit: @escaping @Sendable (inout NoticeSettings) -> Void
    ) async throws -> NoticeSettings {
        let person = change.actor.person
        let now = clock.now
        return try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: person.description) {
                var settings = try SettingStore.settings(of: person, in: tx)
                edit(&settings)
                try SettingStore.set(settings, of: person, in: tx)
                try FeedEvent.publish(to: person, at: now, in: tx)
            }
            return try SettingStore.settings(of: person, in: tx)
        }
    }

    // MARK: Devices

    /// Has messages sent to this session's device from now on.
    /// - Parameters:
    ///   - description: what its browser says, as typed.
    ///   - language: of the page, for people who chose none.
    /// - Throws: `AppError(.invalid)` at `endpoint`, `keys.p256dh` or `keys.auth`.
    package func subscribe(_ description: PushDescription, language: String, by actor: Actor) async throws {
        let now = clock.now
        let subscription = try description.checked(
            id: ID(at: now, random: random), hosts: hosts, language: language
        )
        try await database.write { tx in
            try SubscriptionStore.put(subscription, of: actor, now: now, in: tx)
            try FeedEvent.publish(to: actor.person, at: now, in: tx)
        }
    }

    /// Sends no messages to this session's device any more.
    /// - Throws: `AppError.notFound` when none were sent.
    package func unsubscribe(by actor: Actor) async throws {
        let now = clock.now
        try await database.write { tx in
            guard try SubscriptionStore.remove(of: actor.session, in: tx) else { throw AppError.notFound }
            try FeedEvent.publish(to: actor.person, at: now, in: tx)
        }
    }

    /// Sends a message to this session's device, so that somebody sees whether they arrive.
    /// - Throws: `AppError(.conflict)` when messages are off here; `.throttled` after ``Limits/pushTests``.
    package func sendTest(by actor: Actor) async throws {
        let now = clock.now
        let id = ID<Notice>(at: now, random: random)
        try await database.write { [tests] tx in
            guard let subscription = try SubscriptionStore.subscription(of: actor.session, in: tx) else {
                throw AppError(.conflict, .offHere)
            }
            try tests.fail(actor.person.description, now: now, in: tx)
            let notice = Notice(
                id: id, person: actor.person, kind: .test, resource: "/account/notifications", subject: "", at: now
            )
            try notice.post(onlyTo: subscription.id, in: tx)
        }
    }
}
