package import Kernel

/// What the server tells a tracker of how to work.
package struct TrackerSettings: Hashable, Sendable {
    /// Minutes between two positions, 1 to 1440.
    package let locateMinutes: Int
    /// How far the nearest of the owner's phones is, in metres; `nil` when no phone's place is known. The tracker
    /// applies the 30 m rule to it and says which mode came of it.
    package let distanceMetres: Double?
    /// The thing is farther from the owner's phone than the owner wants: the tracker takes positions more often.
    package let isLost: Bool

    /// The range of ``locateMinutes``.
    package static let locateMinutesRange = 1...1440

    /// Makes settings; minutes out of range become the nearest bound, a distance that is no distance unknown.
    package init(locateMinutes: Int, distanceMetres: Double?, isLost: Bool = false) {
        let range = Self.locateMinutesRange
        self.locateMinutes = min(max(locateMinutes, range.lowerBound), range.upperBound)
        let isDistance = distanceMetres.map { $0.isFinite && $0 >= 0 } ?? false
        self.distanceMetres = isDistance ? distanceMetres : nil
        self.isLost = isLost
    }
}

/// The server's answer to a message that it took.
package struct Downlink: Hashable, Sendable {
    /// The counter of the message that this answers; ties the answer to it.
    package let counter: Int64
    /// The server's clock.
    package let at: Instant
    /// Whom the tracker serves; `nil` while nobody has claimed it.
    package let binding: TrackerBindingID?
    /// How to work.
    package let settings: TrackerSettings
    /// Commands that wait, oldest first, at most ``Limits/commandsPerMessage``; repeated in every answer until they
    /// are acknowledged.
    package let commands: [TrackerCommand]

    /// Makes an answer.
    package init(
        counter: Int64, at: Instant, binding: TrackerBindingID?, settings: TrackerSettings,
        commands: [TrackerCommand] = []
    ) {
        self.counter = counter
        self.at = at
        self.binding = binding
        self.settings = settings
        self.commands = commands
    }
}

/// An authentic answer as the tracker reads it.
package enum DownlinkAnswer: Hashable, Sendable {
    /// The message was taken, now or earlier.
    case accepted(Downlink)
    /// The message was authentic, but its counter is used up; the server last saw `last`.
    case stale(last: Int64)
    /// The message was authentic, but the server can't read it.
    case malformed
}
