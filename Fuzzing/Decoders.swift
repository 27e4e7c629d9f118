import Kernel
import TrackerCore
import TrackerProtocol

/// The function that libFuzzer calls with each input: the first byte selects a decoder, the rest is the decoder's
/// input. Data that the product reads only after it checks a signature is signed here first, so that the fuzzer reaches
/// the code behind the check.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = input.first, let bench = FuzzTargets.shared else { return 0 }
    bench.run(choice, Array(input.dropFirst()))
    return 0
}

/// Both ends of one conversation, with the keys of the test vectors in the protocol document.
struct FuzzTargets: Sendable {
    static let shared = FuzzTargets()

    let id: TrackerID
    let own: KeyPair
    let keys: TrackerKeys
    let server: ServerChannel
    let tracker: TrackerChannel
    let now = Instant(millisecondsSince1970: 1_772_366_406_000)
    let challenge: [UInt8] = Array(0x60..<0x70)

    init?() {
        guard
            let id = TrackerID("019c0000-0000-7000-8000-000000000001"),
            let own = try? KeyPair(privateKey: Array(0..<32)), let other = try? KeyPair(privateKey: Array(32..<64)),
            let keys = try? TrackerKeys(server: other, trackerPublicKey: own.publicKey)
        else { return nil }
        self.id = id
        self.own = own
        self.keys = keys
        server = ServerChannel(tracker: id, keys: keys)
        tracker = TrackerChannel(tracker: id, keys: keys)
    }

    func run(_ choice: UInt8, _ bytes: [UInt8]) {
        switch choice {
        case UInt8(ascii: "u"): uplink(bytes)
        case UInt8(ascii: "d"): downlink(bytes)
        case UInt8(ascii: "r"): registerRequest(bytes)
        case UInt8(ascii: "a"): registerResponse(bytes)
        case UInt8(ascii: "f"): compactFix(bytes)
        case UInt8(ascii: "c"): compactCommand(bytes)
        case UInt8(ascii: "k"): compactAcknowledgement(bytes)
        case UInt8(ascii: "b"): bluetooth(bytes)
        case UInt8(ascii: "m"): memory(bytes)
        default: plain(bytes)
        }
    }

    private func uplink(_ body: [UInt8]) {
        let signature = DocumentSigner.uplink(body, id: id, stored: keys.stored)
        guard case .fresh(let uplink, _)? = try? server.receive(body, signature: signature, last: nil) else { return }
        // A message that was read must be written and read back to the same value.
        let sealed = tracker.seal(uplink)
        guard case .fresh(let again, _)? = try? server.receive(sealed.body, signature: sealed.signature, last: nil)
        else { preconditionFailure("a message that was read can't be read again") }
        precondition(again.fixes == uplink.fixes && again.acknowledgements == uplink.acknowledgements)
        for frame in CompactFrames.frames(of: uplink, keys: keys) { _ = CompactFrames.split(frame) }
    }

    private func downlink(_ body: [UInt8]) {
        let signature = DocumentSigner.downlink(body, id: id, stored: keys.stored)
        guard let answer = try? tracker.open(body, signature: signature, counter: 7) else { return }
        var machine = active()
        _ = machine.handle(.answered(answer), at: now)
        _ = machine.handle(.woke, at: now.adding(seconds: 60))
        precondition(TrackerMemory(bytes: machine.memory.bytes) == machine.memory)
    }

    /// A tracker's state machine in the middle of its seventh message.
    private func active() -> TrackerMachine {
        var machine = TrackerMachine(plan: TrackerPlan())
        _ = machine.handle(.registerRequest(id.cast(to: TrackerBinding.self)), at: now)
        for _ in 1..<7 {
            _ = machine.handle(.answered(.stale(last: machine.memory.counter)), at: now)
            _ = machine.handle(.woke, at: now.adding(seconds: 3_600))
        }
        return machine
    }

    private func registerRequest(_ body: [UInt8]) {
        let sealed = SealedMessage(body: body, signature: DocumentSigner.register(body, id: id, stored: keys.stored))
        let content = PackedMessage(tracker: id, sealed: sealed).bytes
        let believed = try? RegisterRequest.open(content, keyPair: own, server: nil, challenge: challenge, now: now)
        if let believed { _ = believed.channel.seal(RegisterResponse(to: believed.request, at: now)) }
    }

    private func registerResponse(_ body: [UInt8]) {
        let sealed = SealedMessage(body: body, signature: DocumentSigner.pairing(body, id: id, stored: keys.stored))
        _ = try? server.open(PackedMessage(tracker: id, sealed: sealed))
    }

    private func compactFix(_ bytes: [UInt8]) {
        let content = Array(bytes.prefix(23))
        var covered: [UInt8] = [0, 0, 0, 0]
        covered += content.dropFirst().prefix(4)
        let tag = DocumentSigner.compact(covered + content, stored: keys.stored, info: "compact uplink")
        guard let read = try? CompactFix(content + tag, keys: keys, lastCounter: 0) else { return }
        guard let again = CompactFix(counter: read.counter, fix: read.fix, mode: read.mode) else {
            preconditionFailure("a frame that was read can't be made")
        }
        precondition((try? CompactFix(again.sealed(with: keys), keys: keys, lastCounter: 0)) != nil)
    }

    private func compactCommand(_ bytes: [UInt8]) {
        let content = Array(bytes.prefix(30))
        let tag = DocumentSigner.compact(content, stored: keys.stored, info: "compact downlink")
        guard let read = try? CompactCommand(content + tag, keys: keys) else { return }
        var machine = active()
        _ = machine.handle(.command(read.command), at: now)
        precondition(TrackerMemory(bytes: machine.memory.bytes) == machine.memory)
        if let again = CompactCommand(read.command) { precondition(again.sealed(with: keys) == content + tag) }
    }

    private func compactAcknowledgement(_ bytes: [UInt8]) {
        let content = Array(bytes.prefix(18))
        let tag = DocumentSigner.compact(content, stored: keys.stored, info: "compact uplink")
        guard let read = try? CompactAcknowledgement(content + tag, keys: keys) else { return }
        precondition(read.sealed(with: keys) == content + tag)
    }

    /// Feeds frames, each preceded by a byte with its length.
    private func bluetooth(_ bytes: [UInt8]) {
        var assembler = BluetoothAssembler()
        var rest = bytes[...]
        while let length = rest.popFirst() {
            let frame = Array(rest.prefix(Int(length)))
            rest = rest.dropFirst(Int(length))
            guard let message = try? assembler.add(frame) else { continue }
            var other = BluetoothAssembler()
            let whole = message.frames().compactMap { try? other.add($0) }
            precondition(whole == [message])
        }
    }

    /// Appends the checksum that makes the bytes a valid record.
    private func memory(_ bytes: [UInt8]) {
        var whole = bytes
        let checksum = Self.crc32(bytes)
        for shift in stride(from: 24, through: 0, by: -8) { whole.append(UInt8(truncatingIfNeeded: checksum >> shift)) }
        guard let memory = TrackerMemory(bytes: whole) else { return }
        precondition(TrackerMemory(bytes: memory.bytes) == memory)
    }

    private func plain(_ bytes: [UInt8]) {
        _ = BluetoothIdentity(bytes)
        _ = try? FirstContact.read(bytes)
        _ = FirstContactResponse(bytes)
        _ = PackedMessage(bytes).map { try? server.open($0) }
        if let frames = CompactFrames.split(bytes) { precondition(frames.flatMap { $0 } == bytes) }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { remainder, byte in
            (0..<8).reduce(remainder ^ UInt32(byte)) { bits, _ in bits & 1 == 1 ? bits >> 1 ^ 0xedb8_8320 : bits >> 1 }
        }
    }
}
