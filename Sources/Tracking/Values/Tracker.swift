package import Kernel
package import TrackerProtocol

/// The state of an item's tracker, which is our hardware or a position source in its place.
package struct TrackerStatus: Sendable, Equatable {
    /// The id of the tracker, or of the position source.
    package let id: String
    package let kind: TrackerKind
    package let state: TrackerState
    /// The radio that the tracker uses.
    package let mode: TrackerMode
    /// Whole percent, 0 to 100.
    package let batteryPercent: Int?
    /// The time of its last contact.
    package let lastSeenAt: Instant?
    /// The switch position that the owner asked for, or, after a failed switch, the confirmed one.
    package let wanted: SwitchState
    /// Whether the tracker may still confirm ``wanted`` in time.
    package let pending: Bool
    /// The start of the wait for a confirmation; `nil` for none.
    package let pendingSince: Instant?
    /// Whether the tracker did not confirm the owner's switch in time.
    package let timedOut: Bool
    /// Whether the tracker reported after the time for the confirmation was over: it did answer, without switching.
    package let hasReportedSince: Bool
    /// The confirmed switch position: on when active, off otherwise.
    package var actual: SwitchState { state == .active ? .on : .off }
    /// Whether it supports *on* and *off*. Position sources don't: 409.
    package let canSwitch: Bool
    /// Whether it supports *locate*. OsmAnd doesn't: 409.
    package let canLocate: Bool
    /// The time of the turn-off; `nil` for a tracker that isn't off, or when the time is unknown.
    package let offSince: Instant?

    package init(
        id: String, kind: TrackerKind, state: TrackerState, mode: TrackerMode, batteryPercent: Int?,
        lastSeenAt: Instant?, wanted: SwitchState, pending: Bool, pendingSince: Instant?, timedOut: Bool,
        hasReportedSince: Bool = false, canSwitch: Bool, canLocate: Bool, offSince: Instant? = nil
    ) {
        self.id = id
        self.kind = kind
        self.state = state
        self.mode = mode
        self.batteryPercent = batteryPercent
        self.lastSeenAt = lastSeenAt
        self.wanted = wanted
        self.pending = pending
        self.pendingSince = pendingSince
        self.timedOut = timedOut
        self.hasReportedSince = hasReportedSince
        self.canSwitch = canSwitch
        self.canLocate = canLocate
        self.offSince = offSince
    }
}

/// The kinds of trackers.
package enum TrackerKind: String, Sendable, CaseIterable {
    case homeward
    /// The OwnTracks app.
    case owntracks
    /// OsmAnd or the Traccar Client app.
    case osmand
}

/// The progress of pairing and switching.
package enum TrackerState: String, Sendable, CaseIterable {
    /// Claimed; the tracker has not answered the register request yet.
    case registering
    /// Bound to its item; not locating yet.
    case bound
    case active
    /// Turned off.
    case off
    /// Released; the tracker has not confirmed *off and release* yet.
    case releasing
}

/// The switch position of a tracker.
package enum SwitchState: String, Sendable, CaseIterable {
    case on
    case off
}

/// An instruction to a tracker.
package struct Command: Sendable, Equatable {
    package let id: ID<Command>
    package let kind: CommandKind
    package let state: CommandState
    package let createdAt: Instant
    /// The expiry, two intervals after the creation; `nil` for *off and release*, which doesn't expire.
    package let expiresAt: Instant?
    /// Increases by one with each change of ``state``.
    package let version: Int64

    package init(
        id: ID<Command>, kind: CommandKind, state: CommandState, createdAt: Instant, expiresAt: Instant?, version: Int64
    ) {
        self.id = id
        self.kind = kind
        self.state = state
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.version = version
    }
}

/// The kinds of commands.
package enum CommandKind: String, Sendable, CaseIterable {
    /// Start to locate, after the first pairing. The server also gives this command, once.
    case activate
    /// Send a fix now.
    case locate
    /// Start to locate again.
    case on
    /// Stop locating.
    case off
    /// Play a sound.
    case ring
    /// Stop locating and forget owner and item. Reserved for the server.
    case release

    /// The commands that owners may give.
    package static let forOwners: [CommandKind] = [.activate, .locate, .on, .off, .ring]
}

/// The progress of a command.
package enum CommandState: String, Sendable, CaseIterable {
    /// Waiting for the tracker's next contact.
    case queued
    /// Sent to the tracker.
    case sent
    /// Confirmed by the tracker.
    case applied
    /// Not confirmed by the tracker in time.
    case expired
    /// Replaced by a later command.
    case superseded
    /// Refused by the tracker.
    case failed
}
