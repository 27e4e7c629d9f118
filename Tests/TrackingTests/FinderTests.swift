import Accounts
import Kernel
import Storage
import TestSupport
import Testing
import TrackerProtocol

@testable import Tracking

@Suite("Finders of trackers")
struct FinderTests {
    private func token(of tracker: FakeTracker, _ house: TrackingHouse, at now: Instant? = nil) throws -> String {
        let channel = TrackerChannel(tracker: tracker.id, keys: tracker.keys)
        let address = channel.finderAddress(
            at: now ?? house.now, server: "", finderKey: try house.service.finderKeys().publicKey
        )
        return String(try #require(address?.split(separator: "=", maxSplits: 1).last))
    }

    private func refused(_ text: String, _ house: TrackingHouse) async -> Bool {
        await refusal { _ = try await house.service.foundTracker(text, clientAddress: "192.0.2.9") }?.code == .notFound
    }

    @Test("A finder gets the tracker's id and its owner's masked contact", arguments: Engine.allCases)
    func found(engine: Engine) async throws {
        try await withHouse(engine) { house in
            let ada = try await house.person()
            let tracker = try await FakeTracker(house)
            let early = try token(of: tracker, house)
            #expect(await refused(early, house), "nobody owns it")
            try await tracker.activate(for: house.item(of: ada).item.id, of: ada)
            let found = try await house.service.foundTracker(
                token(of: tracker, house), clientAddress: "192.0.2.9"
            )
            #expect(found.id == tracker.id)
            let email = "\(ada.person)@example.org"
            #expect(found.contact == MaskedContact(email: email, phone: nil))
            #expect(found.contact != nil)
        }
    }

    @Test("An altered, old, early, forged or foreign token reveals nothing") func wrong() async throws {
        try await withHouse(.sqlite) { house in
            let ada = try await house.person()
            let tracker = try await FakeTracker(house)
            try await tracker.activate(for: house.item(of: ada).item.id, of: ada)
            let good = try token(of: tracker, house)
            #expect(await !refused(good, house))
            #expect(await refused("", house))
            #expect(await refused(String(good.reversed()), house))
            #expect(try await refused(token(of: tracker, house, at: house.now.adding(seconds: 601)), house))
            #expect(try await !refused(token(of: tracker, house, at: house.now.adding(seconds: 600)), house))
            let stranger = try KeyPair(random: house.random)
            let channel = TrackerChannel(tracker: tracker.id, keys: tracker.keys)
            let foreign = channel.finderAddress(at: house.now, server: "", finderKey: stranger.publicKey)
            let foreignToken = try #require(foreign?.split(separator: "=").last)
            #expect(await refused(String(foreignToken), house))
            let forger = TrackerChannel(tracker: tracker.id, keys: try await FakeTracker(house).keys)
            let forged = forger.finderAddress(
                at: house.now, server: "", finderKey: try house.service.finderKeys().publicKey
            )
            let forgedToken = try #require(forged?.split(separator: "=").last)
            #expect(await refused(String(forgedToken), house))
            // The same token works again until it expires, and not a second longer.
            house.clock.advance(seconds: 3_599)
            #expect(await !refused(good, house))
            house.clock.advance(seconds: 1)
            #expect(await refused(good, house))
        }
    }

    @Test("A released tracker without a confirmation keeps its owner's mask for 25 days") func letGo()
        async throws
    {
        try await withHouse(.sqlite) { house in
            let ada = try await house.person()
            let item = try await house.item(of: ada).item.id
            let tracker = try await FakeTracker(house)
            try await tracker.activate(for: item, of: ada)
            try await house.service.delete(item, by: Change(actor: ada))
            let found = try await house.service.foundTracker(
                token(of: tracker, house), clientAddress: "192.0.2.9"
            )
            #expect(found.contact == MaskedContact(email: "\(ada.person)@example.org", phone: nil))
            house.clock.advance(seconds: Limits.formerOwnerSeconds)
            try await house.service.housekeeping()
            let later = try await house.service.foundTracker(
                token(of: tracker, house), clientAddress: "192.0.2.9"
            )
            #expect(later.contact == nil)
        }
    }

    @Test("A finder with too many requests is throttled") func throttled() async throws {
        try await withHouse(.sqlite) { house in
            for _ in 1...Limits.finderLookupsPerAddress { #expect(await refused("guess", house)) }
            let error = await refusal { _ = try await house.service.foundTracker("guess", clientAddress: "192.0.2.9") }
            #expect(error?.code == .throttled)
            let other = await refusal { _ = try await house.service.foundTracker("x", clientAddress: "198.51.100.9") }
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
        Mask(email: "nobody", masked: nil),
        Mask(email: nil, masked: nil),
    ]

    @Test("A mask shows first letters and the ending, and hides all lengths", arguments: masks)
    func mask(entry: Mask) {
        #expect(MaskedContact(email: entry.email, phone: entry.phone)?.description == entry.masked)
    }
}
