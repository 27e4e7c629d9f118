package import Kernel
package import TrackerProtocol

/// The hardware (or the app that stands in for it) that says where an item is.
package struct TrackerStatus: Sendable, Equatable {
    /// The tracker's own id, or that of the source which is the item's tracker.
    package let id: String
    /// What it is.
    package let kind: TrackerKind
    /// How far the pairing and switching have come.
    package let state: TrackerState
    /// How it talks to us.
    package let mode: TrackerMode
    /// Whole percent, 0 to 100.
    package let batteryPercent: Int?
    /// When it was last heard of.
    package let lastSeenAt: Instant?
    /// What the owner last asked for.
    package let wanted: SwitchState
    /// The tracker has yet to confirm ``wanted``, and may still do so in time.
    package let pending: Bool
    /// Since when it is waited for; `nil` when nothing is awaited.
    package let pendingSince: Instant?
    /// The tracker did not confirm ``wanted`` within the time-out.
    package let timedOut: Bool
    /// What it is as far as we know: on when active, off otherwise.
    package var actual: SwitchState { state == .active ? .on : .off }
    /// It takes *on* and *off* (apps on phones don't: 409).
    package let canSwitch: Bool
    /// It takes *locate* (OsmAnd doesn't: 409).
    package let canLocate: Bool
    /// Since when it has been off; `nil` while it isn't, or where that was not noted.
    package let offSince: Instant?

    /// Makes a status from its parts.
    package init(
        id: String, kind: TrackerKind, state: TrackerState, mode: TrackerMode, batteryPercent: Int?,
        lastSeenAt: Instant?, wanted: SwitchState, pending: Bool, pendingSince: Instant?, timedOut: Bool,
        canSwitch: Bool, canLocate: Bool, offSince: Instant? = nil
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
        self.canSwitch = canSwitch
        self.canLocate = canLocate
        self.offSince = offSince
    }
}

/// What a tracker is.
package enum TrackerKind: String, Sendable, CaseIterable {
    /// Our own hardware.
    case homeward
    /// The OwnTracks app.
    case owntracks
    /// OsmAnd or the Traccar Client app.
    case osmand
}

/// How far the pairing and switching of a tracker have come.
package enum TrackerState: String, Sendable, CaseIterable {
    /// Claimed; has yet to answer the register request.
    case registering
    /// Bound to its item; not locating yet.
    case bound
    /// Locating.
    case active
    /// Turned off.
    case off
    /// Let go; has yet to confirm *off and release*.
    case releasing
}

/// On or off.
package enum SwitchState: String, Sendable, CaseIterable {
    /// Locating.
    case on
    /// Not locating.
    case off
}

/// What the app tells a tracker.
package struct Command: Sendable, Equatable {
    /// The command's id.
    package let id: ID<Command>
    /// What is to be done.
    package let kind: CommandKind
    /// How far it has come.
    package let state: CommandState
    /// When it was given.
    package let createdAt: Instant
    /// When it lapses unless applied (two intervals); `nil` for *off and release*, which doesn't.
    package let expiresAt: Instant?
    /// Grows by one with each change of ``state``.
    package let version: Int64

    /// Makes a command from its parts.
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

/// What a tracker can be told to do.
package enum CommandKind: String, Sendable, CaseIterable {
    /// Begin to locate, after the first pairing. Also given by the service itself, once.
    case activate
    /// Send a fix now.
    case locate
    /// Begin to locate again.
    case on
    /// Stop locating.
    case off
    /// Make a sound.
    case ring
    /// Stop locating and forget owner and item. Given by the service only.
    case release

    /// What an owner may ask for; the others are the service's own.
    package static let forOwners: [CommandKind] = [.activate, .locate, .on, .off, .ring]
}

/// How far a command has come.
package enum CommandState: String, Sendable, CaseIterable {
    /// Waiting for the tracker to call.
    case queued
    /// Handed to the tracker.
    case sent
    /// The tracker has confirmed it.
    case applied
    /// The tracker did not confirm it in time.
    case expired
    /// A later command took its place.
    case superseded
    /// The tracker refused it.
    case failed
}
