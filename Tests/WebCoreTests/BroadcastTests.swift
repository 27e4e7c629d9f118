import Accounts
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import HTTPTypes
import HummingbirdTesting
import Kernel
import Storage
import Testing

@testable import WebCore

@Suite("Events for everyone")
struct BroadcastTests {
    private static let at = Instant(millisecondsSince1970: 1_767_225_600_000)

    private static func event(_ audience: PersonID, _ resource: String) -> ChangeEvent {
        ChangeEvent(audience: audience, kind: "package", resource: resource, version: 1, at: at)
    }

    @Test("Reach each open stream, and listeners that resume later")
    func reachesAll() async throws {
        try await withSite { site async throws in
            let mia = site.sessions.signIn("mia", kind: .cookie)
            let ben = site.sessions.signIn("ben", kind: .cookie)
            let hub = site.web.live
            var listeners: [TestListener] = []
            for person in [mia, mia, ben] { listeners.append(try await TestListener(person, on: hub)) }
            let start = try await hub.begin()
            let (one, other) = (mia.account.id, ben.account.id)
            try await site.database.write { tx in
                try tx.publish(Self.event(one, "/mine"))
                try tx.publish(Self.event(ChangeEvent.everyone, "/offer"))
                try tx.publish(Self.event(other, "/yours"))
            }
            await hub.drain()
            var received: [[String]] = []
            for listener in listeners { received.append(try await listener.received()) }
            #expect(received == [["/mine", "/offer"], ["/mine", "/offer"], ["/offer", "/yours"]])
            let last = try await site.database.read { try Outbox.lastSequence(in: $0) }
            let missed = try await hub.missed(after: start, upTo: last, person: other).map(\.resource)
            #expect(missed == ["/offer", "/yours"])
        }
    }

    @Test("Don't reach a child, neither live nor when it resumes")
    func notChildren() async throws {
        try await withSite(.live, runsLive: true) { site async throws in
            let kid = site.sessions.signIn("kid", kind: .bearer, role: .child)
            let person = kid.account.id
            let end = "/account/sessions/\(kid.session.id)"
            try await site.database.write { tx in
                try tx.publish(Self.event(ChangeEvent.everyone, "/missed-offer"))
                try tx.publish(Self.event(person, "/missed"))
            }
            async let response = site.get("/events", [.authorization: "Bearer kid", .lastEventID: "0"])
            while !site.web.live.hasOpenStream { await Task.yield() }
            site.sessions.end("kid")
            try await site.database.write { tx in
                try tx.publish(Self.event(ChangeEvent.everyone, "/offer"))
                try tx.publish(Self.event(person, "/mine"))
                try tx.publish(ChangeEvent(audience: person, kind: "session", resource: end, version: 1, at: Self.at))
            }
            let text = try await response.text
            #expect(text.contains("/missed\"") && text.contains("/mine\"") && text.contains(end))
            #expect(!text.contains("offer"))
        }
    }
}
