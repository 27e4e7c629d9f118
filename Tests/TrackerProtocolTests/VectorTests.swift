import Crypto
import Kernel
import Testing
import TrackerProtocol

@Suite struct VectorTests {
    let vectors: Vectors

    init() throws { vectors = try Vectors() }

    @Test("The claim code's hash equals the document's") func claimCode() throws {
        let code = try unwrap(ClaimCode(vectors.text("claim-code")))
        #expect(code.description == (try vectors.text("claim-code")))
        #expect(code.hash == (try vectors.bytes("code-hash")))
    }

    @Test("Both sides derive the document's keys") func keys() throws {
        let tracker = try KeyPair(privateKey: vectors.bytes("tracker-private-key"))
        let server = try KeyPair(privateKey: vectors.bytes("server-private-key"))
        #expect(tracker.publicKey == (try vectors.bytes("tracker-public-key")))
        #expect(server.publicKey == (try vectors.bytes("server-public-key")))
        let ours = try TrackerKeys(server: server, trackerPublicKey: tracker.publicKey)
        let theirs = try TrackerKeys(tracker: tracker, serverPublicKey: server.publicKey)
        #expect(ours == theirs)
        #expect(ours.stored == (try vectors.bytes("pseudorandom-key")))
        #expect(TrackerKeys(stored: ours.stored) == ours)
    }

    @Test("The document's intermediate values follow from its rules") func intermediate() throws {
        let tracker = try Curve25519.KeyAgreement.PrivateKey(
            rawRepresentation: vectors.bytes("tracker-private-key")
        )
        let server = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: vectors.bytes("server-public-key"))
        let secret = try tracker.sharedSecretFromKeyAgreement(with: server).withUnsafeBytes { Array($0) }
        #expect(secret == (try vectors.bytes("shared-secret")))
        let salt = try vectors.bytes("tracker-public-key") + vectors.bytes("server-public-key")
        for name in ["uplink", "downlink", "compact uplink", "compact downlink", "finder"] {
            let key = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: secret), salt: salt,
                info: Array("homeward-tracker-1 \(name)".utf8), outputByteCount: 32
            )
            let expected = try vectors.bytes(name.replacing(" ", with: "-") + "-key")
            #expect(key.withUnsafeBytes { Array($0) } == expected)
        }
    }

    private func ends() throws -> (tracker: TrackerChannel, server: ServerChannel, keys: TrackerKeys) {
        let keys = try unwrap(TrackerKeys(stored: vectors.bytes("pseudorandom-key")))
        let id = try unwrap(TrackerID(vectors.text("tracker-id")))
        return (TrackerChannel(tracker: id, keys: keys), ServerChannel(tracker: id, keys: keys), keys)
    }

    @Test("A message has the document's bytes and signature") func uplink() throws {
        let (tracker, server, _) = try ends()
        let sealed = tracker.seal(try sampleUplink())
        #expect(String(decoding: sealed.body, as: UTF8.self) == (try vectors.text("uplink-body")))
        #expect(sealed.signature == (try vectors.text("uplink-signature")))
        let receipt = try server.receive(
            vectors.body("uplink-body"), signature: vectors.text("uplink-signature"), last: nil
        )
        let tag = try vectors.bytes("uplink-signature")
        #expect(receipt == .fresh(try sampleUplink(), UplinkMark(counter: 7, tag: tag)))
    }

    @Test("A response has the document's bytes and signature") func downlink() throws {
        let (tracker, server, _) = try ends()
        let sealed = server.seal(try sampleDownlink())
        #expect(String(decoding: sealed.body, as: UTF8.self) == (try vectors.text("downlink-body")))
        #expect(sealed.signature == (try vectors.text("downlink-signature")))
        let answer = try tracker.open(
            vectors.body("downlink-body"), signature: vectors.text("downlink-signature"), counter: 7
        )
        #expect(answer == .accepted(try sampleDownlink()))
    }

    @Test("Refusals have the document's bytes and signatures")
    func refusals() throws {
        let (tracker, server, _) = try ends()
        let cases: [(name: String, refusal: UplinkRefusal, answer: DownlinkResponse)] = [
            ("stale", .stale(counter: 7, last: 9), .stale(last: 9)),
            ("malformed", .malformed(counter: 7), .malformed),
        ]
        for (name, refusal, answer) in cases {
            let sealed = try unwrap(server.seal(refusing: refusal, at: noon.adding(seconds: 6)))
            #expect(String(decoding: sealed.body, as: UTF8.self) == (try vectors.text("\(name)-body")))
            #expect(sealed.signature == (try vectors.text("\(name)-signature")))
            #expect(try tracker.open(sealed.body, signature: sealed.signature, counter: 7) == answer)
        }
    }

    @Test("A compact frame has the document's bytes") func compact() throws {
        let (_, _, keys) = try ends()
        let counter = try unwrap(Int64(vectors.text("compact-counter")))
        let frame = try unwrap(CompactFix(counter: counter, fix: try sampleFix(), mode: .cellular)).sealed(with: keys)
        #expect(frame == (try vectors.bytes("compact-frame")))
        let read = try CompactFix(frame, keys: keys, lastCounter: counter - 1)
        #expect(read.counter == counter)
        #expect(read.mode == .cellular)
        #expect(read.fix.at == noon)
        #expect(read.fix.coordinate == (try sampleFix()).coordinate)
        #expect(read.fix.accuracyMetres == 5)
        #expect(read.fix.headingDegrees == 271.5)
        #expect(read.fix.batteryPercent == 87)
    }

    private func registerRequest() throws -> RegisterRequest {
        RegisterRequest(
            tracker: try unwrap(TrackerID(vectors.text("tracker-id"))),
            serverPublicKey: try vectors.bytes("server-public-key"),
            binding: try unwrap(TrackerBindingID("019c0000-0000-7000-8000-0000000000b1")),
            challenge: try vectors.bytes("register-challenge"), at: noon.adding(seconds: 6),
            expiresAt: noon.adding(seconds: 306)
        )
    }

    @Test("A register request has the document's bytes, signature and frames") func registerRequestVector() throws {
        let (_, server, _) = try ends()
        let packed = server.seal(try registerRequest())
        let read = try unwrap(PackedMessage(packed))
        #expect(String(decoding: read.sealed.body, as: UTF8.self) == (try vectors.text("register-body")))
        #expect(read.sealed.signature == (try vectors.text("register-signature")))
        let frames = BluetoothMessage(.registerRequest, packed).frames()
        #expect(frames == (try (1...3).map { try vectors.bytes("register-frame-\($0)") }))
        let refusal = BluetoothMessage(.refusal, Array(RegisterRefusal.bound.rawValue.utf8)).frames()
        #expect(refusal == [try vectors.bytes("refusal-frame")])
        let keyPair = try KeyPair(privateKey: vectors.bytes("tracker-private-key"))
        let believed = try RegisterRequest.open(
            packed, keyPair: keyPair, server: nil, challenge: vectors.bytes("register-challenge"),
            now: noon.adding(seconds: 6)
        )
        #expect(believed.request == (try registerRequest()))
    }

    @Test("A register answer has the document's bytes and signature") func registerResponseVector() throws {
        let (tracker, server, _) = try ends()
        let answer = RegisterResponse(to: try registerRequest(), at: noon.adding(seconds: 7))
        let packed = try unwrap(PackedMessage(tracker.seal(answer)))
        #expect(String(decoding: packed.sealed.body, as: UTF8.self) == (try vectors.text("pairing-body")))
        #expect(packed.sealed.signature == (try vectors.text("pairing-signature")))
        #expect(try server.open(packed) == answer)
    }

    @Test("Compact commands and acknowledgements have the document's bytes") func compactCommands() throws {
        let (_, _, keys) = try ends()
        for (name, command) in zip(["compact-command", "compact-release"], try sampleDownlink().commands) {
            let frame = try unwrap(CompactCommand(command)).sealed(with: keys)
            #expect(frame == (try vectors.bytes(name)))
            #expect(try CompactCommand(frame, keys: keys).command == command)
        }
        let acknowledgement = try sampleUplink().acknowledgements[0]
        let frame = CompactAcknowledgement(acknowledgement).sealed(with: keys)
        #expect(frame == (try vectors.bytes("compact-acknowledgement")))
        #expect(try CompactAcknowledgement(frame, keys: keys).acknowledgement == acknowledgement)
    }

    @Test("A finder token is read as the document prescribes") func finderToken() throws {
        let (_, _, keys) = try ends()
        let server = try KeyPair(privateKey: vectors.bytes("finder-private-key"))
        let token = try FinderToken(vectors.bytes("finder-token"), for: server)
        #expect(token.tracker == (try unwrap(TrackerID(vectors.text("tracker-id")))))
        #expect(token.at == noon.adding(seconds: 7))
        #expect(token.isGenuine(for: keys))
    }
}
