package import Accounts
package import Kernel
import Storage

/// The unusable messages of devices.
package struct QuarantineService: Sendable {
    let database: Database
    let clock: any WallClock

    /// Returns a page of the unusable messages of the actor's devices, newest first. Administrators also get those from
    /// the cloud.
    /// - Throws: `AppError.invalid` at `after` for an unknown cursor.
    package func list(
        for actor: Actor, after: String?, limit: Int
    ) async throws -> ListPage<QuarantineEntry> {
        let request = try PageRequest<ID<QuarantineEntry>>(after: after, limit: limit)
        return try await database.read { tx in try page(for: actor, request, in: tx) }
    }

    /// Returns a page of the unusable messages with the devices that can have sent them.
    /// - Throws: The errors of ``list(for:after:limit:)``.
    package func listWithDevices(for actor: Actor, after: String?, limit: Int) async throws -> QuarantineListing {
        let request = try PageRequest<ID<QuarantineEntry>>(after: after, limit: limit)
        let now = clock.now
        return try await database.read { tx in
            let entries = try page(for: actor, request, in: tx)
            guard !entries.items.isEmpty else { return QuarantineListing(entries: entries, sources: [], items: []) }
            return QuarantineListing(
                entries: entries,
                sources: try SourceStore.page(of: actor.person, after: nil, limit: Limits.sourcesPerAccount, in: tx),
                items: try OverviewStore.page(
                    of: actor.person, after: nil, limit: Limits.itemsPerList, now: now, in: tx
                ).filter { $0.access == .own })
        }
    }

    private func page(
        for actor: Actor, _ request: PageRequest<ID<QuarantineEntry>>, in tx: Transaction
    ) throws -> ListPage<QuarantineEntry> {
        let own = try QuarantineStore.page(of: actor.person, after: request.after, limit: request.rows, in: tx)
        // "~" sorts after every id.
        let cloud = try HologramFeedStore.quarantine(
            for: actor, before: request.after?.description ?? "~", limit: request.rows, in: tx)
        let entries = Array((own + cloud).sorted { $0.id > $1.id }.prefix(request.rows))
        return request.page(entries, \.id)
    }
}

/// Unusable messages with the devices that can have sent them.
package struct QuarantineListing: Sendable {
    package let entries: ListPage<QuarantineEntry>
    /// The apps by the device names of entries.
    package let sourceKinds: [String: SourceKind]
    /// The names of trackers' items by the device names of entries.
    package let itemNames: [String: String]

    init(entries: ListPage<QuarantineEntry>, sources: [Source], items: [ItemOverviewRow]) {
        self.entries = entries
        sourceKinds = Dictionary(sources.map { ($0.id.description, $0.kind) }) { first, _ in first }
        itemNames = Dictionary(
            items.compactMap { row in row.tracker.map { ($0.id, row.item.name) } }
        ) { _, last in last }
    }
}

extension QuarantineEntry {
    /// The entry for a message that arrives now.
    init(_ reason: QuarantineReason, device: String, now: Instant, random: any RandomSource) {
        self.init(id: ID(at: now, random: random), sourceID: device, receivedAt: now, reason: reason)
    }
}
