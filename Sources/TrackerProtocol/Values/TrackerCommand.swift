package import Kernel

/// The id of a command, assigned by the server.
package typealias TrackerCommandID = ID<TrackerCommand>

/// The kind of a command.
package enum TrackerCommandKind: String, CaseIterable, Sendable {
    /// Start locating; sent once, after the tracker has been paired.
    case activate
    /// Measure a position now.
    case locate
    /// Start locating again after ``off``.
    case on
    /// Stop locating; the tracker continues to poll for commands.
    case off
    /// Make a sound.
    case ring
    /// Stop locating, delete the owner and all keys, and become available for pairing.
    case releaseOff

    /// Whether the command turns locating on or off: of several such commands only the newest applies.
    package var isPower: Bool {
        switch self {
        case .activate, .on, .off, .releaseOff: true
        case .locate, .ring: false
        }
    }
}

/// A command as the server sends it to the tracker.
package struct TrackerCommand: Hashable, Sendable {
    /// The id that the acknowledgement refers to. A tracker runs no id twice.
    package let id: TrackerCommandID
    /// The kind; `nil` when a newer server sent one that this tracker doesn't know.
    package let kind: TrackerCommandKind?
    /// The time of the request, by the server's clock.
    package let issuedAt: Instant
    /// The instant from which the command must not run; `nil`: never expires.
    package let expiresAt: Instant?

    package init(id: TrackerCommandID, kind: TrackerCommandKind?, issuedAt: Instant, expiresAt: Instant?) {
        self.id = id
        self.kind = kind
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}

/// The result of a command.
package enum TrackerCommandResult: String, CaseIterable, Sendable {
    /// The command ran.
    case applied
    /// The command expired before it ran.
    case expired
    /// A newer command replaced it before it ran.
    case superseded
    /// The command could not run; see ``Acknowledgement/reason``.
    case failed
}

/// A tracker's report of a command's result.
package struct Acknowledgement: Hashable, Sendable {
    /// The command's id.
    package let id: TrackerCommandID
    package let result: TrackerCommandResult
    /// The reason for ``TrackerCommandResult/failed``, at most ``Limits/commandReasonCharacters`` ASCII characters.
    package let reason: String?

    package init(id: TrackerCommandID, result: TrackerCommandResult, reason: String? = nil) {
        self.id = id
        self.result = result
        self.reason = reason
    }
}
