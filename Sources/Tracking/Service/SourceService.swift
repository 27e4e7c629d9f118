package import Accounts
package import Kernel
import Storage

/// Position sources and their secrets.
package struct SourceService: Sendable {
    let database: Database
    let binder: TrackerBinder
    let remover: SourceRemover
    let credentials: CredentialCache
    let secrets: SecretBox
    let clock: any WallClock
    let random: any RandomSource

    /// Returns a page of the actor's sources, in the order of their creation.
    /// - Throws: `AppError.invalid` at `after` for an unknown cursor.
    package func list(for actor: Actor, after: String?, limit: Int) async throws -> ListPage<Source> {
        let request = try PageRequest<ID<Source>>(after: after, limit: limit)
        let sources = try await database.read { tx in
            try SourceStore.page(of: actor.person, after: request.after, limit: request.rows, in: tx)
        }
        return request.page(sources, \.id)
    }

    /// Returns a page of the actor's sources, and the names of the actor's items if at least one source of the page is
    /// an item's tracker.
    /// - Throws: `AppError.invalid` at `after` for an unknown cursor.
    package func listWithItemNames(
        for actor: Actor, after: String?, limit: Int
    ) async throws -> (sources: ListPage<Source>, itemNames: [ID<Item>: String]) {
        let request = try PageRequest<ID<Source>>(after: after, limit: limit)
        let now = clock.now
        return try await database.read { tx in
            let sources = try SourceStore.page(of: actor.person, after: request.after, limit: request.rows, in: tx)
            let page = request.page(sources, \.id)
            guard page.items.contains(where: { $0.itemID != nil }) else { return (page, [:]) }
            let items = try OverviewStore.page(
                of: actor.person, after: nil, limit: Limits.itemsPerList, now: now, in: tx)
            return (page, Dictionary(items.map { ($0.item.id, $0.item.name) }) { first, _ in first })
        }
    }

    /// Returns one source.
    /// - Throws: `AppError.notFound`.
    package func source(_ id: ID<Source>, for actor: Actor) async throws -> Source {
        let source = try await database.read { tx in try SourceStore.source(id, of: actor.person, in: tx) }
        guard let source else { throw AppError.notFound }
        return source
    }

    /// Returns one source, and the name of the item that it tracks; `nil` for one of the owner's phones.
    /// - Throws: `AppError.notFound`.
    package func sourceWithItemName(
        _ id: ID<Source>, for actor: Actor
    ) async throws -> (source: Source, itemName: String?) {
        try await database.read { tx in
            guard let source = try SourceStore.source(id, of: actor.person, in: tx) else { throw AppError.notFound }
            let item = try source.itemID.flatMap { try ItemStore.item($0, of: actor.person, in: tx) }
            return (source, item?.name)
        }
    }

    /// Adds a source and creates its secrets. A repeated request creates no second source. The server stores only a
    /// hash of the secret, so the repeated request's response doesn't contain it.
    /// - Throws: `AppError`: `notFound` for another account's item; `conflict` when the item has a tracker or the
    ///   account already has `Limits.sourcesPerAccount` sources.
    package func create(_ input: SourceInput, by change: Change) async throws -> SecretsResult {
        let now = clock.now
        let owner = change.actor.person
        let isOwnTracks = input.kind == .owntracks
        let user = isOwnTracks ? SourceSecret.make(byteCount: SourceSecret.userBytes, random: random) : nil
        let id = ID<Source>(at: now, random: random)
        let source = Source(
            id: id, kind: input.kind, itemID: input.itemID, user: user,
            speedUnit: isOwnTracks ? nil : input.speedUnit ?? .knots, lastSeenAt: nil, version: 1, createdAt: now
        )
        let created = try SourceSecrets(for: input.kind, random: random, box: secrets)
        let once = try await database.write { tx in
            try tx.once(change.idempotency, status: 201, now: now, resource: source.id.description) {
                guard try SourceStore.count(of: owner, in: tx) < Limits.sourcesPerAccount else {
                    throw AppError(.conflict, .tooManySources)
                }
                if let id = source.itemID {
                    let item = try ItemStore.lock(id, of: owner, requires: .own, in: tx)
                    try binder.requireUnpaired(id, in: tx)
                    _ = try FixStore.series(
                        item: id, device: source.id.description, source: isOwnTracks ? .owntracks : .osmand, in: tx
                    )
                    try ItemVersion.advance(item, now: now, in: tx)
                }
                try SourceStore.insert(
                    source, owner: owner, secretHash: created.secretHash, passphrase: created.sealedPassphrase, in: tx
                )
                try tx.publish(TrackingEvents.source(source.id, of: owner, version: source.version, now: now))
            }
        }
        return try await result(of: once, created, of: source, for: change.actor)
    }

    /// Replaces a source's secrets; the old ones are invalid at once. OwnTracks keeps its user name. A repeated request
    /// creates no new secrets.
    /// - Parameter ifVersion: The version on which the change is based; `nil` skips the check.
    /// - Throws: `AppError`: `notFound`; `conflict` when the source's version isn't `ifVersion`.
    package func renewSecret(of id: ID<Source>, ifVersion: Int64?, by change: Change) async throws -> SecretsResult {
        let now = clock.now
        let owner = change.actor.person
        let before = try await source(id, for: change.actor)
        let created = try SourceSecrets(for: before.kind, random: random, box: secrets)
        let once = try await database.write { tx in
            try tx.once(change.idempotency, status: 200, now: now, resource: id.description) {
                guard let present = try SourceStore.source(id, of: owner, in: tx) else { throw AppError.notFound }
                let version = try SourceStore.renew(
                    id, secretHash: created.secretHash, passphrase: created.sealedPassphrase,
                    ifVersion: ifVersion ?? present.version, in: tx
                )
                guard let version else { throw AppError(.conflict, .movedOn) }
                try tx.publish(TrackingEvents.source(id, of: owner, version: version, now: now))
                tx.afterCommit { [credentials] in credentials.drop(id) }
            }
        }
        return try await result(of: once, created, of: try await source(id, for: change.actor), for: change.actor)
    }

    private func result(
        of once: Once, _ created: SourceSecrets, of source: Source, for actor: Actor
    ) async throws -> SecretsResult {
        switch once {
        case .made: return .new(NewSource(source, created))
        case .replayed(let id):
            guard let id = ID<Source>(id) else { throw AppError.notFound }
            return .shownBefore(try await self.source(id, for: actor))
        }
    }

    /// Deletes a source; its messages are rejected from then on. The history that it sent remains.
    /// - Throws: `AppError`: `notFound`; `conflict` when the version in the request is stale.
    package func delete(_ id: ID<Source>, by change: Change) async throws {
        let now = clock.now
        let owner = change.actor.person
        _ = try await database.write { tx in
            try tx.once(change.idempotency, status: 204, now: now, resource: id.description) {
                guard let source = try SourceStore.source(id, of: owner, in: tx) else { throw AppError.notFound }
                if change.isStale(at: source.version) { throw AppError(.conflict, .movedOn) }
                if let itemID = source.itemID {
                    let item = try ItemStore.lock(itemID, of: owner, requires: .own, in: tx)
                    try ItemVersion.advance(item, now: now, in: tx)
                }
                try remover.remove(source, in: tx)
                try tx.publish(TrackingEvents.source(id, of: owner, version: source.version + 1, now: now))
            }
        }
    }
}
