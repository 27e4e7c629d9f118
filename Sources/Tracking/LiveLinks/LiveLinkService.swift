package import Accounts
package import Kernel
import Storage

/// `/tracking/live-links`: the links with which a person shares a position.
package struct LiveLinkService: Sendable {
    let database: Database
    let secrets: SecretBox
    let clock: any WallClock
    let random: any RandomSource

    /// Returns a page of the actor's links, newest first.
    /// - Throws: `AppError.invalid` at `after` for an unknown cursor.
    package func list(for actor: Actor, after: String?, limit: Int) async throws -> ListPage<LiveLinkEntry> {
        let request = try PageRequest<ID<LiveLink>>(after: after, limit: limit)
        let now = clock.now
        let entries = try await database.read { tx in
            try LiveLinkStore.page(of: actor.person, before: request.after, limit: request.rows, in: tx)
                .map { try Self.entry($0, now: now, in: tx) }
        }
        return request.page(entries, \.link.id)
    }

    /// Returns one link with the secret in its address.
    /// - Throws: `AppError.notFound`.
    package func link(_ id: ID<LiveLink>, for actor: Actor) async throws -> (entry: LiveLinkEntry, secret: String) {
        let now = clock.now
        let (entry, sealed) = try await database.read { tx in
            guard let link = try LiveLinkStore.one(id, of: actor.person, in: tx),
                let sealed = try LiveLinkStore.sealedSecret(of: id, in: tx)
            else { throw AppError.notFound }
            return (try Self.entry(link, now: now, in: tx), sealed)
        }
        return (entry, String(decoding: try secrets.open(sealed), as: UTF8.self))
    }

    /// Creates a link.
    /// - Throws: `AppError`: `notFound` for another account's item; `forbidden` without the access to manage it;
    ///   `conflict` when the account already has
    ///   `Limits.liveLinksPerAccount` open links.
    package func create(
        _ input: LiveLinkInput, by change: Change
    ) async throws -> (entry: LiveLinkEntry, secret: String) {
        let now = clock.now
        let owner = change.actor.person
        let secret = Token.make(byteCount: Limits.publicSecretBytes, random: random)
        let sealed = try secrets.seal(Array(secret.utf8))
        let link = LiveLink(
            id: ID(at: now, random: random), owner: owner, item: input.item, showsName: input.showsName,
            untilMet: input.duration == .untilMet, createdAt: now,
            expiresAt: now.adding(seconds: input.duration.seconds), endedAt: nil, ending: nil, version: 1
        )
        let once = try await database.write { tx in
            try tx.once(change.idempotency, status: 201, now: now, resource: link.id.description) {
                // The deletion of an item locks the item first, and then accounts.
                let item = try input.item.map { try ItemStore.lock($0, of: owner, requires: .manage, in: tx) }
                // The lock also keeps two concurrent links within the limit.
                try change.actor.lockOpenSession(in: tx)
                guard try LiveLinkStore.openCount(of: owner, now: now, in: tx) < Limits.liveLinksPerAccount else {
                    throw AppError(.conflict, .tooManyLinks)
                }
                try LiveLinkStore.insert(link, hash: Token.hash(secret), sealed: sealed, in: tx)
                try TrackingEvents.publish(link, now: now, in: tx)
                if let item, item.owner != owner {
                    try ItemSharingNotifier().notify(item.owner, .linked, of: item, who: owner, now: now, in: tx)
                }
            }
        }
        guard let id = ID<LiveLink>(once.resource) else { throw AppError.notFound }
        return try await self.link(id, for: change.actor)
    }

    /// Revokes a link; its open pages end within a second. The owner of an item revokes the links of other people to
    /// it, too, and they are notified.
    /// - Throws: `AppError.notFound`, also for a link that has ended.
    package func revoke(_ id: ID<LiveLink>, by change: Change) async throws {
        let now = clock.now
        _ = try await database.write { tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                let link = try LiveLinkStore.lock(id, in: tx)
                let actor = change.actor.person
                let item = try link.item.flatMap { try ItemStore.item($0, of: actor, in: tx) }
                guard link.owner == actor || item?.owner == actor else { throw AppError.notFound }
                guard link.state(now: now) == .open else { throw AppError.notFound }
                try LiveLinkStore.end(id, as: .revoked, now: now, in: tx)
                try TrackingEvents.publish(link, now: now, in: tx)
                if link.owner != actor, let item {
                    try ItemSharingNotifier().notify(link.owner, .unlinked, of: item, who: actor, now: now, in: tx)
                }
            }
        }
    }

    private static func entry(_ link: LiveLink, now: Instant, in tx: Transaction) throws -> LiveLinkEntry {
        LiveLinkEntry(
            link: link, state: link.state(now: now),
            itemName: try link.item.flatMap { try ItemStore.item($0, of: link.owner, in: tx)?.name },
            viewerCount: link.state(now: now) == .open
                ? try LiveLinkStore.viewerCount(of: link.id, now: now, in: tx) : 0)
    }
}
