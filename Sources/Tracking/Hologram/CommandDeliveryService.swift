import Accounts
import Hologram
import Kernel
import Logging
import Storage
import TrackerProtocol

/// Sends commands to trackers through the cloud.
struct CommandDeliveryService: Sendable {
    let client: any HologramClient
    let database: Database
    let secrets: SecretBox
    let clock: any WallClock
    let random: any RandomSource
    let logger: Logger

    /// Sends claimed deliveries, a limited number at once.
    /// - Throws: Errors of the database.
    func send(_ deliveries: [CommandDelivery]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, delivery) in deliveries.enumerated() {
                if index >= Limits.hologramConcurrency { try await group.next() }
                group.addTask { try await send(delivery) }
            }
            try await group.waitForAll()
        }
    }

    private func send(_ delivery: CommandDelivery) async throws {
        let failure = try await post(delivery)
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
    private func post(_ delivery: CommandDelivery) async throws -> HologramFailure? {
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
        try await database.write { tx in
            if delivery.command.state == .queued {
                try CommandStore.markSent([delivery.command.id], in: tx)
                if let item = try delivery.item.flatMap({ try ItemStore.served($0, in: tx) }) {
                    try TrackingEvents.publishCommand(of: item.id, owner: item.owner, now: now, in: tx)
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
