package import Kernel

/// The settings that the server sends to a tracker.
package struct TrackerSettings: Hashable, Sendable {
    /// Minutes between two positions, 1 to 1440.
    package let locateMinutes: Int
    /// The distance to the owner's nearest phone, in metres; `nil` when no phone's position is known. The tracker
    /// applies the 30 m rule to it and reports the resulting mode.
    package let distanceMetres: Double?
    /// Whether the item is farther from the owner's phone than the owner allows. The tracker then measures positions
    /// more often.
    package let isLost: Bool

    /// The range of ``locateMinutes``.
    package static let locateMinutesRange = 1...1440

    /// Clamps the minutes to the range; replaces an invalid distance with `nil`.
    package init(locateMinutes: Int, distanceMetres: Double?, isLost: Bool = false) {
        let range = Self.locateMinutesRange
        self.locateMinutes = min(max(locateMinutes, range.lowerBound), range.upperBound)
        let isDistance = distanceMetres.map { $0.isFinite && $0 >= 0 } ?? false
        self.distanceMetres = isDistance ? distanceMetres : nil
        self.isLost = isLost
    }
}

/// The server's response to an accepted message.
package struct Downlink: Hashable, Sendable {
    /// The counter of the message that this responds to.
    package let counter: Int64
    /// The time of the server's clock.
    package let at: Instant
    /// The tracker's binding; `nil` while it is unclaimed.
    package let binding: TrackerBindingID?
    package let settings: TrackerSettings
    /// The pending commands, oldest first, at most ``Limits/commandsPerMessage``; repeated in every response until
    /// acknowledged.
    package let commands: [TrackerCommand]

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

/// An authentic response, as the tracker reads it.
package enum DownlinkResponse: Hashable, Sendable {
    /// The message was accepted, now or earlier.
    case accepted(Downlink)
    /// The message was authentic, but its counter was not above the last one received, `last`.
    case stale(last: Int64)
    /// The message was authentic, but the server can't read it.
    case malformed
}
