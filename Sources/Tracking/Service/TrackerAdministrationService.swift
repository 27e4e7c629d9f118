package import Accounts
package import Kernel
import Storage

/// All trackers and connected apps, and their rejected reports, for administrators. It shows no positions and no names
/// of items.
package struct TrackerAdministrationService: Sendable {
    let database: Database
    let acts: AdministratorActs

    /// Returns a page of the trackers and connected apps, the newest first.
    /// - Throws: `AppError` `forbidden` unless the actor is an administrator; `invalid` for a malformed cursor.
    package func list(
        for actor: Actor, after cursor: String?, limit: Int
    ) async throws -> ListPage<AdministeredTracker> {
        let request = try PageRequest<ID<AdministeredTracker>>(after: cursor, limit: limit)
        return try await database.read { tx in
            try acts.require(actor, in: tx)
            return request.page(
                try TrackerAdministrationStore.page(before: request.after, limit: request.rows, in: tx), \.id)
        }
    }

    /// Returns a tracker with its rejected reports by reason, the most frequent first.
    /// - Throws: `AppError` `forbidden` unless the actor is an administrator; `notFound`.
    package func details(
        of id: ID<AdministeredTracker>, for actor: Actor
    ) async throws -> (tracker: AdministeredTracker, rejections: [TrackerRejections]) {
        try await database.read { tx in
            try acts.require(actor, in: tx)
            guard let tracker = try TrackerAdministrationStore.tracker(id, in: tx) else { throw AppError.notFound }
            return (tracker, try TrackerAdministrationStore.rejections(of: id, in: tx))
        }
    }
}

/// A paired tracker or a connected app, as administrators see it.
package struct AdministeredTracker: Sendable, Equatable {
    /// What reports the positions.
    package enum Kind: String, Sendable, CaseIterable {
        /// One of our trackers.
        case tracker
        case ownTracks = "owntracks"
        case osmAnd = "osmand"
    }

    /// The id of the tracker or of the app's source.
    package let id: ID<AdministeredTracker>
    package let kind: Kind
    package let owner: PersonID
    package let ownerName: String
    package let state: TrackerState
    /// Whole percent; `nil` if the tracker doesn't report it.
    package let batteryPercent: Int?
    /// When the server last got a message of it; `nil` for never.
    package let lastSeenAt: Instant?
    /// The rejected reports of the last ``Limits/quarantineSeconds``, at most ``Limits/quarantinePerSource``.
    package let rejectedCount: Int
}

/// The rejected reports of a tracker for one reason.
package struct TrackerRejections: Sendable, Equatable {
    package let reason: QuarantineReason
    package let count: Int
    package let lastAt: Instant
}
