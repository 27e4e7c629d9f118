import Kernel
import Testing
import TrackerProtocol

@testable import homeward_tracker

/// Always returns the same number.
private struct Constant: RandomSource {
    let number: UInt64
    func uint64() -> UInt64 { number }
}

@Suite struct SafetyTests {
    private let start = Instant(millisecondsSince1970: 1_772_366_400_000)
    private let hour: Int64 = 3_600

    private func after(_ seconds: Int64) -> Instant { start.adding(seconds: seconds) }

    private func fix(_ metresNorth: Double, at now: Instant, accuracy: Double = 5) throws -> TrackerFix {
        try TrackerFix(
            at: now, latitude: 48 + metresNorth / 111_195, longitude: 11, accuracyMetres: accuracy)
    }

    /// A tracker whose owner left at `start`, with an alarm from 8 h after the separation was detected at the earliest.
    private func left(random: UInt64 = 0) -> SafetyRule {
        var rule = SafetyRule()
        rule.update(hasOwner: true, at: start)
        rule.advance(to: after(31 * 60), random: Constant(number: random))
        return rule
    }

    @Test("More than thirty minutes without the owner is a separation; the owner's return ends it") func separation() {
        var rule = SafetyRule()
        #expect(!rule.isSeparated(at: after(100 * hour)))
        rule.update(hasOwner: true, at: start)
        #expect(!rule.isSeparated(at: after(30 * 60)))
        #expect(
            rule.separation(after: after(60)) == Instant(millisecondsSince1970: start.millisecondsSince1970 + 1_800_001)
        )
        #expect(rule.isSeparated(at: after(30 * 60 + 1)))
        #expect(rule.separation(after: after(30 * 60 + 1)) == nil)
        rule.recordOwnerNear(at: after(40 * 60))
        #expect(!rule.isSeparated(at: after(70 * 60)))
        #expect(rule.isSeparated(at: after(70 * 60 + 1)))
        rule.update(hasOwner: false, at: after(3 * hour))
        #expect(!rule.isSeparated(at: after(100 * hour)))
    }

    @Test("A restart keeps the separation and the time of the alarm") func restart() {
        let rule = SafetyRule(memory: left().memory)
        #expect(rule.isSeparated(at: after(2 * hour)))
        #expect(rule.memory.alarmFrom == after(31 * 60 + 8 * hour))
    }

    @Test("A clock that is set back doesn't delay the separation for long") func clockSetBack() {
        var rule = left()
        let earlier = after(-100 * hour)
        rule.advance(to: earlier, random: Constant(number: 0))
        #expect(rule.isSeparated(at: earlier.adding(seconds: 31 * 60)))
    }

    @Test("The alarm starts at a random time 8 to 24 hours after the separation", arguments: [0, 1, 57_600, .max])
    func alarmTime(number: UInt64) throws {
        let from = try #require(left(random: number).memory.alarmFrom)
        #expect((8 * hour...24 * hour).contains(Int64(from.seconds(since: after(31 * 60)))))
    }

    @Test("It sounds when moved, not because of receiver errors, and not before its time") func alarm() throws {
        var rule = left()
        let early = after(8 * hour)
        #expect(!rule.recordFix(try fix(0, at: early), at: early))
        #expect(!rule.recordFix(try fix(5_000, at: early), at: early))
        let due = after(9 * hour)
        #expect(!rule.recordFix(try fix(0, at: due), at: due))
        #expect(!rule.recordFix(try fix(49, at: due), at: due))
        #expect(!rule.recordFix(try fix(120, at: due, accuracy: 200), at: due))
        #expect(rule.recordFix(try fix(60, at: due), at: due))
        rule.recordOwnerNear(at: due)
        #expect(!rule.recordFix(try fix(500, at: due), at: due))
    }

    @Test("After ten sounds it pauses for six hours") func pause() throws {
        var rule = left()
        let due = after(9 * hour)
        var sounds = 0
        for step in 0..<40 where rule.recordFix(try fix(Double(step) * 100, at: due), at: due) { sounds += 1 }
        #expect(sounds == 10)
        let later = due.adding(seconds: 6 * hour)
        #expect(!rule.recordFix(try fix(0, at: later), at: later))
        #expect(rule.recordFix(try fix(100, at: later), at: later))
    }

    private let facts = NonOwnerFacts(hasSounder: true, hasButton: true, batteryPercent: 81, firmware: "1.2.3")

    private func answer(
        _ opcode: UInt16, to rule: SafetyRule, sound: SafetyRule.Sound? = nil, facts: NonOwnerFacts? = nil,
        at now: Instant, identifier: [UInt8]? = [7]
    ) -> (answer: NonOwnerResponse, effect: SafetyRule.SoundEffect?) {
        let request = NonOwnerRequest([UInt8(truncatingIfNeeded: opcode), UInt8(opcode >> 8)])
        return rule.respond(to: request, sound: sound, facts: facts ?? self.facts, at: now) { identifier }
    }

    @Test("A non-owner can make it sound only while the owner is away") func sound() {
        let rule = left()
        let far = after(hour)
        #expect(answer(0x0300, to: rule, at: far) == (.command(0x0300, .success), .start))
        #expect(answer(0x0300, to: rule, sound: .asked, at: far) == (.command(0x0300, .invalidState), nil))
        #expect(answer(0x0301, to: rule, sound: .asked, at: far) == (.command(0x0301, .success), .stop))
        #expect(answer(0x0301, to: rule, at: far) == (.command(0x0301, .invalidState), nil))
        // A non-owner can't stop a sound of the owner or of the tracker.
        #expect(answer(0x0301, to: rule, sound: .own, at: far) == (.command(0x0301, .invalidState), nil))
        let mute = NonOwnerFacts(hasSounder: false, hasButton: true, batteryPercent: nil, firmware: "1")
        #expect(answer(0x0300, to: rule, facts: mute, at: far) == (.command(0x0300, .invalidCommand), nil))
        #expect((5...30).contains(SafetyRule.soundSeconds))
    }

    struct Told: Sendable, CustomTestStringConvertible {
        let opcode: UInt16
        let bytes: [UInt8]
        var testDescription: String { "\(String(opcode, radix: 16))" }
    }

    private static let told = [
        Told(opcode: 0x0003, bytes: [0x03, 0x08] + Array("Homeward".utf8)),
        Told(opcode: 0x0004, bytes: [0x04, 0x08] + Array("Homeward".utf8)),
        Told(opcode: 0x0005, bytes: [0x05, 0x08] + Array("homeward-tracker".utf8)),
        Told(opcode: 0x0006, bytes: [0x06, 0x08, 1, 0, 0, 0, 0, 0, 0, 0]),
        Told(opcode: 0x0007, bytes: [0x07, 0x08, 0, 0, 1, 0]),
        Told(opcode: 0x0008, bytes: [0x08, 0x08, 0b1001, 0, 0, 0]),
        Told(opcode: 0x0009, bytes: [0x09, 0x08, 0xff]),
        Told(opcode: 0x000a, bytes: [0x0a, 0x08, 3, 2, 1, 0]),
        Told(opcode: 0x000c, bytes: [0x0c, 0x08, 0]),
    ]

    @Test("It informs non-owners only while the owner is away", arguments: told) func information(entry: Told) {
        let rule = left()
        #expect(answer(entry.opcode, to: rule, at: after(hour)).answer.bytes == entry.bytes)
        let refused = NonOwnerResponse.command(entry.opcode, .invalidCommand)
        #expect(answer(entry.opcode, to: rule, at: after(60)).answer == refused, "its owner is near")
        #expect(answer(entry.opcode, to: SafetyRule(), at: after(hour)).answer == refused, "it has no owner")
    }

    @Test("Unknown and unsupported commands are rejected", arguments: [0x000b, 0x000d, 0x1234, 0, 0x0302] as [UInt16])
    func unknown(opcode: UInt16) {
        #expect(answer(opcode, to: left(), at: after(hour)) == (.command(opcode, .invalidCommand), nil))
        let bare = NonOwnerFacts(hasSounder: false, hasButton: false, batteryPercent: nil, firmware: "1")
        #expect(answer(0x000c, to: left(), facts: bare, at: after(hour)).answer == .command(0x000c, .invalidCommand))
        #expect(answer(0x0008, to: left(), facts: bare, at: after(hour)).answer.bytes == [0x08, 0x08, 0, 0, 0, 0])
    }

    @Test("The identifier can be read for five minutes after the button was held, away from the owner")
    func identifier() {
        var rule = left()
        let (refused, far) = (NonOwnerResponse.command(0x0404, .invalidCommand), after(hour))
        let tooEarly = rule.noteButton(at: after(60))
        #expect(!tooEarly, "its owner is near")
        #expect(answer(0x0404, to: rule, at: far).answer == refused)
        let isOpen = rule.noteButton(at: far)
        #expect(isOpen)
        #expect(answer(0x0404, to: rule, at: far).answer.bytes == [0x05, 0x04, 7])
        #expect(answer(0x0404, to: rule, at: far, identifier: nil).answer == refused)
        #expect(answer(0x0404, to: rule, at: far.adding(seconds: 299)).answer == .identifier([7]))
        #expect(answer(0x0404, to: rule, at: far.adding(seconds: 300)).answer == refused)
        #expect(answer(0x0404, to: rule, at: far.adding(seconds: -1)).answer == refused, "the clock was set back")
        #expect(answer(0x0404, to: SafetyRule(memory: rule.memory), at: far).answer == refused, "it was restarted")
        rule.recordOwnerNear(at: far)
        #expect(answer(0x0404, to: rule, at: far).answer == refused)
    }

    @Test("The protocol's bytes are little-endian") func bytes() {
        #expect(NonOwnerRequest([0x00, 0x03]).opcode == 0x0300)
        #expect(NonOwnerRequest([0x01, 0x03, 9]).opcode == 0x0301)
        #expect(NonOwnerRequest([]).opcode == 0)
        #expect(NonOwnerRequest([0x03]).opcode == 0)
        #expect(NonOwnerResponse.command(0x0300, .success).bytes == [0x02, 0x03, 0x00, 0x03, 0x00, 0x00])
        #expect(NonOwnerResponse.command(0x0300, .invalidCommand).bytes == [0x02, 0x03, 0x00, 0x03, 0xff, 0xff])
        #expect(NonOwnerResponse.soundCompleted.bytes == [0x03, 0x03])
        #expect(NonOwnerService.advertisedData(isNearOwner: true) == [0xff, 1])
        #expect(NonOwnerService.advertisedData(isNearOwner: false) == [0xff, 0])
    }
}
