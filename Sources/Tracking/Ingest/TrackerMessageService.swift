import Accounts
import Kernel
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

/// `/trackers/{id}/messages`: the signed messages of trackers.
package struct TrackerMessageService: Sendable {
    let database: Database
    let secrets: SecretBox
    let uplinks: UplinkService
    let acknowledgements: AcknowledgementRecorder
    let handover: TrackerCommandHandover
    let history: HistoryLimiter
    let ingestRate: IngestRate
    let clock: any WallClock

    /// Processes a tracker's signed message and responds with the commands that wait for it.
    /// - Parameters:
    ///   - id: The id in the path.
    ///   - body: The body as received, at most `Limits.ingestBytes`.
    ///   - signature: The header `TrackerHTTP.signatureHeader`.
    /// - Throws: `AppError`: `notFound` for an unknown or deleted tracker, which then registers again; `throttled` for
    ///   a tracker that sends too fast or whose owner's history is full.
    package func receive(_ id: String, body: [UInt8], signature: String?) async throws -> TrackerResponse {
        guard let id = TrackerID(id) else { throw AppError.notFound }
        let now = clock.now
        try ingestRate.check(.tracker(id), now: now)
        return try await history.notifyingOwner {
            try await database.write { tx in
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
                return response(try process(receipt, from: &tracker, channel, now: now, in: tx))
            }
        }
    }

    private func response(_ sealed: SealedMessage) -> TrackerResponse {
        TrackerResponse(status: 200, body: sealed.body, signature: sealed.signature)
    }

    private func refusal(_ refusal: UplinkRefusal, _ channel: ServerChannel, now: Instant) -> TrackerResponse {
        let sealed = channel.seal(refusing: refusal, at: now)
        return TrackerResponse(status: refusal.status, body: sealed?.body ?? [], signature: sealed?.signature)
    }

    private func process(
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
            if try acknowledgements.confirmRelease(of: tracker, by: uplink.acknowledgements, in: tx) {
                return channel.seal(handover.emptyDownlink(counter: counter, now: now))
            }
            try uplinks.process(uplink, mark: mark, from: &tracker, now: now, in: tx)
        }
        return channel.seal(try handover.handOver(to: tracker, counter: counter, now: now, in: tx))
    }
}
