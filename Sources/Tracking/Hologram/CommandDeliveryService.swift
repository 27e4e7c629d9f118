import Accounts
import Hologram
package import Jobs
import Kernel
import Logging
import Storage
import TrackerProtocol

/// Sends commands to trackers through the cloud, as jobs.
package struct CommandDeliveryService: Sendable {
    /// The commands that wait for their delivery.
    package let queue: JobQueue
    /// `nil` without an API key. Commands then wait for the trackers' next contact.
    let client: (any HologramClient)?
    let database: Database
    let secrets: SecretBox
    let clock: any WallClock
    let random: any RandomSource

    /// Whether this process can send commands.
    package var isEnabled: Bool { client != nil }

    package var worker: JobWorker {
        JobWorker(
            queue: queue, database: database, clock: clock, pollSeconds: Limits.hologramPollSeconds,
            perform: { job in try await deliver(job) })
    }

    /// Moves the deliveries that servers of earlier versions queued. For a periodic job: such servers may run during a
    /// rolling update.
    package func moveEarlierDeliveries() async throws {
        while true {
            let now = clock.now
            guard try await database.read({ try EarlierCommandDeliveryStore.isAnyDue(now: now, in: $0) }) else {
                return
            }
            try await database.write { tx in try EarlierCommandDeliveryStore.move(now: now, in: tx) }
            queue.wake()
        }
    }

    private func deliver(_ job: LeasedJob) async throws -> JobCompletion {
        guard let client, let command = ID<Command>(String(decoding: job.payload, as: UTF8.self)) else { return .done }
        let now = clock.now
        let delivery = try await database.read { tx in try CommandDeliveryStore.delivery(command, now: now, in: tx) }
        guard let delivery else { return .done }
        do {
            try await client.send(try message(delivery))
        } catch let failure as HologramFailure {
            if failure == .wrongKey { queue.logger.error("Hologram rejected the API key") }
            if failure.isFinal, delivery.command.kind == .locate {
                // The next poll is refused as well: it must not fill the list of dead jobs.
                queue.logger.warning("Hologram refused a poll", metadata: ["reason": "\(failure.reason)"])
                return .done
            }
            throw JobFailure(failure, chance: random.uint64())
        }
        return completion(of: delivery, attempt: job.attempt, expiresAt: job.expiresAt)
    }

    private func message(_ delivery: CommandDelivery) throws -> HologramMessage {
        guard let keys = TrackerKeys(stored: try secrets.open(delivery.keys)),
            let frame = CompactCommand(delivery.command.forTracker)
        else { throw JobFailure("The command can't be encoded", isFinal: true) }
        return HologramMessage(device: delivery.device, payload: frame.sealed(with: keys))
    }

    /// Marks the command as sent. The cloud's acceptance is no delivery, so switches are sent again until the tracker
    /// confirms.
    private func completion(of delivery: CommandDelivery, attempt: Int, expiresAt: Instant) -> JobCompletion {
        let now = clock.now
        let again = now.adding(seconds: HologramBackOff.repeatSeconds(attempt: attempt))
        let isRepeated =
            delivery.command.kind.isSwitch && attempt < Limits.hologramAttempts && again < expiresAt
        return JobCompletion(nextAt: isRepeated ? again : nil) { tx in
            if delivery.command.state == .queued {
                try CommandStore.markSent([delivery.command.id], in: tx)
                if let item = try delivery.item.flatMap({ try ItemStore.served($0, in: tx) }) {
                    try TrackingEvents.publishCommand(of: item.id, owner: item.owner, now: now, in: tx)
                }
            }
            try HologramJobs.readings.expedite(to: now.adding(seconds: Limits.hologramAnswerSeconds), in: tx)
        }
    }
}
