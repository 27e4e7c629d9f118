import Kernel
import Testing
import TrackerProtocol

/// A tracker and a server that pair over Bluetooth.
private struct PairingFixture {
    let id = TrackerID(at: noon, series: 1)
    let binding = TrackerBindingID(at: noon, series: 2)
    let challenge: [UInt8] = Array(100..<116)
    let own: KeyPair
    let serverKeyPair: KeyPair
    let server: ServerChannel

    init(seed: UInt8 = 1) throws {
        own = try KeyPair(privateKey: [UInt8](repeating: 1, count: 32))
        serverKeyPair = try KeyPair(privateKey: [UInt8](repeating: seed &+ 100, count: 32))
        server = ServerChannel(
            tracker: id, keys: try TrackerKeys(server: serverKeyPair, trackerPublicKey: own.publicKey)
        )
    }

    var contact: FirstContactResponse { FirstContactResponse(id: id, publicKey: serverKeyPair.publicKey) }

    func request(
        tracker: TrackerID? = nil, serverPublicKey: [UInt8]? = nil, challenge: [UInt8]? = nil
    ) -> RegisterRequest {
        RegisterRequest(
            tracker: tracker ?? id, serverPublicKey: serverPublicKey ?? serverKeyPair.publicKey, binding: binding,
            challenge: challenge ?? self.challenge, at: noon, expiresAt: noon.adding(seconds: 300)
        )
    }

    func open(
        _ content: [UInt8], server: FirstContactResponse? = nil, challenge: [UInt8]?? = .none, now: Instant = noon
    ) throws(RegisterRefusal) -> VerifiedRegisterRequest {
        try RegisterRequest.open(
            content, keyPair: own, server: server, challenge: challenge ?? self.challenge, now: now
        )
    }
}

@Suite struct RegistrationTests {
    @Test("A tracker without a server accepts a request, and the server accepts its answer") func wholeWay() throws {
        let meeting = try PairingFixture()
        let believed = try meeting.open(meeting.server.seal(meeting.request()))
        #expect(believed.request == meeting.request())
        #expect(believed.server == meeting.contact)
        let answer = RegisterResponse(to: believed.request, at: noon.adding(seconds: 1))
        let packed = try unwrap(PackedMessage(believed.channel.seal(answer)))
        #expect(packed.tracker == meeting.id)
        #expect(try meeting.server.open(packed) == answer)
        #expect(answer.binding == meeting.binding)
        #expect(answer.challenge == meeting.challenge)
    }

    @Test("A tracker that knows its server accepts requests only from that server") func known() throws {
        let meeting = try PairingFixture()
        let other = try PairingFixture(seed: 2)
        let request = meeting.server.seal(meeting.request())
        #expect(try meeting.open(request, server: meeting.contact).server == meeting.contact)
        #expect(throws: RegisterRefusal.otherParty) { try meeting.open(request, server: other.contact) }
        let otherID = FirstContactResponse(id: TrackerID(at: noon, series: 9), publicKey: meeting.contact.publicKey)
        #expect(throws: RegisterRefusal.otherParty) { try meeting.open(request, server: otherID) }
        // The outer id differs from the inner one.
        let otherChannel = ServerChannel(
            tracker: otherID.id, keys: try TrackerKeys(tracker: meeting.own, serverPublicKey: meeting.contact.publicKey)
        )
        #expect(throws: RegisterRefusal.otherParty) { try meeting.open(otherChannel.seal(meeting.request())) }
    }

    @Test("A request is refused with its reason: replayed, expired, wrongly signed, malformed") func refused() throws {
        let meeting = try PairingFixture()
        let request = meeting.server.seal(meeting.request())
        #expect(throws: RegisterRefusal.replayed) { try meeting.open(request, challenge: .some(nil)) }
        #expect(throws: RegisterRefusal.replayed) {
            try meeting.open(request, challenge: [UInt8](repeating: 0, count: 16))
        }
        #expect(throws: RegisterRefusal.expired) { try meeting.open(request, now: noon.adding(seconds: 300)) }
        _ = try meeting.open(request, now: noon.adding(seconds: 299))
        // Signed by another party that claims to be the server.
        let liar = try PairingFixture(seed: 2)
        let lie = liar.server.seal(meeting.request())
        #expect(throws: RegisterRefusal.signature) { try meeting.open(lie) }
        let weak = meeting.request(serverPublicKey: [UInt8](repeating: 0, count: 32))
        #expect(throws: RegisterRefusal.signature) { try meeting.open(meeting.server.seal(weak)) }
        for content in [[], Array(request.prefix(47)), Array(request.prefix(100)), [UInt8](repeating: 0x31, count: 80)]
        {
            #expect(throws: RegisterRefusal.malformed) { try meeting.open(content) }
        }
    }

    @Test("Every flipped bit of a request or an answer is detected") func flipped() throws {
        let meeting = try PairingFixture()
        let request = meeting.server.seal(meeting.request())
        let believed = try meeting.open(request)
        let answer = believed.channel.seal(RegisterResponse(to: believed.request, at: noon))
        for bit in 0..<request.count * 8 {
            var bytes = request
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: RegisterRefusal.self) { try meeting.open(bytes) }
        }
        for bit in 0..<answer.count * 8 {
            var bytes = answer
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            guard let packed = PackedMessage(bytes) else { continue }
            #expect(throws: RegisterResponseFailure.self) { try meeting.server.open(packed) }
        }
    }

    @Test("No message signed for one purpose is accepted for another") func purposes() throws {
        let meeting = try PairingFixture()
        let believed = try meeting.open(meeting.server.seal(meeting.request()))
        let answer = try unwrap(PackedMessage(believed.channel.seal(RegisterResponse(to: believed.request, at: noon))))
        #expect(throws: UplinkRefusal.unauthenticated) {
            try meeting.server.receive(answer.sealed.body, signature: answer.sealed.signature, last: nil)
        }
        let uplink = try unwrap(PackedMessage(believed.channel.pack(try sampleUplink())))
        #expect(throws: RegisterResponseFailure.unauthenticated) { try meeting.server.open(uplink) }
        let request = try unwrap(PackedMessage(meeting.server.seal(meeting.request())))
        #expect(throws: RegisterResponseFailure.unauthenticated) { try meeting.server.open(request) }
        #expect(throws: DownlinkFailure.unauthenticated) { try believed.channel.open(request, counter: 7) }
    }

    @Test("Uplinks and their responses can be packed") func packed() throws {
        let meeting = try ChannelPairFixture()
        let packed = try unwrap(PackedMessage(meeting.tracker.pack(try sampleUplink())))
        #expect(packed.tracker == meeting.id)
        let receipt = try meeting.server.receive(packed.sealed.body, signature: packed.sealed.signature, last: nil)
        guard case .fresh(let uplink, _) = receipt else { throw MissingSample() }
        #expect(uplink == (try sampleUplink()))
        let answer = PackedMessage(tracker: meeting.id, sealed: meeting.server.seal(try sampleDownlink()))
        let read = try unwrap(PackedMessage(answer.bytes))
        #expect(try meeting.tracker.open(read, counter: 7) == .accepted(sampleDownlink()))
        let otherMessage = PackedMessage(tracker: TrackerID(at: noon, series: 3), sealed: answer.sealed)
        #expect(throws: DownlinkFailure.unauthenticated) { try meeting.tracker.open(otherMessage, counter: 7) }
    }
}
