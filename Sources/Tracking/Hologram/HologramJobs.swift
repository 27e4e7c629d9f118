import Hologram
import Jobs
import Kernel
import Storage

/// The lanes of the jobs that reach Hologram.
enum HologramJobs {
    /// One job for each command that waits for its delivery. Its name is the command's id.
    static let commands = JobLane(
        name: "tracker-commands", capacity: Limits.hologramCommands, concurrency: Limits.hologramConcurrency,
        leaseSeconds: Limits.hologramLeaseSeconds, backOff: HologramBackOff.retries,
        attemptsMaximum: Limits.hologramAttempts, retainsDeadPayloads: true)

    /// One job for each ``HologramFeed``, which is repeated.
    static let readings = JobLane(
        name: "hologram-readings", capacity: HologramFeed.allCases.count, concurrency: HologramFeed.allCases.count,
        leaseSeconds: Limits.hologramLeaseSeconds, backOff: HologramBackOff.retries, retainsDeadPayloads: true)

    /// Enqueues the delivery of a command. The transaction publishes an event, which wakes the worker.
    static func enqueue(_ command: Command, in tx: Transaction) throws {
        try commands.insert(
            delivery(of: command.id, kind: command.kind, createdAt: command.createdAt, expiresAt: command.expiresAt),
            id: command.id.cast(to: NewJob.self), now: command.createdAt, in: tx)
    }

    /// Returns the job that delivers a command.
    static func delivery(
        of command: ID<Command>, kind: CommandKind, createdAt: Instant, expiresAt: Instant?
    ) -> NewJob {
        NewJob(
            kind: "command", subject: kind.rawValue, name: command.description,
            payload: Array(command.description.utf8),
            expiresAt: expiresAt ?? createdAt.adding(seconds: Limits.hologramCommandSeconds))
    }

    /// Ends the delivery of commands.
    static func remove(_ ids: [ID<Command>], in tx: Transaction) throws {
        try commands.removeJobs(named: ids.map(\.description), in: tx)
    }
}

extension JobFailure {
    /// - Parameter chance: a random number for the delay.
    init(_ failure: HologramFailure, chance: UInt64) {
        let isRateLimit = if case .busy = failure { true } else { false }
        self.init(
            failure.reason, isFinal: failure.isFinal,
            retryAfterMilliseconds: HologramBackOff.milliseconds(after: failure, chance: chance),
            pausesLane: isRateLimit)
    }
}

extension HologramFailure {
    /// Whether another attempt would fail in the same way.
    var isFinal: Bool {
        switch self {
        case .refused, .tooLarge: true
        case .unreachable, .busy, .unavailable, .wrongKey, .unreadable: false
        }
    }

    /// A text for administrators, without the description of a connection's error.
    var reason: String {
        switch self {
        case .unreachable: "Hologram could not be reached"
        case .busy: "Hologram's rate limit was reached"
        case .unavailable(let status): "Hologram is unavailable (status \(status))"
        case .wrongKey: "Hologram rejected the API key"
        case .refused(let status): "Hologram refused the request with status \(status)"
        case .unreadable: "Hologram's response can't be read"
        case .tooLarge: "The message is too large for Hologram"
        }
    }
}
