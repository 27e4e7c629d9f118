import Accounts
import Kernel
import Logging
import Storage
import TrackerProtocol

/// The HTTP response to a tracker.
package struct TrackerResponse: Sendable, Equatable {
    package let status: Int
    /// The JSON, to be sent byte for byte because it is signed; empty with 401.
    package let body: [UInt8]
    /// The header `TrackerHTTP.signatureHeader`; `nil` for an unsigned response.
    package let signature: String?
}

extension TrackingService {
    /// Processes a tracker's signed message and responds with the commands that wait for it.
    /// - Parameters:
    ///   - id: The id in the path.
    ///   - body: The body as received, at most `Limits.ingestBytes`.
    ///   - signature: The header `TrackerHTTP.signatureHeader`.
    /// - Throws: `AppError`: `notFound` for an unknown or deleted tracker, which then registers again; `throttled` for
    ///   a tracker that sends too fast or whose owner's history is full.
    package func trackerMessages(_ id: String, body: [UInt8], signature: String?) async throws -> TrackerResponse {
        guard let id = TrackerID(id) else { throw AppError.notFound }
        let now = clock.now
        try ingestRate.check(.tracker(id), now: now)
        return try await notifyingOfFullHistories {
            try await database.write { [self] tx in
                guard var tracker = try TrackerStore.lock(id, in: tx),
                    let keys = TrackerKeys(stored: try secrets.open(tracker.keys))
                else { throw AppError.notFound }
                let channel = ServerChannel(tracker: id, keys: keys)
                let receipt: UplinkReceipt
                do throws(UplinkRefusal) {
                    receipt = try channel.receive(body, signature: signature, last: tracker.mark)
                } catch {
                    return refusal(error, channel, now: now)
                }
                return reply(try answer(receipt, from: &tracker, channel, now: now, in: tx))
            }
        }
    }

    private func reply(_ sealed: SealedMessage) -> TrackerResponse {
        TrackerResponse(status: 200, body: sealed.body, signature: sealed.signature)
    }

    private func refusal(_ refusal: UplinkRefusal, _ channel: ServerChannel, now: Instant) -> TrackerResponse {
        let sealed = channel.seal(refusing: refusal, at: now)
        return TrackerResponse(status: refusal.status, body: sealed?.body ?? [], signature: sealed?.signature)
    }

    private func answer(
        _ receipt: UplinkReceipt, from tracker: inout StoredTracker, _ channel: ServerChannel, now: Instant,
        in tx: Transaction
    ) throws -> SealedMessage {
        let counter: Int64
        let owner = try ItemStore.owner(servedBy: tracker, in: tx)
        switch receipt {
        case .repeated(let uplink):
            // An attacker can replay messages, so they don't use up the account's bucket.
            try ingestRate.charge(.repeated(tracker.id), of: nil, now: now)
            counter = uplink.counter
        case .fresh(let uplink, let mark):
            try ingestRate.charge(.tracker(tracker.id), of: owner, positions: uplink.fixes.count, now: now)
            counter = uplink.counter
            if try isReleased(tracker, by: uplink.acknowledgements, in: tx) {
                return channel.seal(farewell(counter: counter, now: now))
            }
            try take(uplink, mark: mark, from: &tracker, now: now, in: tx)
        }
        return channel.seal(try downlink(to: tracker, counter: counter, now: now, in: tx))
    }

    /// Deletes a tracker that confirms its release; it registers again with a new key and code.
    func isReleased(
        _ tracker: StoredTracker, by acknowledgements: [Acknowledgement], in tx: Transaction
    ) throws -> Bool {
        guard tracker.state == .releasing else { return false }
        for acknowledgement in acknowledgements where acknowledgement.result == .applied {
            let id = acknowledgement.id.cast(to: Command.self)
            guard try CommandStore.finish(id, of: .tracker(tracker), as: .applied, in: tx) != nil else { continue }
            try TrackerStore.delete(tracker.id, in: tx)
            logger.info("a tracker confirmed its release", metadata: ["tracker": "\(tracker.id)"])
            return true
        }
        return false
    }

    private func farewell(counter: Int64, now: Instant) -> Downlink {
        let settings = TrackerSettings(locateMinutes: ItemSettings.standard.locateMinutes, distanceMetres: nil)
        return Downlink(counter: counter, at: now, binding: nil, settings: settings, commands: [])
    }

    private func downlink(
        to tracker: StoredTracker, counter: Int64, now: Instant, in tx: Transaction
    ) throws -> Downlink {
        guard tracker.state != .free else { return farewell(counter: counter, now: now) }
        let waiting = try CommandStore.waiting(for: .tracker(tracker), now: now, in: tx)
        let queued = waiting.filter { $0.state == .queued }
        try CommandStore.markSent(queued.map(\.id), in: tx)
        let item = try tracker.itemID.flatMap { try ItemStore.served($0, in: tx) }
        if let item, !queued.isEmpty { try publishCommandEvent(of: item.id, owner: item.owner, now: now, in: tx) }
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
