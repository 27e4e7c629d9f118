import Kernel
import Testing
import TrackerProtocol

@Suite struct FrameTests {
    private func message(_ count: Int) -> BluetoothMessage {
        BluetoothMessage(.uplink, (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    }

    @Test(
        "A message of any length reads back unchanged from frames within the size limit",
        arguments: [0, 1, 177, 178, 179, 357, 358, 179 * 64, 179 * 130, Limits.bluetoothMessageBytes]
    )
    func roundTrip(_ count: Int) throws {
        let message = message(count)
        let frames = message.frames()
        #expect(frames.allSatisfy { (1...Limits.bluetoothFrameBytes).contains($0.count) })
        #expect(frames.count == count / 179 + 1)
        var assembler = BluetoothAssembler()
        for frame in frames.dropLast() { #expect(try assembler.add(frame) == nil) }
        #expect(try assembler.add(unwrap(frames.last)) == message)
        for frame in frames.dropLast() { #expect(try assembler.add(frame) == nil) }
        #expect(try assembler.add(unwrap(frames.last)) == message)
    }

    @Test("No frame exceeds the link's packet size", arguments: [0, 23, 24, 50, 182, 183, 247, 517])
    func packets(_ mtu: Int) throws {
        let message = message(5_000)
        let frames = message.frames(mtu: mtu)
        #expect(frames.map(\.count).max() == min(180, max(20, mtu - 3)))
        var assembler = BluetoothAssembler()
        for frame in frames.dropLast() { #expect(try assembler.add(frame) == nil) }
        #expect(try assembler.add(unwrap(frames.last)) == message)
    }

    @Test("The longest message in the smallest frames fits into the queue") func queue() {
        #expect(message(Limits.bluetoothMessageBytes).frames(mtu: 23).count < Limits.bluetoothQueue)
    }

    struct Run: Sendable, CustomTestStringConvertible {
        let name: String
        let frames: [[UInt8]]
        let failure: FrameFailure
        var testDescription: String { name }
    }

    static let refused = [
        Run(name: "nothing", frames: [[]], failure: .size),
        Run(name: "too long", frames: [[0xc0] + [UInt8](repeating: 0x55, count: 180)], failure: .size),
        Run(name: "no kind", frames: [[0xc0]], failure: .kind),
        Run(name: "unknown kind", frames: [[0xc0, 0x5a]], failure: .kind),
        Run(name: "no beginning", frames: [[0x01, 1]], failure: .order),
        Run(name: "no beginning, number 0", frames: [[0x40, 1]], failure: .order),
        Run(name: "first is not number 0", frames: [[0x81, 0x55]], failure: .order),
        Run(name: "one left out", frames: [[0x80, 0x55, 1], [0x02, 2]], failure: .order),
        Run(name: "one twice", frames: [[0x80, 0x55, 1], [0x01, 2], [0x01, 2]], failure: .order),
        Run(
            name: "endless",
            frames: [[0x80, 0x55]]
                + (1...367).map { [UInt8($0 & 0x3f)] + [UInt8](repeating: 0, count: 179) },
            failure: .tooLarge
        ),
    ]

    @Test("Inconsistent frames are rejected, and the next message is read", arguments: refused)
    func refusals(_ run: Run) throws {
        var assembler = BluetoothAssembler()
        for frame in run.frames.dropLast() { #expect(try assembler.add(frame) == nil) }
        #expect(throws: run.failure) { try assembler.add(unwrap(run.frames.last)) }
        #expect(throws: FrameFailure.order) { try assembler.add([0x41, 1]) }
        #expect(try assembler.add([0xc0, 0x45, 1]) == BluetoothMessage(.refusal, [1]))
    }

    @Test("A first frame discards an unfinished message") func anew() throws {
        var assembler = BluetoothAssembler()
        #expect(try assembler.add([0x80, 0x55, 1]) == nil)
        #expect(try assembler.add([0xc0, 0x44, 2]) == BluetoothMessage(.answer, [2]))
    }
}

@Suite struct BluetoothIdentityTests {
    private func identity(id: TrackerID?) -> BluetoothIdentity {
        BluetoothIdentity(
            id: id, publicKey: Array(0..<32), codeHash: Array(32..<64), phase: .unbound,
            challenge: Array(0..<16)
        )
    }

    @Test("The identity reads back and fits into a characteristic") func roundTrip() throws {
        for id in [nil, TrackerID(at: noon, series: 1)] {
            let value = identity(id: id).encoded()
            #expect(value.count <= Limits.bluetoothIdentityBytes)
            #expect(BluetoothIdentity(value) == identity(id: id))
        }
        #expect(String(decoding: identity(id: nil).encoded(), as: UTF8.self).contains(#""id":null"#))
    }

    @Test("An invalid identity is rejected") func damaged() throws {
        let good = String(decoding: identity(id: nil).encoded(), as: UTF8.self)
        let cases = [
            "", "{}", good.replacing("unbound", with: "asleep"), good.replacing(#""version":1"#, with: #""version":2"#),
            good.replacing("000102", with: "0001"), good + String(repeating: " ", count: 300),
        ]
        for text in cases { #expect(BluetoothIdentity(Array(text.utf8)) == nil) }
    }

    @Test("The advertised name depends on the key") func name() {
        #expect(TrackerBluetooth.localName(publicKey: [0x8f, 0x40, 0xc5]) == "Homeward 8F40")
    }
}
