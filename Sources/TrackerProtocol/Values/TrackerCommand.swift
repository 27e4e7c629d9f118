package import Kernel

/// An id of a command, made by the server.
package typealias TrackerCommandID = ID<TrackerCommand>

/// What a tracker is asked to do.
package enum TrackerCommandKind: String, CaseIterable, Sendable {
    /// Start locating; sent once, after the tracker has been paired.
    case activate
    /// Take a position now.
    case locate
    /// Start locating again after ``off``.
    case on
    /// Stop locating; the tracker keeps listening for commands.
    case off
    /// Make a sound.
    case ring
    /// Turn off, forget the owner and all keys, and become free to be paired again.
    case releaseOff

    /// Whether the command decides if the tracker locates: of several such commands only the newest counts.
    package var isPower: Bool {
        switch self {
        case .activate, .on, .off, .releaseOff: true
        case .locate, .ring: false
        }
    }
}

/// A command as the server tells it to the tracker.
package struct TrackerCommand: Hashable, Sendable {
    /// What the acknowledgement refers to; a tracker carries out no id twice.
    package let id: TrackerCommandID
    /// What to do; `nil` when a newer server sent a kind that this tracker does not know.
    package let kind: TrackerCommandKind?
    /// When it was asked for, by the server's clock.
    package let issuedAt: Instant
    /// From this instant on it must not be carried out; `nil`: it never expires.
    package let expiresAt: Instant?

    /// Makes a command.
    package init(id: TrackerCommandID, kind: TrackerCommandKind?, issuedAt: Instant, expiresAt: Instant?) {
        self.id = id
        self.kind = kind
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}

/// What became of a command.
package enum TrackerCommandResult: String, CaseIterable, Sendable {
    /// Carried out.
    case applied
    /// Too late; not carried out.
    case expired
    /// A newer command overtook it; not carried out.
    case superseded
    /// Could not be carried out; see ``Acknowledgement/reason``.
    case failed
}

/// A tracker's word on a command.
package struct Acknowledgement: Hashable, Sendable {
    /// The command.
    package let id: TrackerCommandID
    /// What became of it.
    package let result: TrackerCommandResult
    /// With ``TrackerCommandResult/failed``: why, in at most ``Limits/commandReasonCharacters`` ASCII characters.
    package let reason: String?

    /// Makes an acknowledgement.
    package init(id: TrackerCommandID, result: TrackerCommandResult, reason: String? = nil) {
        self.id = id
        self.result = result
        self.reason = reason
    }
}
