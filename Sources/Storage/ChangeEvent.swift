package import Kernel

/// A committed change, without its content: its recipient and the path to read it from.
package struct ChangeEvent: Sendable, Hashable {
    /// The person who gets the event; ``everyone`` for all signed-in adults.
    package let audience: PersonID
    /// The kind of the changed resource: `item`, `fix`, `command`, `session`, …
    package let kind: String
    /// The path of the resource, for example `/tracking/items/ID`.
    package let resource: String
    /// The resource's version after the change; 0 if it has none.
    package let version: Int64
    package let at: Instant

    package init(audience: PersonID, kind: String, resource: String, version: Int64, at: Instant) {
        self.audience = audience
        self.kind = kind
        self.resource = resource
        self.version = version
        self.at = at
    }
}

extension ChangeEvent {
    /// The audience for events that go to all signed-in adults. No person has this id: its timestamp is 1970-01-01.
    package static let everyone = PersonID(at: Instant(millisecondsSince1970: 0), series: 0)
}

/// An event with its position in the order of commits.
package struct OutboxEntry: Sendable, Hashable {
    /// Positive and increasing, with gaps. It survives restarts; a client resumes its stream from it.
    package let sequence: Int64
    package let event: ChangeEvent
}
