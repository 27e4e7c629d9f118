import Crypto
import Kernel
import Testing
import TrackerProtocol

@Suite struct VectorTests {
    let vectors: Vectors

    init() throws { vectors = try Vectors() }

    @Test("the claim code's hash is the document's") func claimCode() throws {
        let code = try unwrap(ClaimCode(vectors.text("claim-code")))
        #expect(code.description == (try vectors.text("claim-code")))
        #expect(code.hash == (try vectors.bytes("code-hash")))
    }

    @Test("both sides derive the document's keys") func keys() throws {
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

    @Test("the document's intermediate values follow from its rules") func intermediate() throws {
        let tracker = try Curve25519.KeyAgreement.PrivateKey(
            rawRepresentation: vectors.bytes("tracker-private-key")
        )
        let server = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: vectors.bytes("server-public-key"))
        let secret = try tracker.sharedSecretFromKeyAgreement(with: server).withUnsafeBytes { Array($0) }
        #expect(secret == (try vectors.bytes("shared-secret")))
        let salt = try vectors.bytes("tracker-public-key") + vectors.bytes("server-public-key")
        for name in ["uplink", "downlink", "compact uplink"] {
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

    @Test("a message has the document's bytes and signature") func uplink() throws {
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

    @Test("an answer has the document's bytes and signature") func downlink() throws {
        let (tracker, server, _) = try ends()
        let sealed = server.seal(try sampleDownlink())
        #expect(String(decoding: sealed.body, as: UTF8.self) == (try vectors.text("downlink-body")))
        #expect(sealed.signature == (try vectors.text("downlink-signature")))
        let answer = try tracker.open(
            vectors.body("downlink-body"), signature: vectors.text("downlink-signature"), counter: 7
        )
        #expect(answer == .accepted(try sampleDownlink()))
    }

    @Test("refusals have the document's bytes and signatures")
    func refusals() throws {
        let (tracker, server, _) = try ends()
        let cases: [(name: String, refusal: UplinkRefusal, answer: DownlinkAnswer)] = [
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

    @Test("a compact frame has the document's bytes") func compact() throws {
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
}
