import Foundation
import Kernel
import Testing
import TrackerProtocol

@Suite struct ConversationTests {
    @Test("A message and its response are accepted") func roundTrip() throws {
        let meeting = try ChannelPairFixture()
        let sealed = meeting.tracker.seal(try sampleUplink())
        guard
            case .fresh(let uplink, let mark) = try meeting.server.receive(
                sealed.body, signature: sealed.signature, last: nil
            )
        else {
            Issue.record("not fresh")
            return
        }
        #expect(uplink == (try sampleUplink()))
        #expect(mark.counter == 7)
        let answer = meeting.server.seal(try sampleDownlink())
        #expect(
            try meeting.tracker.open(answer.body, signature: answer.signature, counter: 7)
                == .accepted(sampleDownlink())
        )
    }

    @Test("The same message again is a repeat; an older or different one is stale") func counters() throws {
        let meeting = try ChannelPairFixture()
        let seventh = meeting.tracker.seal(try sampleUplink(counter: 7))
        guard
            case .fresh(_, let mark) = try meeting.server.receive(
                seventh.body, signature: seventh.signature, last: nil
            )
        else {
            Issue.record("not fresh")
            return
        }
        let again = try meeting.server.receive(seventh.body, signature: seventh.signature, last: mark)
        #expect(again == .repeated(try sampleUplink(counter: 7)))
        let sixth = meeting.tracker.seal(try sampleUplink(counter: 6))
        #expect(throws: UplinkRefusal.stale(counter: 6, last: 7)) {
            try meeting.server.receive(sixth.body, signature: sixth.signature, last: mark)
        }
        let other = meeting.tracker.seal(
            Uplink(counter: 7, at: noon, phase: .off, mode: .bluetooth, batteryPercent: nil)
        )
        #expect(throws: UplinkRefusal.stale(counter: 7, last: 7)) {
            try meeting.server.receive(other.body, signature: other.signature, last: mark)
        }
        let eighth = meeting.tracker.seal(try sampleUplink(counter: 8))
        guard case .fresh = try meeting.server.receive(eighth.body, signature: eighth.signature, last: mark) else {
            Issue.record("not fresh")
            return
        }
    }

    @Test("Every flipped bit of a message or its signature is detected") func flippedUplink() throws {
        let meeting = try ChannelPairFixture()
        let sealed = meeting.tracker.seal(try sampleUplink())
        for index in sealed.body.indices {
            for bit in 0..<8 {
                var body = sealed.body
                body[index] ^= 1 << UInt8(bit)
                #expect(throws: UplinkRefusal.unauthenticated) {
                    try meeting.server.receive(body, signature: sealed.signature, last: nil)
                }
            }
        }
        for signature in flippedSignatures(of: sealed.signature) {
            #expect(throws: UplinkRefusal.unauthenticated) {
                try meeting.server.receive(sealed.body, signature: signature, last: nil)
            }
        }
    }

    @Test("Every flipped bit of a response or its signature is detected") func flippedDownlink() throws {
        let meeting = try ChannelPairFixture()
        let sealed = meeting.server.seal(try sampleDownlink())
        for index in sealed.body.indices {
            for bit in 0..<8 {
                var body = sealed.body
                body[index] ^= 1 << UInt8(bit)
                #expect(throws: DownlinkFailure.unauthenticated) {
                    try meeting.tracker.open(body, signature: sealed.signature, counter: 7)
                }
            }
        }
        for signature in flippedSignatures(of: sealed.signature) {
            #expect(throws: DownlinkFailure.unauthenticated) {
                try meeting.tracker.open(sealed.body, signature: signature, counter: 7)
            }
        }
    }

    private func flippedSignatures(of signature: String) -> [String] {
        let digits = Array(signature)
        return digits.indices.map { index in
            var changed = digits
            changed[index] = digits[index] == "0" ? "1" : "0"
            return String(changed)
        }
    }

    @Test("A truncated message or signature is detected") func truncated() throws {
        let meeting = try ChannelPairFixture()
        let sealed = meeting.tracker.seal(try sampleUplink())
        for length in 0..<sealed.body.count {
            #expect(throws: UplinkRefusal.unauthenticated) {
                try meeting.server.receive(Array(sealed.body.prefix(length)), signature: sealed.signature, last: nil)
            }
        }
        let signatures = (0..<64).map { String(sealed.signature.prefix($0)) } + [sealed.signature + "0", "zz", "é"]
        for signature in signatures {
            #expect(throws: UplinkRefusal.unauthenticated) {
                try meeting.server.receive(sealed.body, signature: signature, last: nil)
            }
        }
        #expect(throws: UplinkRefusal.unauthenticated) {
            try meeting.server.receive(sealed.body, signature: nil, last: nil)
        }
    }

    @Test("Another tracker's keys or id, and a message sent back as a response, are rejected")
    func otherParties() throws {
        let meeting = try ChannelPairFixture(seed: 1)
        let other = try ChannelPairFixture(seed: 2)
        let sealed = meeting.tracker.seal(try sampleUplink())
        #expect(throws: UplinkRefusal.unauthenticated) {
            try other.server.receive(sealed.body, signature: sealed.signature, last: nil)
        }
        let sameKeys = ServerChannel(tracker: other.id, keys: meeting.keys)
        #expect(throws: UplinkRefusal.unauthenticated) {
            try sameKeys.receive(sealed.body, signature: sealed.signature, last: nil)
        }
        #expect(throws: DownlinkFailure.unauthenticated) {
            try meeting.tracker.open(sealed.body, signature: sealed.signature, counter: 7)
        }
        let answer = other.server.seal(try sampleDownlink())
        #expect(throws: DownlinkFailure.unauthenticated) {
            try meeting.tracker.open(answer.body, signature: answer.signature, counter: 7)
        }
    }

    @Test("An authentic response to another message is rejected") func otherMessage() throws {
        let meeting = try ChannelPairFixture()
        let answer = meeting.server.seal(try sampleDownlink(counter: 7))
        #expect(throws: DownlinkFailure.otherMessage) {
            try meeting.tracker.open(answer.body, signature: answer.signature, counter: 8)
        }
    }

    @Test("Keys with a predictable shared secret are rejected") func weakKeys() throws {
        let own = try KeyPair(privateKey: [UInt8](repeating: 3, count: 32))
        let one: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)
        for weak in [[UInt8](repeating: 0, count: 32), one, [], [UInt8](repeating: 9, count: 31)] {
            #expect(throws: KeyFailure.unusable) { try TrackerKeys(server: own, trackerPublicKey: weak) }
        }
        #expect(throws: KeyFailure.unusable) { try KeyPair(privateKey: [1, 2, 3]) }
        #expect(TrackerKeys(stored: [1, 2, 3]) == nil)
    }
}
