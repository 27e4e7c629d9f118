import Accounts
import Kernel
import NIOCore
import Storage

/// An event in the format of the stream; encoded once for all its listeners.
struct LiveEvent: Sendable {
    private struct Payload: Encodable {
        let kind: String
        let resource: String
        let version: Int64
        let at: Instant
    }

    let sequence: Int64
    let audience: PersonID
    let kind: String
    let resource: String
    let bytes: ByteBuffer

    init(_ entry: OutboxEntry) {
        sequence = entry.sequence
        audience = entry.event.audience
        kind = entry.event.kind
        resource = entry.event.resource
        let payload = Payload(
            kind: entry.event.kind, resource: entry.event.resource, version: entry.event.version, at: entry.event.at
        )
        // JSON has no line breaks, so it is one data line.
        let json = (try? payload.json()).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        bytes = ByteBuffer(string: "id: \(entry.sequence)\nevent: change\ndata: \(json)\n\n")
    }

    /// Whether the event reports the beginning or the end of a session.
    func isAbout(_ session: ID<Session>) -> Bool {
        kind == "session" && resource == "/account/sessions/\(session)"
    }

    private struct Subject: Hashable {
        let audience: PersonID
        let kind: String
        let resource: String
    }

    /// The entries without those that a later entry about the same resource replaces.
    static func latestEntries(of entries: [OutboxEntry]) -> [OutboxEntry] {
        var seen: Set<Subject> = []
        var latest: [OutboxEntry] = []
        for entry in entries.reversed() {
            let event = entry.event
            let subject = Subject(audience: event.audience, kind: event.kind, resource: event.resource)
            if seen.insert(subject).inserted { latest.append(entry) }
        }
        return latest.reversed()
    }

    /// The latest entries as events.
    static func latest(of entries: [OutboxEntry]) -> [LiveEvent] { latestEntries(of: entries).map(LiveEvent.init) }
}
