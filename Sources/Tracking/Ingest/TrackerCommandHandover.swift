import Kernel
import Storage
import TrackerProtocol

/// Hands commands over to trackers, inside a transaction. A tracker gets them with its settings in the response to a
/// message.
struct TrackerCommandHandover: Sendable {
    /// Returns the response to a tracker without an owner: no commands, and the default settings.
    func emptyDownlink(counter: Int64, now: Instant) -> Downlink {
        let settings = TrackerSettings(locateMinutes: ItemSettings.standard.locateMinutes, distanceMetres: nil)
        return Downlink(counter: counter, at: now, binding: nil, settings: settings, commands: [])
    }

    /// Marks the waiting commands of a tracker as sent, and returns the response that contains them.
    func handOver(
        to tracker: StoredTracker, counter: Int64, now: Instant, in tx: Transaction
    ) throws -> Downlink {
        guard tracker.state != .free else { return emptyDownlink(counter: counter, now: now) }
        let waiting = try CommandStore.waiting(for: .tracker(tracker), now: now, in: tx)
        let queued = waiting.filter { $0.state == .queued }
        try CommandStore.markSent(queued.map(\.id), in: tx)
        let item = try tracker.itemID.flatMap { try ItemStore.served($0, in: tx) }
        if let item, !queued.isEmpty {
            try TrackingEvents.publishCommand(of: item.id, owner: item.owner, now: now, in: tx)
        }
        let wanted = item?.settings ?? .standard
        let distanceMetres = try item.flatMap { try nearestPhoneDistanceMetres(of: $0, now: now, in: tx) }
        let settings = TrackerSettings(
            locateMinutes: wanted.locateMinutes, distanceMetres: distanceMetres,
            isLost: distanceMetres.map { Separation.isFarther($0, thanMetres: wanted.lostMetres) } ?? false
        )
        return Downlink(
            counter: counter, at: now, binding: item?.id.cast(to: TrackerBinding.self), settings: settings,
            commands: waiting.map(\.forTracker)
        )
    }

    /// The distance in metres from the item to the nearest of the owner's phones with a recent position.
    private func nearestPhoneDistanceMetres(of item: Item, now: Instant, in tx: Transaction) throws -> Double? {
        guard let place = try FixStore.lastPlace(of: item.id, in: tx) else { return nil }
        let since = now.adding(seconds: -Limits.nearestPhoneSeconds)
        return try PositionStore.positions(of: item.owner, since: since, in: tx)
            .map { $0.coordinate.distanceMetres(to: place) }.min()
    }
}

extension Command {
    /// The command in the tracker's protocol.
    var forTracker: TrackerCommand {
        let kind: TrackerCommandKind =
            switch kind {
            case .activate: .activate
            case .locate: .locate
            case .on: .on
            case .off: .off
            case .ring: .ring
            case .release: .releaseOff
            }
        return TrackerCommand(
            id: id.cast(to: TrackerCommand.self), kind: kind, issuedAt: createdAt, expiresAt: expiresAt
        )
    }
}
