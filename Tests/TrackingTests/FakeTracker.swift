import Accounts
import Kernel
import Storage
import TestSupport
import Testing
import TrackerProtocol

@testable import Tracking

/// A tracker from the server's point of view: keys, a counter, and the messages that a test needs.
final class FakeTracker {
    let fixture: TrackingFixture
    let code: ClaimCode
    private let pair: KeyPair
    private(set) var id: TrackerID
    private var channel: TrackerChannel
    let keys: TrackerKeys
    /// The device id of its SIM at Hologram, as the tracker reports it.
    var hologramDevice: Int64?
    private var counter: Int64 = 0

    init(_ fixture: TrackingFixture, address: String = "192.0.2.7") async throws {
        self.fixture = fixture
        code = ClaimCode(random: fixture.random)
        pair = try KeyPair(random: fixture.random)
        let body = FirstContact(publicKey: pair.publicKey, codeHash: code.hash).encoded()
        let answer = try #require(
            FirstContactResponse(try await fixture.tracking.firstContacts.create(body, clientAddress: address))
        )
        id = answer.id
        keys = try TrackerKeys(tracker: pair, serverPublicKey: answer.publicKey)
        channel = TrackerChannel(tracker: answer.id, keys: keys)
    }

    /// The data that it sends to a phone over Bluetooth.
    var introduction: RegistrationInput {
        RegistrationInput(
            publicKey: Hexadecimal.encoded(pair.publicKey), codeHash: Hexadecimal.encoded(code.hash),
            challenge: Hexadecimal.encoded(fixture.random.bytes(TrackerBluetooth.challengeLength))
        )
    }

    var contact: [UInt8] { FirstContact(publicKey: pair.publicKey, codeHash: code.hash).encoded() }

    /// A first contact with this tracker's key and another code.
    func contact(codeHash: [UInt8]) -> [UInt8] {
        FirstContact(publicKey: pair.publicKey, codeHash: codeHash).encoded()
    }

    func message(
        phase: TrackerPhase = .registering, mode: TrackerMode = .cellular, battery: Int? = 90,
        fixes: [TrackerFix] = [], acknowledging: [Acknowledgement] = [], counter: Int64? = nil
    ) -> (counter: Int64, sealed: SealedMessage) {
        if counter == nil { self.counter += 1 }
        let uplink = Uplink(
            counter: counter ?? self.counter, at: fixture.now, phase: phase, mode: mode, batteryPercent: battery,
            fixes: fixes, acknowledgements: acknowledging, hologramDevice: hologramDevice
        )
        return (uplink.counter, channel.seal(uplink))
    }

    func deliver(_ message: (counter: Int64, sealed: SealedMessage)) async throws -> Downlink {
        let reply = try await fixture.tracking.trackerMessages.receive(
            id.description, body: message.sealed.body, signature: message.sealed.signature
        )
        #expect(reply.status == 200)
        let answer = try channel.open(reply.body, signature: reply.signature, counter: message.counter)
        guard case .accepted(let downlink) = answer else {
            Issue.record("not accepted: \(answer)")
            throw DownlinkFailure.malformed
        }
        return downlink
    }

    func call(
        phase: TrackerPhase = .registering, mode: TrackerMode = .cellular, battery: Int? = 90,
        fixes: [TrackerFix] = [], acknowledging: [Acknowledgement] = []
    ) async throws -> Downlink {
        try await deliver(
            message(phase: phase, mode: mode, battery: battery, fixes: fixes, acknowledging: acknowledging)
        )
    }

    func fix(_ latitude: Double, _ longitude: Double, at: Instant? = nil) throws -> TrackerFix {
        try TrackerFix(at: at ?? fixture.now, latitude: latitude, longitude: longitude, batteryPercent: 90)
    }

    /// Pairs with an item and confirms the activation.
    func activate(for item: ID<Item>, of actor: Actor) async throws {
        _ = try await fixture.tracking.claimCodePairings.pair(
            item, code: code.description, clientAddress: "192.0.2.1", by: Change(actor: actor)
        )
        let downlink = try await call(phase: .registering)
        let command = try #require(downlink.commands.first)
        _ = try await call(
            phase: .active, acknowledging: [Acknowledgement(id: command.id, result: .applied)]
        )
    }
}

/// Runs `body` with a user whose item has an active tracker.
func withTracker(
    _ engine: Engine, _ body: (TrackingFixture, Actor, ID<Item>, FakeTracker) async throws -> Void
) async throws {
    try await withFixture(engine) { fixture in
        let ada = try await fixture.person()
        let item = try await fixture.item(of: ada).item.id
        let tracker = try await FakeTracker(fixture)
        try await tracker.activate(for: item, of: ada)
        try await body(fixture, ada, item, tracker)
    }
}
