package import Accounts
package import Kernel
import Storage

/// `/carrepsa/packages/{id}/messages/{messageId}/report` and `/carrepsa/message-reports`: a person shows one message
/// of the other person to the administrators.
package struct MessageReportService: Sendable {
    let database: Database
    let clock: any WallClock
    let random: any RandomSource

    private static let throttle = Throttle(
        scope: "message report", limit: Limits.messageReportsAtOnce,
        windowSeconds: Limits.messageReportThrottleSeconds)

    /// Returns the other person's message that the actor may report, and the author's name.
    /// - Throws: `AppError.notFound` for another message.
    package func message(
        _ id: ID<PackageMessage>, about package: ID<Package>, for actor: Actor
    ) async throws -> (message: PackageMessage, authorName: String?) {
        let now = clock.now
        return try await database.read { tx in
            let (message, _) = try Self.reportable(id, about: package, for: actor, now: now, in: tx)
            return (message, try message.author.flatMap { try PeopleStore.name(of: $0, in: tx) })
        }
    }

    /// Reports a message, and blocks its author if the actor wants that. Reporting it again changes nothing.
    /// - Throws: `AppError`: `notFound`; `invalid` at `reason`; `throttled`; `conflict` if the actor can't block more
    ///   people.
    package func report(
        _ id: ID<PackageMessage>, about package: ID<Package>, reason typed: String?, blocks: Bool, by change: Change
    ) async throws {
        let now = clock.now
        let report = ID<MessageReport>(at: now, random: random)
        let person = change.actor.person
        try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                var problems = FieldErrors<CarrepsaMessage>()
                let reason = MessageText.read(typed, "reason", &problems)
                try problems.finish()
                let (message, title) = try Self.reportable(id, about: package, for: change.actor, now: now, in: tx)
                if blocks, let author = message.author {
                    try PeopleStore.lock(author, person, in: tx)
                    try BlockService.block(author, by: person, now: now, in: tx)
                    for other in [author, person] {
                        try tx.publish(CarrepsaEvents.message(in: package, to: other, now: now))
                    }
                }
                guard try !MessageReportStore.exists(id, by: person, in: tx) else { return }
                try Self.throttle.count(person.description, .messagesThrottled, now: now, in: tx)
                try MessageReportStore.insert(report, id, by: person, reason: reason, now: now, in: tx)
                try MessageNotifier().notifyAdministrators(
                    of: report, about: title, except: [person, message.author], now: now, in: tx)
            }
        }
    }

    private static func reportable(
        _ id: ID<PackageMessage>, about package: ID<Package>, for actor: Actor, now: Instant, in tx: Transaction
    ) throws -> (PackageMessage, title: String) {
        guard let stored = try PackageStore.find(package, in: tx) else { throw AppError.notFound }
        let access = try ConversationAccess(stored, for: actor, now: now, in: tx)
        guard let side = access.side, let message = try MessageStore.one(id, in: tx),
            message.conversation == access.conversation?.id, message.message.role != side
        else { throw AppError.notFound }
        return (message.message, stored.title)
    }

    // MARK: Administrators

    /// Returns a page of the open reports, the oldest first.
    /// - Throws: `AppError`: `forbidden` unless the actor is an administrator; `invalid` at `after`.
    package func list(for actor: Actor, after: String?, limit: Int) async throws -> ListPage<MessageReport> {
        let request = try PageRequest<ID<MessageReport>>(after: after, limit: limit)
        let reports = try await database.read { tx in
            try Self.require(actor, in: tx)
            return try MessageReportStore.open(
                for: actor.person, after: request.after, limit: request.rows, in: tx)
        }
        return request.page(reports, \.id)
    }

    /// Closes a report after the administrator has seen to it.
    /// - Throws: `AppError`: `forbidden` unless the actor is an administrator; `notFound`, also for a report about an
    ///   own message or by oneself.
    package func close(_ id: ID<MessageReport>, by change: Change) async throws {
        let now = clock.now
        try await database.write { tx in
            _ = try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                try Self.require(change.actor, in: tx)
                guard try MessageReportStore.close(id, by: change.actor.person, now: now, in: tx) else {
                    throw AppError.notFound
                }
            }
        }
    }

    private static func require(_ actor: Actor, in tx: Transaction) throws {
        guard try AdministratorPolicy.isAdministrator(actor, in: tx) else {
            throw AppError(.forbidden, .operatorsOnly)
        }
    }
}
