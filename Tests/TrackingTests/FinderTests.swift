import Accounts
import Kernel
import Storage
import TestSupport
import Testing
import TrackerProtocol

@testable import Tracking

@Suite("Finders of trackers")
struct FinderTests {
    private func token(of tracker: FakeTracker, _ fixture: TrackingFixture, at now: Instant? = nil) throws -> String {
        let channel = TrackerChannel(tracker: tracker.id, keys: tracker.keys)
        let address = channel.finderAddress(
            at: now ?? fixture.now, server: "", finderKey: try fixture.tracking.finderKeys.pair().publicKey
        )
        return String(try #require(address?.split(separator: "=", maxSplits: 1).last))
    }

    private func refused(_ text: String, _ fixture: TrackingFixture) async -> Bool {
        await refusal { _ = try await fixture.tracking.finders.foundTracker(text, clientAddress: "192.0.2.9") }?.code
            == .notFound
    }

    @Test("A finder gets the tracker's id and its owner's masked contact", arguments: Engine.allCases)
    func found(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let tracker = try await FakeTracker(fixture)
            let early = try token(of: tracker, fixture)
            #expect(await refused(early, fixture), "it has no owner")
            try await tracker.activate(for: fixture.item(of: ada).item.id, of: ada)
            let found = try await fixture.tracking.finders.foundTracker(
                token(of: tracker, fixture), clientAddress: "192.0.2.9"
            )
            #expect(found.id == tracker.id)
            let email = "\(ada.person)@example.org"
            #expect(found.contact == MaskedContact(email: email, phone: nil))
            #expect(found.contact != nil)
        }
    }

    @Test("An altered, old, early or forged token, or one for another server, reveals nothing")
    func wrong() async throws {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let tracker = try await FakeTracker(fixture)
            try await tracker.activate(for: fixture.item(of: ada).item.id, of: ada)
            let good = try token(of: tracker, fixture)
            #expect(await !refused(good, fixture))
            #expect(await refused("", fixture))
            #expect(await refused(String(good.reversed()), fixture))
            #expect(try await refused(token(of: tracker, fixture, at: fixture.now.adding(seconds: 601)), fixture))
            #expect(try await !refused(token(of: tracker, fixture, at: fixture.now.adding(seconds: 600)), fixture))
            let stranger = try KeyPair(random: fixture.random)
            let channel = TrackerChannel(tracker: tracker.id, keys: tracker.keys)
            let otherAddress = channel.finderAddress(at: fixture.now, server: "", finderKey: stranger.publicKey)
            let otherToken = try #require(otherAddress?.split(separator: "=").last)
            #expect(await refused(String(otherToken), fixture))
            let forger = TrackerChannel(tracker: tracker.id, keys: try await FakeTracker(fixture).keys)
            let forged = forger.finderAddress(
                at: fixture.now, server: "", finderKey: try fixture.tracking.finderKeys.pair().publicKey
            )
            let forgedToken = try #require(forged?.split(separator: "=").last)
            #expect(await refused(String(forgedToken), fixture))
            // The same token works again until it expires, and not a second longer.
            fixture.clock.advance(seconds: 3_599)
            #expect(await !refused(good, fixture))
            fixture.clock.advance(seconds: 1)
            #expect(await refused(good, fixture))
        }
    }

    @Test("A released tracker without a confirmation keeps its owner's mask for 25 days") func letGo()
        async throws
    {
        try await withFixture(.sqlite) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let tracker = try await FakeTracker(fixture)
            try await tracker.activate(for: item, of: ada)
            try await fixture.tracking.itemDeletions.delete(item, by: Change(actor: ada))
            let found = try await fixture.tracking.finders.foundTracker(
                token(of: tracker, fixture), clientAddress: "192.0.2.9"
            )
            #expect(found.contact == MaskedContact(email: "\(ada.person)@example.org", phone: nil))
            fixture.clock.advance(seconds: Limits.formerOwnerSeconds)
            try await fixture.tracking.housekeeping.run()
            let later = try await fixture.tracking.finders.foundTracker(
                token(of: tracker, fixture), clientAddress: "192.0.2.9"
            )
            #expect(later.contact == nil)
        }
    }

    @Test("A finder with too many requests is throttled") func throttled() async throws {
        try await withFixture(.sqlite) { fixture in
            for _ in 1...Limits.finderLookupsPerAddress { #expect(await refused("guess", fixture)) }
            let error = await refusal {
                _ = try await fixture.tracking.finders.foundTracker("guess", clientAddress: "192.0.2.9")
            }
            #expect(error?.code == .throttled)
            let other = await refusal {
                _ = try await fixture.tracking.finders.foundTracker("x", clientAddress: "198.51.100.9")
            }
            #expect(other?.code == .notFound)
        }
    }

    struct Mask: Sendable, CustomTestStringConvertible {
        let email: String?
        var phone: String?
        let masked: String?
        var testDescription: String { email ?? phone ?? "nothing" }
    }

    private static let masks = [
        Mask(email: "anna@example.org", masked: "a•••@e•••.org"),
        Mask(email: "a@b.org", masked: "a•••@b•••.org"),
        Mask(email: "a.very.long.name@mail.example.co.uk", masked: "a•••@m•••.uk"),
        Mask(email: "root@localhost", masked: "r•••@l•••"),
        Mask(email: "ä\u{308}b@example.org", masked: "ä\u{308}•••@e•••.org"),
        Mask(email: "\"a@b\"@example.org", masked: "\"•••@e•••.org"),
        Mask(email: "anna@example.org", phone: "+49 170 1234567", masked: "a•••@e•••.org"),
        Mask(email: nil, phone: "+49 170 1234567", masked: "••• 4567"),
        Mask(email: nil, phone: "112", masked: nil),
        Mask(email: "unknown", masked: nil),
        Mask(email: nil, masked: nil),
    ]

    @Test("A mask shows first letters and the ending, and hides all lengths", arguments: masks)
    func mask(entry: Mask) {
        #expect(MaskedContact(email: entry.email, phone: entry.phone)?.description == entry.masked)
    }
}
