package import Kernel
package import TrackerProtocol

/// Which commands wait, which are done, and what the server has yet to hear about them.
package struct CommandDesk: Hashable, Sendable {
    /// Results that the server has not confirmed hearing yet, in order.
    package private(set) var acknowledgements: [Acknowledgement] = []
    /// How many of them, from the front, are part of a message whose answer is awaited.
    package private(set) var outCount = 0
    /// The last finished commands, oldest first, so that none is carried out twice.
    package private(set) var finished: [Acknowledgement] = []
    /// Requests for a position that wait for one.
    package private(set) var locating: [TrackerCommand] = []
    /// When the newest power command that was carried out had been issued; an older one comes too late.
    package private(set) var newestPowerIssuedAt: Instant?

    init() {}

    /// `nil` when the numbers don't fit together.
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

    /// What of a batch has to be carried out, in order. All else (duplicates, too late, overtaken, unknown) is settled
    /// here, and acknowledged.
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
        // Of two of the same millisecond the later in the list is the newer one.
        let newest = power.enumerated().max { ($0.element.issuedAt, $0.offset) < ($1.element.issuedAt, $1.offset) }
        // A release is the last word, whatever the clocks of the server's nodes say.
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

    /// Notes what became of a command, to be told to the server.
    mutating func finish(_ command: TrackerCommand, _ result: TrackerCommandResult, reason: String? = nil) {
        let acknowledgement = Acknowledgement(id: command.id, result: result, reason: reason)
        finished.append(acknowledgement)
        if finished.count > Limits.trackerRememberedCommands { finished.removeFirst() }
        acknowledge(acknowledgement)
    }

    private mutating func acknowledge(_ acknowledgement: Acknowledgement) {
        guard !acknowledgements.contains(where: { $0.id == acknowledgement.id }) else { return }
        // The server repeats what it hasn't heard of, so an acknowledgement that finds no room is only late.
        guard acknowledgements.count < Limits.trackerRememberedCommands else { return }
        acknowledgements.append(acknowledgement)
    }

    /// Lets a request wait for the next position.
    mutating func wait(_ command: TrackerCommand) { locating.append(command) }

    /// Settles all requests that wait for a position.
    mutating func finishLocating(_ result: TrackerCommandResult, reason: String? = nil) {
        let settled = locating
        locating = []
        for command in settled { finish(command, result, reason: reason) }
    }

    /// Settles the waiting requests whose time is over.
    mutating func expireLocating(now: Instant) {
        let late = locating.filter { command in command.expiresAt.map { $0 <= now } ?? false }
        locating.removeAll { late.contains($0) }
        for command in late { finish(command, .expired) }
    }

    /// When the next waiting request expires.
    var nextExpiry: Instant? { locating.compactMap { $0.expiresAt }.min() }

    /// Puts acknowledgements into a message.
    mutating func takeOut() { outCount = min(Limits.acknowledgementsPerMessage, acknowledgements.count) }

    /// What is out.
    var out: ArraySlice<Acknowledgement> { acknowledgements.prefix(outCount) }

    /// The message arrived.
    mutating func confirmOut() {
        acknowledgements.removeFirst(outCount)
        outCount = 0
    }

    /// The message did not arrive and never will in that form.
    mutating func returnOut() { outCount = 0 }

    /// Forgets everything.
    mutating func wipe() { self = CommandDesk() }
}
