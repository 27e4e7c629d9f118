package import Kernel

/// That something changed, for whom and where to read it; never the content.
package struct ChangeEvent: Sendable, Hashable {
    /// Who may hear of it; ``everyone`` for all grown-ups who are signed in.
    package let audience: PersonID
    /// The noun: `item`, `fix`, `command`, `session`, …
    package let kind: String
    /// The path of the resource: `/tracking/items/ID`.
    package let resource: String
    /// The resource's version after the change; 0 where it has none.
    package let version: Int64
    /// When it changed.
    package let at: Instant

    /// Makes an event.
    package init(audience: PersonID, kind: String, resource: String, version: Int64, at: Instant) {
        self.audience = audience
        self.kind = kind
        self.resource = resource
        self.version = version
        self.at = at
    }
}

extension ChangeEvent {
    /// The audience of what concerns all grown-ups who are signed in. The id is nobody's: it was made in 1970.
    package static let everyone = PersonID(at: Instant(millisecondsSince1970: 0), series: 0)
}

/// An event with its place in the order of commits.
package struct OutboxEntry: Sendable, Hashable {
    /// Rises from event to event, with gaps; positive. Survives restarts: what a client resumes from.
    package let sequence: Int64
    /// The event.
    package let event: ChangeEvent
}
