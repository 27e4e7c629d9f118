import Accounts
import Hologram
package import Kernel
import Logging
import Storage
import TrackerProtocol

extension TrackingService {
    /// Polls the due trackers for their position and sends the commands that wait for the cloud, until nothing is due.
    /// Any number of nodes can do this at the same time.
    /// - Returns: When the next poll or delivery is due; `nil` for none, or without a cloud.
    /// - Throws: Errors of the database.
    package func runDuePolls() async throws -> Instant? {
        guard let client = hologram.client else { return nil }
        while true {
            let now = clock.now
            let due = try await database.read { tx in
                (try TrackerPollStore.nextDue(in: tx), try CommandDeliveryStore.nextDue(in: tx))
            }
            let next = [due.0, due.1].compactMap { $0 }.min()
            // Most checks find nothing, so they must not cost a write.
            guard let next, next <= now else { return next }
            let asked = try await ask(now: now)
            let claimed = try await database.write { tx in
                try CommandDeliveryStore.claim(now: now, limit: Limits.hologramBatch, in: tx)
            }
            // Another node has the due work.
            guard asked > 0 || claimed.due > 0 else { return now.adding(seconds: 1) }
            try await sendAll(claimed.deliveries, by: client)
        }
    }

    /// Gives each due tracker a *locate* command. A tracker that missed several polls gets one.
    private func ask(now: Instant) async throws -> Int {
        try await database.write { [self] tx in
            let due = try TrackerPollStore.due(now: now, limit: Limits.pollBatch, in: tx)
            for id in due {
                guard var tracker = try TrackerStore.lock(id, in: tx) else { continue }
                let item = try tracker.itemID.flatMap { try ItemStore.served($0, in: tx) }
                if let item, tracker.isAsked {
                    let interval = Int64(item.settings.locateMinutes * 60)
                    let regular = (tracker.askAt ?? now).adding(seconds: interval)
                    tracker.askAt = regular > now ? regular : now.adding(seconds: interval)
                    let lapse = now.adding(seconds: Silence.seconds(locateMinutes: item.settings.locateMinutes))
                    let command = Command(
                        id: ID(at: now, random: random), kind: .locate, state: .queued, createdAt: now,
                        expiresAt: lapse, version: 1
                    )
                    try CommandStore.queue(command, to: .tracker(tracker), item: item.id, in: tx)
                    try publishCommandEvent(of: item.id, owner: item.owner, now: now, in: tx)
                } else {
                    tracker.askAt = nil
                }
                try TrackerStore.update(tracker, mark: tracker.mark, contactedAt: nil, in: tx)
            }
            return due.count
        }
    }

    /// Applies a shorter interval now, and not after the next poll of the longer one.
    func reschedulePoll(_ tracker: StoredTracker, locateMinutes: Int, now: Instant, in tx: Transaction) throws {
        var tracker = tracker
        tracker.schedulePoll(locateMinutes: locateMinutes, now: now)
        try TrackerStore.update(tracker, mark: tracker.mark, contactedAt: nil, in: tx)
        if let askAt = tracker.askAt { try HologramFeedStore.moveForward(to: askAt, in: tx) }
    }

    /// Schedules the first reading soon after a tracker has started to locate.
    func expect(_ tracker: StoredTracker, before: StoredTracker, now: Instant, in tx: Transaction) throws {
        guard before.askAt == nil, tracker.askAt != nil else { return }
        try HologramFeedStore.moveForward(to: now.adding(seconds: Limits.hologramAnswerSeconds), in: tx)
    }

    private func sendAll(_ deliveries: [CommandDelivery], by client: any HologramClient) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, delivery) in deliveries.enumerated() {
                if index >= Limits.hologramConcurrency { try await group.next() }
                group.addTask { try await self.send(delivery, by: client) }
            }
            try await group.waitForAll()
        }
    }

    private func send(_ delivery: CommandDelivery, by client: any HologramClient) async throws {
        let failure = try await handOver(delivery, by: client)
        // A node that is shutting down doesn't know the outcome; another node claims the delivery again.
        try Task.checkCancellation()
        let now = clock.now
        guard let failure else { return try await recordAcceptance(delivery, now: now) }
        let wait = HologramBackOff.milliseconds(after: failure, attempt: delivery.attempt, chance: random.uint64())
        let retryAt = wait.map { Instant(millisecondsSince1970: now.millisecondsSince1970 + $0) }
        let log: Logger.Metadata = [
            "command": "\(delivery.command.id)", "device": "\(delivery.device)", "attempt": "\(delivery.attempt)",
            "failure": "\(failure)",
        ]
        if failure == .wrongKey {
            logger.error("Hologram refuses the key", metadata: log)
        } else {
            logger.warning("Hologram did not take a command", metadata: log)
        }
        try await database.write { tx in
            guard let retryAt, delivery.canStillSucceed(at: retryAt) else {
                return try CommandDeliveryStore.finish(delivery, in: tx)
            }
            try CommandDeliveryStore.postpone(delivery, until: retryAt, in: tx)
            if case .busy = failure { try CommandDeliveryStore.postponeAll(until: retryAt, in: tx) }
        }
    }

    /// - Returns: The reason that the cloud did not accept the command; `nil` when it did.
    private func handOver(_ delivery: CommandDelivery, by client: any HologramClient) async throws -> HologramFailure? {
        guard let keys = TrackerKeys(stored: try secrets.open(delivery.keys)),
            let frame = CompactCommand(delivery.command.forTracker)
        else { return .unreadable }
        do throws(HologramFailure) {
            try await client.send(HologramMessage(device: delivery.device, payload: frame.sealed(with: keys)))
            return nil
        } catch {
            return error
        }
    }

    /// Marks the command as sent. The cloud's acceptance is no delivery, so switches are sent again until the tracker
    /// confirms.
    private func recordAcceptance(_ delivery: CommandDelivery, now: Instant) async throws {
        try await database.write { [self] tx in
            if delivery.command.state == .queued {
                try CommandStore.markSent([delivery.command.id], in: tx)
                if let item = try delivery.item.flatMap({ try ItemStore.served($0, in: tx) }) {
                    try publishCommandEvent(of: item.id, owner: item.owner, now: now, in: tx)
                }
            }
            try HologramFeedStore.moveForward(to: now.adding(seconds: Limits.hologramAnswerSeconds), in: tx)
            let again = now.adding(seconds: HologramBackOff.repeatSeconds(attempt: delivery.attempt))
            guard delivery.command.kind.isSwitch, delivery.canStillSucceed(at: again) else {
                return try CommandDeliveryStore.finish(delivery, in: tx)
            }
            try CommandDeliveryStore.postpone(delivery, until: again, in: tx)
        }
    }
}

extension CommandDelivery {
    /// Whether another attempt at that time can still succeed.
    fileprivate func canStillSucceed(at instant: Instant) -> Bool {
        attempt < Limits.hologramAttempts && command.expiresAt.map { instant < $0 } ?? true
    }
}

extension StoredTracker {
    /// Whether the server polls it through the cloud.
    var isAsked: Bool { state == .active && wanted == .on && hologramDevice != nil }

    /// Keeps the time of the next poll or sets the first one; clears it when the tracker isn't polled.
    mutating func schedulePoll(locateMinutes: Int, now: Instant) {
        let latest = now.adding(seconds: Int64(locateMinutes * 60))
        askAt = isAsked ? min(askAt ?? latest, latest) : nil
    }
}
