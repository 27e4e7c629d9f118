import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import NIOCore
import Storage
import Testing

@testable import WebCore

@Suite("Streams that open at the same time")
struct LiveStartTests {
    private static let at = Instant(millisecondsSince1970: 1_767_225_600_000)

    private static func event(_ person: PersonID, _ resource: String, kind: String = "item") -> ChangeEvent {
        ChangeEvent(audience: person, kind: kind, resource: resource, version: 1, at: at)
    }

    @Test("Miss no concurrent event, whether they have many events to catch up with or none")
    func first() async throws {
        for _ in 1...3 {
            try await withSite(.live, runsLive: true) { site async throws in
                let mia = site.sessions.signIn("mia", kind: .bearer)
                let ben = site.sessions.signIn("ben", kind: .bearer)
                let person = mia.account.id
                let hub = site.web.live
                try await site.database.write { tx in
                    for number in 1...3 * Limits.outboxBatch { try tx.publish(Self.event(person, "/old/\(number)")) }
                }
                async let long = site.withPatientClient { client in
                    try await client.get("/events", headers: [.authorization: "Bearer mia", .lastEventID: "0"])
                }
                while hub.listenerCount == 0 { await Task.yield() }
                let quick = try await TestListener(ben, on: hub)
                let new = (1...60).map { "/new/\($0)" }
                for resource in new {
                    try await site.database.write { try $0.publish(Self.event(person, resource)) }
                    _ = try await hub.begin()
                }
                hub.leave(quick.listener)
                site.sessions.end("mia")
                let end = Self.event(person, "/account/sessions/\(mia.session.id)", kind: "session")
                try await site.database.write { try $0.publish(end) }
                let text = String(buffer: try #require(try await long.body))
                #expect(new.filter { !text.contains("\"\($0)\"") } == [])
            }
        }
    }
}
