package import Accounts
import Jobs
package import Kernel
package import Logging
package import Storage
import Synchronization

/// Notifications: the feed in the app and push messages to subscribed devices.
package final class NotificationService: Sendable {
    /// The push services that may receive messages.
    let hosts: PushHosts
    let key: PushKey
    package let sender: PushSender
    let database: Database
    let clock: any WallClock
    let random: any RandomSource
    let logger: Logger
    /// The time from which the next trim covers feeds; `nil` before the first.
    let lastTrim = Mutex<Instant?>(nil)

    private let tests = Throttle(
        scope: "push-test", limit: Limits.pushTestMessages, windowSeconds: Limits.pushTestSeconds
    )

    /// Creates the service.
    /// - Parameters:
    ///   - key: the key that signs messages.
    ///   - hosts: the push services that may receive messages.
    ///   - siteURL: this site's origin, which identifies the sender to push services.
    ///   - transport: sends messages to push services.
    package init(
        database: Database, key: PushKey, hosts: PushHosts, siteURL: String, transport: any PushTransport,
        clock: any WallClock,
        random: any RandomSource, logger: Logger
    ) {
        self.database = database
        self.key = key
        self.hosts = hosts
        sender = PushSender(
            queue: JobQueue(lane: PushJobs.lane, random: random, logger: logger), database: database, hosts: hosts,
            key: key, contact: PushSignature.contact(site: siteURL), transport: transport, clock: clock, random: random,
            logger: logger)
        self.clock = clock
        self.random = random
        self.logger = logger
    }

    /// The public key that browsers need to subscribe, in base64url.
    package var publicKey: String { key.publicText }

    /// Returns the administration of push messages.
    package func administration(_ acts: AdministratorActs) -> PushAdministrationService {
        PushAdministrationService(database: database, sender: sender, acts: acts, clock: clock, random: random)
    }

    package var dataHandler: any AccountDataHandler { NotificationDataHandler() }

    // MARK: The feed

    /// Returns a page of the actor's feed, newest first.
    /// - Parameters:
    ///   - after: the `next` of the previous page.
    ///   - limit: the maximum count.
    /// - Throws: `AppError(.invalid)` at `after` if the text isn't a cursor.
    package func feed(
        of actor: Actor, after: String?, limit: Int
    ) async throws -> (items: [FeedEntry], next: String?) {
        let cursor = try FeedCursor.parsed(after)
        return try await database.read { tx in
            try NotificationStore.feed(of: actor.person, after: cursor, limit: limit, in: tx)
        }
    }

    /// Returns a page of the actor's feed with everything else that the list shows.
    /// - Parameter hasOffer: decides whether an app shows an offer above the list, in the same transaction.
    /// - Throws: The errors of ``feed(of:after:limit:)``.
    package func listing(
        of actor: Actor, after: String?, limit: Int, hasOffer: @escaping @Sendable (Transaction) throws -> Bool
    ) async throws -> FeedListing {
        let cursor = try FeedCursor.parsed(after)
        return try await database.read { tx in
            let (items, next) = try NotificationStore.feed(of: actor.person, after: cursor, limit: limit, in: tx)
            return FeedListing(
                items: items, next: next, unreadCount: try NotificationStore.unread(of: actor.person, in: tx),
                hasOffer: try hasOffer(tx))
        }
    }

    /// Returns the number of unread notifications.
    package func unreadCount(of actor: Actor) async throws -> Int {
        try await database.read { tx in try NotificationStore.unread(of: actor.person, in: tx) }
    }

    /// Marks notifications as read and publishes an event for open pages.
    /// - Parameters:
    ///   - id: one notification; `nil` for all.
    ///   - until: limits all to those that the actor has seen: up to this time.
    /// - Throws: `AppError.notFound` if the notification isn't in the actor's feed.
    package func markRead(_ id: ID<Notice>?, until: Instant? = nil, by actor: Actor) async throws {
        let now = clock.now
        try await database.write { tx in
            if let id, try !NotificationStore.exists(id, of: actor.person, in: tx) { throw AppError.notFound }
            let count = try NotificationStore.markRead(id, until: until, of: actor.person, now: now, in: tx)
            if count > 0 { try FeedEvent.publish(to: actor.person, at: now, in: tx) }
        }
    }

    // MARK: Settings

    /// Returns the actor's notification preferences, and whether this session's device gets push messages.
    package func settings(of actor: Actor) async throws -> (settings: NotificationPreferences, isOnHere: Bool) {
        try await database.read { tx in
            (
                try NotificationPreferenceStore.settings(of: actor.person, in: tx),
                try SubscriptionStore.subscription(of: actor.session, in: tx) != nil
            )
        }
    }

    /// Returns the actor's notification preferences and the apps in which the actor has data.
    package func settingsWithUsedApps(
        of actor: Actor, _ usedApps: UsedAppsReader
    ) async throws -> (settings: NotificationPreferences, usedApps: Set<AppName>) {
        try await database.read { tx in
            (
                try NotificationPreferenceStore.settings(of: actor.person, in: tx),
                try usedApps.usedApps(of: actor.person, in: tx)
            )
        }
    }

    /// Changes the actor's notification preferences.
    /// - Parameter edit: modifies the current preferences.
    package func changeSettings(
        by change: Change, _ edit: @escaping @Sendable (inout NotificationPreferences) -> Void
    ) async throws -> NotificationPreferences {
        let person = change.actor.person
        let now = clock.now
        return try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 200, now: now, resource: person.description) {
                var settings = try NotificationPreferenceStore.settings(of: person, in: tx)
                edit(&settings)
                try NotificationPreferenceStore.set(settings, of: person, in: tx)
                try FeedEvent.publish(to: person, at: now, in: tx)
            }
            return try NotificationPreferenceStore.settings(of: person, in: tx)
        }
    }

    // MARK: Devices

    /// Subscribes this session's device to push messages.
    /// - Parameters:
    ///   - description: the browser's subscription, not validated yet.
    ///   - language: the language of the page, for accounts without a language setting.
    /// - Throws: `AppError(.invalid)` at `endpoint`, `keys.p256dh` or `keys.auth`.
    package func subscribe(_ description: PushDescription, language: String, by actor: Actor) async throws {
        let now = clock.now
        let subscription = try description.checked(
            id: ID(at: now, random: random), hosts: hosts, language: language
        )
        try await database.write { tx in
            try SubscriptionStore.replace(subscription, of: actor, now: now, in: tx)
            try FeedEvent.publish(to: actor.person, at: now, in: tx)
        }
    }

    /// Unsubscribes this session's device from push messages.
    /// - Throws: `AppError.notFound` if it isn't subscribed.
    package func unsubscribe(by actor: Actor) async throws {
        let now = clock.now
        try await database.write { tx in
            guard try SubscriptionStore.remove(of: actor.session, in: tx) else { throw AppError.notFound }
            try FeedEvent.publish(to: actor.person, at: now, in: tx)
        }
    }

    /// Sends a test message to this session's device.
    /// - Throws: `AppError(.conflict)` if the device isn't subscribed; `.throttled` after ``Limits/pushTestMessages``.
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
