import Accounts
import Foundation
import Kernel
import Storage
import TestSupport
import Testing
import TrackerProtocol

@testable import Tracking

/// A tracker from a phone's point of view over Bluetooth: it follows requests that it can verify.
private final class NearTracker {
    let fixture: TrackingFixture
    let code: ClaimCode
    let keyPair: KeyPair
    var challenge: [UInt8]
    private(set) var channel: TrackerChannel?
    private(set) var id: TrackerID?
    private var counter: Int64 = 0

    init(_ fixture: TrackingFixture) throws {
        self.fixture = fixture
        code = ClaimCode(random: fixture.random)
        keyPair = try KeyPair(random: fixture.random)
        challenge = fixture.random.bytes(TrackerBluetooth.challengeLength)
    }

    var input: RegistrationInput {
        RegistrationInput(
            publicKey: Hexadecimal.encoded(keyPair.publicKey), codeHash: Hexadecimal.encoded(code.hash),
            challenge: Hexadecimal.encoded(challenge)
        )
    }

    /// The tracker's answer to a request, in base64.
    func answer(_ registration: TrackerRegistration) throws -> String {
        let believed = try RegisterRequest.open(
            registration.request, keyPair: keyPair, server: nil, challenge: challenge, now: fixture.now
        )
        channel = believed.channel
        id = believed.server.id
        let response = RegisterResponse(to: believed.request, at: fixture.now)
        return Data(believed.channel.seal(response)).base64EncodedString()
    }

    /// Gets a request for an item and answers it.
    func meet(_ item: ID<Item>, of actor: Actor) async throws -> String {
        challenge = fixture.random.bytes(TrackerBluetooth.challengeLength)
        let registration = try await fixture.tracking.registrations.create(
            of: item, input, clientAddress: "192.0.2.7", by: Change(actor: actor)
        )
        return try answer(registration)
    }

    /// Sends a message and returns the server's response.
    func call(phase: TrackerPhase, acknowledging: [Acknowledgement] = []) async throws -> Downlink {
        let channel = try #require(channel)
        let id = try #require(id)
        counter += 1
        let sealed = channel.seal(
            Uplink(
                counter: counter, at: fixture.now, phase: phase, mode: .cellular, batteryPercent: nil,
                acknowledgements: acknowledging
            )
        )
        let reply = try await fixture.tracking.trackerMessages.receive(
            id.description, body: sealed.body, signature: sealed.signature
        )
        guard case .accepted(let downlink) = try channel.open(reply.body, signature: reply.signature, counter: counter)
        else { throw DownlinkFailure.malformed }
        return downlink
    }
}

@Suite("Registration over Bluetooth")
struct RegistrationTests {
    private func pairing(_ fixture: TrackingFixture, _ item: ID<Item>, _ pairing: String, _ actor: Actor) async
        -> AppError?
    {
        await refusal {
            _ = try await fixture.tracking.bluetoothPairings.pair(item, pairing: pairing, by: Change(actor: actor))
        }
    }

    @Test("A new tracker is registered, bound and activated once", arguments: Engine.allCases)
    func wholeWay(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let tracker = try NearTracker(fixture)
            let answer = try await tracker.meet(item, of: ada)
            // The tracker considers itself bound, but for the server it is free, as the next response shows.
            #expect(try await tracker.call(phase: .bound).binding == nil)
            let status = try await fixture.tracking.bluetoothPairings.pair(
                item, pairing: answer, by: Change(actor: ada)
            ).tracker
            #expect(status.id == tracker.id?.description)
            #expect(status.state == .registering)
            #expect(status.pending)
            #expect(try await fixture.count("registration") == 0)
            let first = try await tracker.call(phase: .bound)
            #expect(first.binding == item.cast(to: TrackerBinding.self))
            #expect(first.commands.map(\.kind) == [.activate])
            // The response was lost; a repetition changes nothing.
            _ = try await fixture.tracking.bluetoothPairings.pair(item, pairing: answer, by: Change(actor: ada))
            let command = try #require(first.commands.first)
            let done = Acknowledgement(id: command.id, result: .applied)
            #expect(try await tracker.call(phase: .active, acknowledging: [done]).commands.isEmpty)
            let commands = try await fixture.tracking.commands.list(of: item, for: ada, after: nil, limit: 10).items
            #expect(commands.map(\.kind) == [.activate])
            #expect(try await fixture.tracking.items.item(item, for: ada).tracker?.state == .active)
        }
    }

    @Test("Only the owner's phone gets another request for the same item", arguments: Engine.allCases)
    func ownersOnly(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            let item = try await fixture.item(of: ada).item.id
            let other = try await fixture.item("Bag", of: ada).item.id
            let theirs = try await fixture.item(of: eve).item.id
            let tracker = try NearTracker(fixture)
            let answer = try await tracker.meet(item, of: ada)
            _ = try await fixture.tracking.bluetoothPairings.pair(item, pairing: answer, by: Change(actor: ada))
            let again = try await tracker.meet(item, of: ada)
            #expect(again != answer)
            let conflicts: [(ID<Item>, Actor)] = [(other, ada), (theirs, eve)]
            for (item, actor) in conflicts {
                let error = await refusal {
                    _ = try await fixture.tracking.registrations.create(
                        of: item, tracker.input, clientAddress: "192.0.2.7", by: Change(actor: actor)
                    )
                }
                #expect(error?.code == .conflict)
                #expect(error?.message == TrackingErrorMessage.trackerInUse.text)
            }
            let second = try NearTracker(fixture)
            let taken = await refusal {
                _ = try await fixture.tracking.registrations.create(
                    of: item, second.input, clientAddress: "192.0.2.7", by: Change(actor: ada)
                )
            }
            #expect(taken?.message == TrackingErrorMessage.alreadyPaired.text)
            let absent = await refusal {
                _ = try await fixture.tracking.registrations.create(
                    of: item, tracker.input, clientAddress: "192.0.2.7", by: Change(actor: eve)
                )
            }
            #expect(absent?.code == .notFound)
        }
    }

    @Test(
        "An answer that is altered, replayed, late or for another item is rejected", arguments: Engine.allCases)
    func refused(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            let item = try await fixture.item(of: ada).item.id
            let other = try await fixture.item("Bag", of: ada).item.id
            let theirs = try await fixture.item(of: eve).item.id
            let tracker = try NearTracker(fixture)
            let answer = try await tracker.meet(item, of: ada)
            let wrong = ["pairing": TrackingErrorMessage.pairingWrong.text]
            #expect(await pairing(fixture, other, answer, ada)?.fields == wrong)
            #expect(await pairing(fixture, theirs, answer, eve)?.fields == wrong)
            #expect(await pairing(fixture, item, answer, eve)?.code == .notFound)
            var bytes = Array(try #require(Data(base64Encoded: answer)))
            for index in stride(from: 0, to: bytes.count, by: 7) {
                bytes[index] ^= 1
                let altered = Data(bytes).base64EncodedString()
                #expect(await pairing(fixture, item, altered, ada)?.fields == wrong)
                bytes[index] ^= 1
            }
            for text in ["", "nonsense", "AAAA", answer + "AAAA"] {
                #expect(await pairing(fixture, item, text, ada)?.fields == wrong)
            }
            // The tracker made up this answer without a request.
            let channel = try #require(tracker.channel)
            let id = try #require(tracker.id)
            let unasked = RegisterResponse(
                tracker: id, binding: item.cast(to: TrackerBinding.self), challenge: fixture.random.bytes(16),
                at: fixture.now
            )
            #expect(
                await pairing(fixture, item, Data(channel.seal(unasked)).base64EncodedString(), ada)?.fields == wrong)
            fixture.clock.advance(seconds: Limits.registrationSeconds)
            let late = ["pairing": TrackingErrorMessage.pairingLate.text]
            #expect(await pairing(fixture, item, answer, ada)?.fields == late)
            try await fixture.tracking.housekeeping.run()
            #expect(await pairing(fixture, item, answer, ada)?.fields == wrong)
            #expect(try await fixture.count("registration") == 0)
            // The answer was used by a pairing that was undone since.
            let fresh = try await tracker.meet(item, of: ada)
            _ = try await fixture.tracking.bluetoothPairings.pair(item, pairing: fresh, by: Change(actor: ada))
            try await fixture.tracking.unpairings.unpair(item, by: Change(actor: ada))
            #expect(await pairing(fixture, item, fresh, ada)?.fields == wrong)
        }
    }

    @Test("When two owners request a tracker, the first answer that arrives wins", arguments: Engine.allCases)
    func race(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            let item = try await fixture.item(of: ada).item.id
            let theirs = try await fixture.item(of: eve).item.id
            let tracker = try NearTracker(fixture)
            let first = try await tracker.meet(item, of: ada)
            let second = try await tracker.meet(theirs, of: eve)
            _ = try await fixture.tracking.bluetoothPairings.pair(theirs, pairing: second, by: Change(actor: eve))
            let error = await pairing(fixture, item, first, ada)
            #expect(error?.code == .invalid)
            #expect(try await fixture.tracking.items.item(item, for: ada).tracker == nil)
        }
    }

    @Test("The input is validated, and another tracker's key or code is rejected", arguments: Engine.allCases)
    func input(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let good = try NearTracker(fixture).input
            let inputs: [(RegistrationInput, Set<String>)] = [
                (
                    RegistrationInput(publicKey: "", codeHash: "x", challenge: "00"),
                    ["publicKey", "codeHash", "challenge"]
                ),
                (RegistrationInput(publicKey: good.publicKey, codeHash: good.codeHash, challenge: "0"), ["challenge"]),
                (
                    RegistrationInput(
                        publicKey: String(repeating: "0", count: 64), codeHash: good.codeHash,
                        challenge: good.challenge
                    ), ["publicKey"]
                ),
            ]
            for (input, fields) in inputs {
                let error = await refusal {
                    _ = try await fixture.tracking.registrations.create(
                        of: item, input, clientAddress: "192.0.2.7", by: Change(actor: ada)
                    )
                }
                #expect(error?.code == .invalid)
                #expect(Set(error?.fields.keys.map { $0 } ?? []) == fields)
            }
            let known = try await FakeTracker(fixture)
            let contact = try FirstContact.read(known.contact)
            let otherCode = RegistrationInput(
                publicKey: Hexadecimal.encoded(contact.publicKey), codeHash: good.codeHash, challenge: good.challenge
            )
            let conflict = await refusal {
                _ = try await fixture.tracking.registrations.create(
                    of: item, otherCode, clientAddress: "192.0.2.7", by: Change(actor: ada)
                )
            }
            #expect(conflict?.code == .conflict)
            // A tracker that already made its first contact keeps its id.
            let its = RegistrationInput(
                publicKey: Hexadecimal.encoded(contact.publicKey), codeHash: Hexadecimal.encoded(contact.codeHash),
                challenge: good.challenge
            )
            let registration = try await fixture.tracking.registrations.create(
                of: item, its, clientAddress: "192.0.2.7", by: Change(actor: ada)
            )
            #expect(registration.tracker == known.id)
            #expect(registration.expiresAt == fixture.now.adding(seconds: Limits.registrationSeconds))
        }
    }

    @Test("Pending requests are limited per account and deleted with the item", arguments: Engine.allCases)
    func bounded(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let eve = try await fixture.person("Eve")
            let item = try await fixture.item(of: ada).item.id
            let theirs = try await fixture.item(of: eve).item.id
            let tracker = try NearTracker(fixture)
            _ = try await tracker.meet(theirs, of: eve)
            let oldest = try await tracker.meet(item, of: ada)
            var newest = ""
            for _ in 0..<Limits.pendingRegistrationsPerAccount {
                fixture.clock.advance(seconds: 1)
                newest = try await tracker.meet(item, of: ada)
            }
            #expect(try await fixture.count("registration") == Limits.pendingRegistrationsPerAccount + 1)
            #expect(await pairing(fixture, item, oldest, ada)?.code == .invalid)
            _ = try await fixture.tracking.bluetoothPairings.pair(item, pairing: newest, by: Change(actor: ada))
            #expect(try await fixture.count("registration") == 0)
            let second = try NearTracker(fixture)
            _ = try await second.meet(theirs, of: eve)
            try await fixture.tracking.itemDeletions.delete(theirs, by: Change(actor: eve))
            #expect(try await fixture.count("registration") == 0)
        }
    }

    @Test("A repeated change gets the first response", arguments: Engine.allCases)
    func idempotent(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let answer = try await NearTracker(fixture).meet(item, of: ada)
            let change = Change.keyed(ada, "PUT", "/tracking/items/\(item)/tracker", "k", body: answer)
            let first = try await fixture.tracking.bluetoothPairings.pair(item, pairing: answer, by: change)
            let again = try await fixture.tracking.bluetoothPairings.pair(item, pairing: answer, by: change)
            #expect(first.tracker.id == again.tracker.id)
            #expect(try await fixture.count("command") == 1)
        }
    }

    @Test("A tracker learns that its item is lost", arguments: Engine.allCases)
    func lost(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let tracker = try await FakeTracker(fixture)
            try await tracker.activate(for: item, of: ada)
            let fix = try tracker.fix(52.5, 13.4)
            #expect(try await !tracker.call(phase: .active, fixes: [fix]).settings.isLost)
            try await fixture.tracking.phonePositions.report(
                PhonePosition(latitude: 52.5, longitude: 13.4, accuracyMetres: nil, at: nil), by: ada
            )
            #expect(try await !tracker.call(phase: .active).settings.isLost)
            fixture.clock.advance(seconds: 60)
            try await fixture.tracking.phonePositions.report(
                PhonePosition(latitude: 52.501, longitude: 13.4, accuracyMetres: nil, at: nil), by: ada
            )
            #expect(try await tracker.call(phase: .active).settings.isLost)
        }
    }

    @Test("A tracker's item isn't lost at exactly its limit, to the millimetre", arguments: Engine.allCases)
    func limit(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let tracker = try await FakeTracker(fixture)
            try await tracker.activate(for: item, of: ada)
            let place = try #require(Coordinate(latitude: 52.5, longitude: 13.4))
            _ = try await tracker.call(phase: .active, fixes: [try tracker.fix(52.5, 13.4)])
            let limit = Double(ItemSettings.standard.lostMetres)
            for (more, isLost) in [(0.0002, false), (0.002, true)] {
                let metresPerDegree = 111_195.08
                var latitude = place.latitude + (limit + more) / metresPerDegree
                // The phone is `more` metres beyond the limit, to a tenth of a millimetre.
                for _ in 0..<3 {
                    let phone = try #require(Coordinate(latitude: latitude, longitude: place.longitude))
                    latitude += (limit + more - phone.distanceMetres(to: place)) / metresPerDegree
                }
                fixture.clock.advance(seconds: 1)
                try await fixture.tracking.phonePositions.report(
                    PhonePosition(latitude: latitude, longitude: place.longitude), by: ada)
                let settings = try await tracker.call(phase: .active).settings
                #expect(abs(try #require(settings.distanceMetres) - limit - more) < 0.0001)
                #expect(settings.isLost == isLost)
            }
        }
    }

    @Test("A tracker measures from the nearest phone, also of more than 100", arguments: Engine.allCases)
    func manyPhones(engine: Engine) async throws {
        try await withFixture(engine) { fixture in
            let ada = try await fixture.person()
            let item = try await fixture.item(of: ada).item.id
            let tracker = try await FakeTracker(fixture)
            try await tracker.activate(for: item, of: ada)
            _ = try await tracker.call(phase: .active, fixes: [try tracker.fix(52.5, 13.4)])
            try await fixture.tracking.phonePositions.report(PhonePosition(latitude: 52.5, longitude: 13.4), by: ada)
            fixture.clock.advance(seconds: 1)
            for _ in 0...Limits.sourcesPerAccount {
                let other = try await fixture.otherDevice(of: ada)
                try await fixture.tracking.phonePositions.report(
                    PhonePosition(latitude: 53, longitude: 13.4), by: other)
            }
            let settings = try await tracker.call(phase: .active).settings
            #expect(try #require(settings.distanceMetres) < 1)
        }
    }
}
