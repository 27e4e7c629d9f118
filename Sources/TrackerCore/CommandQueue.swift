package import Kernel
package import TrackerProtocol

/// The tracker's command state: waiting commands, finished commands and the results to report to the server.
package struct CommandQueue: Hashable, Sendable {
    /// Results that the server has not confirmed yet, in order.
    package private(set) var acknowledgements: [Acknowledgement] = []
    /// The number of results, from the front, in a message that waits for its response.
    package private(set) var outCount = 0
    /// The last finished commands, oldest first, so that none runs twice.
    package private(set) var finished: [Acknowledgement] = []
    /// Locate commands that wait for a position.
    package private(set) var locating: [TrackerCommand] = []
    /// The time at which the newest applied power command was issued; older power commands are superseded.
    package private(set) var newestPowerIssuedAt: Instant?

    init() {}

    /// Returns `nil` when `outCount` is out of range.
    init?(
        acknowledgements: [Acknowledgement], outCount: Int, finished: [Acknowledgement], locating: [TrackerCommand],
        newestPowerIssuedAt: Instant?
    ) {
        guard (0...acknowledgements.count).contains(outCount) else { return nil }
        self.acknowledgements = acknowledgements
        self.outCount = outCount
        self.finished = finished
        self.locating = locating
        self.newestPowerIssuedAt = newestPowerIssuedAt
    }

    /// Returns the commands of a batch that have to run, in order. Acknowledges all others: duplicates, expired,
    /// superseded and unknown commands.
    mutating func sort(_ commands: [TrackerCommand], now: Instant) -> [TrackerCommand] {
        var wanted: [TrackerCommand] = []
        for command in commands {
            if let known = finished.first(where: { $0.id == command.id }) {
                acknowledge(known)
            } else if (locating + wanted).contains(where: { $0.id == command.id }) {
                continue
            } else if let expiresAt = command.expiresAt, expiresAt <= now {
                finish(command, .expired)
            } else if command.kind == nil {
                finish(command, .failed, reason: "unknown kind")
            } else {
                wanted.append(command)
            }
        }
        return settlePower(wanted)
    }

    private mutating func settlePower(_ wanted: [TrackerCommand]) -> [TrackerCommand] {
        let power = wanted.filter { $0.kind?.isPower == true }
        // Of two power commands of the same millisecond the later in the list is the newer one.
        let newest = power.enumerated().max { ($0.element.issuedAt, $0.offset) < ($1.element.issuedAt, $1.offset) }
        // A release always wins, because the clocks of the server's nodes may differ.
        let deciding = power.first { $0.kind == .releaseOff } ?? newest?.element
        return wanted.filter { command in
            guard command.kind?.isPower == true else { return true }
            let isLate = newestPowerIssuedAt.map { command.issuedAt < $0 } ?? false
            if command.id == deciding?.id, !isLate || command.kind == .releaseOff {
                newestPowerIssuedAt = command.issuedAt
                return true
            }
            finish(command, .superseded)
            return false
        }
    }

    /// Records the result of a command and queues its acknowledgement.
    mutating func finish(_ command: TrackerCommand, _ result: TrackerCommandResult, reason: String? = nil) {
        let acknowledgement = Acknowledgement(id: command.id, result: result, reason: reason)
        finished.append(acknowledgement)
        if finished.count > Limits.trackerRememberedCommands { finished.removeFirst() }
        acknowledge(acknowledgement)
    }

    private mutating func acknowledge(_ acknowledgement: Acknowledgement) {
        guard !acknowledgements.contains(where: { $0.id == acknowledgement.id }) else { return }
        // The server repeats unacknowledged commands, so an acknowledgement that doesn't fit is only delayed.
        guard acknowledgements.count < Limits.trackerRememberedCommands else { return }
        acknowledgements.append(acknowledgement)
    }

    /// Adds a locate command that waits for the next position.
    mutating func wait(_ command: TrackerCommand) { locating.append(command) }

    /// Finishes all commands that wait for a position.
    mutating func finishLocateCommands(_ result: TrackerCommandResult, reason: String? = nil) {
        let settled = locating
        locating = []
        for command in settled { finish(command, result, reason: reason) }
    }

    /// Finishes the expired ones among the waiting commands.
    mutating func expireLocateCommands(now: Instant) {
        let late = locating.filter { command in command.expiresAt.map { $0 <= now } ?? false }
        locating.removeAll { late.contains($0) }
        for command in late { finish(command, .expired) }
    }

    /// The earliest expiry of the waiting commands.
    var nextExpiry: Instant? { locating.compactMap { $0.expiresAt }.min() }

    /// Marks acknowledgements as part of a message.
    mutating func takeOut() { outCount = min(Limits.acknowledgementsPerMessage, acknowledgements.count) }

    /// The acknowledgements in the message that waits for its response.
    var out: ArraySlice<Acknowledgement> { acknowledgements.prefix(outCount) }

    /// Removes the acknowledgements of a delivered message.
    mutating func confirmOut() {
        acknowledgements.removeFirst(outCount)
        outCount = 0
    }

    /// Makes the acknowledgements of a discarded message available for the next one.
    mutating func returnOut() { outCount = 0 }

    mutating func wipe() { self = CommandQueue() }
}
