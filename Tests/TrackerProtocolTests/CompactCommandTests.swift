import Kernel
import Testing
import TrackerProtocol

@Suite struct CompactCommandTests {
    let keys: TrackerKeys
    let other: TrackerKeys

    init() throws {
        keys = try ChannelPairFixture().keys
        other = try ChannelPairFixture(seed: 2).keys
    }

    private func command(_ kind: TrackerCommandKind?, expiresAt: Instant? = nil) -> TrackerCommand {
        TrackerCommand(
            id: TrackerCommandID(at: noon, series: 5), kind: kind,
            issuedAt: Instant(millisecondsSince1970: noon.millisecondsSince1970 + 123), expiresAt: expiresAt
        )
    }

    @Test("Every command reads back unchanged, to the millisecond", arguments: TrackerCommandKind.allCases)
    func commands(_ kind: TrackerCommandKind) throws {
        for expiresAt in [nil, Instant(millisecondsSince1970: noon.millisecondsSince1970 + 60_456)] {
            let command = command(kind, expiresAt: expiresAt)
            let frame = try unwrap(CompactCommand(command)).sealed(with: keys)
            #expect(frame.count == CompactCommand.length)
            #expect(try CompactCommand(frame, keys: keys).command == command)
        }
    }

    @Test("An authentic command of an unknown kind has no kind") func unknown() throws {
        #expect(CompactCommand(command(nil)) == nil)
        var content = Array(try unwrap(CompactCommand(command(.ring))).sealed(with: keys).prefix(30))
        content[17] = 99
        let frame = content + DocumentSigner.compact(content, stored: keys.stored, info: "compact downlink")
        #expect(try CompactCommand(frame, keys: keys).command == command(nil))
    }

    @Test("A time that doesn't fit into 48 bits makes no frame") func times() {
        for milliseconds in [-1, 0xffff_ffff_ffff, Int64.max] {
            let command = TrackerCommand(
                id: TrackerCommandID(at: noon, series: 5), kind: .ring,
                issuedAt: Instant(millisecondsSince1970: milliseconds), expiresAt: nil
            )
            #expect(CompactCommand(command) == nil)
        }
    }

    @Test("Every result reads back unchanged, without its reason", arguments: TrackerCommandResult.allCases)
    func acknowledgements(_ result: TrackerCommandResult) throws {
        let id = TrackerCommandID(at: noon, series: 5)
        let frame = CompactAcknowledgement(Acknowledgement(id: id, result: result, reason: "off")).sealed(with: keys)
        #expect(frame.count == CompactAcknowledgement.length)
        let read = try CompactAcknowledgement(frame, keys: keys).acknowledgement
        #expect(read == Acknowledgement(id: id, result: result))
    }

    @Test("Altered, truncated and mistyped frames, and those of others, are rejected") func damaged() throws {
        let command = try unwrap(CompactCommand(command(.off))).sealed(with: keys)
        let acknowledgement = CompactAcknowledgement(
            Acknowledgement(id: TrackerCommandID(at: noon, series: 5), result: .applied)
        ).sealed(with: keys)
        for bit in 0..<command.count * 8 {
            var bytes = command
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: CompactCommand.Failure.self) { try CompactCommand(bytes, keys: keys) }
        }
        for bit in 0..<acknowledgement.count * 8 {
            var bytes = acknowledgement
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: CompactAcknowledgement.Failure.self) { try CompactAcknowledgement(bytes, keys: keys) }
        }
        for length in 0..<command.count {
            let cut = Array(command.prefix(length))
            #expect(throws: CompactCommand.Failure.shape) { try CompactCommand(cut, keys: keys) }
        }
        #expect(throws: CompactCommand.Failure.unauthenticated) { try CompactCommand(command, keys: other) }
        #expect(throws: CompactAcknowledgement.Failure.unauthenticated) {
            try CompactAcknowledgement(acknowledgement, keys: other)
        }
        #expect(throws: CompactCommand.Failure.shape) { try CompactCommand(acknowledgement, keys: keys) }
        #expect(throws: CompactAcknowledgement.Failure.shape) { try CompactAcknowledgement(command, keys: keys) }
    }

    @Test("A message's frames contain its content, with increasing counters") func frames() throws {
        let uplink = try sampleUplink(counter: 7)
        let frames = CompactFrames.frames(of: uplink, keys: keys)
        #expect(CompactFrames.split(frames.flatMap { $0 }) == frames)
        #expect(frames.map(\.count) == [31, 26])
        let fix = try CompactFix(frames[0], keys: keys, lastCounter: 6 << 8)
        #expect(fix.counter == 7 << 8)
        #expect(fix.fix.at == uplink.fixes[0].at)
        #expect(try CompactAcknowledgement(frames[1], keys: keys).acknowledgement == uplink.acknowledgements[0])
        #expect(CompactFrames.frames(of: uplink, keys: keys) == frames)
        #expect(Limits.fixesPerMessage < 256)
    }

    @Test("Bytes that are not a sequence of whole frames are rejected") func split() throws {
        let frame = try unwrap(CompactCommand(command(.on))).sealed(with: keys)
        #expect(CompactFrames.split([]) == [])
        #expect(CompactFrames.split(frame + frame)?.count == 2)
        #expect(CompactFrames.split(frame + [0x00]) == nil)
        #expect(CompactFrames.split(frame + frame.dropLast()) == nil)
    }
}
