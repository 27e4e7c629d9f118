import Kernel
import Testing
import TrackerProtocol

@testable import homeward_tracker

/// Always the same number.
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

    /// A tracker whose owner left at `start`, and whose alarm may sound from 8 h after the separation was seen.
    private func left(random: UInt64 = 0) -> SafetyRule {
        var rule = SafetyRule()
        rule.note(hasOwner: true, at: start)
        rule.note(at: after(31 * 60), random: Constant(number: random))
        return rule
    }

    @Test("more than thirty minutes away is separated, and the owner's return ends it") func separation() {
        var rule = SafetyRule()
        #expect(!rule.isSeparated(at: after(100 * hour)))
        rule.note(hasOwner: true, at: start)
        #expect(!rule.isSeparated(at: after(30 * 60)))
        #expect(
            rule.separation(after: after(60)) == Instant(millisecondsSince1970: start.millisecondsSince1970 + 1_800_001)
        )
        #expect(rule.isSeparated(at: after(30 * 60 + 1)))
        #expect(rule.separation(after: after(30 * 60 + 1)) == nil)
        rule.noteOwnerNear(at: after(40 * 60))
        #expect(!rule.isSeparated(at: after(70 * 60)))
        #expect(rule.isSeparated(at: after(70 * 60 + 1)))
        rule.note(hasOwner: false, at: after(3 * hour))
        #expect(!rule.isSeparated(at: after(100 * hour)))
    }

    @Test("switching it off and on hides nothing") func restart() {
        let rule = SafetyRule(memory: left().memory)
        #expect(rule.isSeparated(at: after(2 * hour)))
        #expect(rule.memory.alarmFrom == after(31 * 60 + 8 * hour))
    }

    @Test("a clock that was set back doesn't put the separation off for long") func clockSetBack() {
        var rule = left()
        let earlier = after(-100 * hour)
        rule.note(at: earlier, random: Constant(number: 0))
        #expect(rule.isSeparated(at: earlier.adding(seconds: 31 * 60)))
    }

    @Test("the alarm begins 8 to 24 hours after the separation, by chance", arguments: [0, 1, 57_600, .max])
    func alarmTime(number: UInt64) throws {
        let from = try #require(left(random: number).memory.alarmFrom)
        #expect((8 * hour...24 * hour).contains(Int64(from.seconds(since: after(31 * 60)))))
    }

    @Test("it sounds when it is moved, not when the receiver trembles, and not before its time") func alarm() throws {
        var rule = left()
        let early = after(8 * hour)
        #expect(!rule.noteFix(try fix(0, at: early), at: early))
        #expect(!rule.noteFix(try fix(5_000, at: early), at: early))
        let due = after(9 * hour)
        #expect(!rule.noteFix(try fix(0, at: due), at: due))
        #expect(!rule.noteFix(try fix(49, at: due), at: due))
        #expect(!rule.noteFix(try fix(120, at: due, accuracy: 200), at: due))
        #expect(rule.noteFix(try fix(60, at: due), at: due))
        rule.noteOwnerNear(at: due)
        #expect(!rule.noteFix(try fix(500, at: due), at: due))
    }

    @Test("after ten sounds it pauses for six hours") func pause() throws {
        var rule = left()
        let due = after(9 * hour)
        var sounds = 0
        for step in 0..<40 where rule.noteFix(try fix(Double(step) * 100, at: due), at: due) { sounds += 1 }
        #expect(sounds == 10)
        let later = due.adding(seconds: 6 * hour)
        #expect(!rule.noteFix(try fix(0, at: later), at: later))
        #expect(rule.noteFix(try fix(100, at: later), at: later))
    }

    @Test("whoever finds it can make it sound while its owner is away, and only then") func sound() {
        let rule = left()
        let far = after(hour)
        let near = after(60)
        func answer(_ request: NonOwnerRequest, _ isSounding: Bool, _ now: Instant) -> (
            NonOwnerAnswer, SafetyRule.SoundEffect?
        ) {
            rule.answer(request, isSounding: isSounding, batteryPercent: 81, at: now)
        }
        #expect(answer(.soundStart, false, far) == (.command(0x0300, .success), .start))
        #expect(answer(.soundStart, true, far) == (.command(0x0300, .invalidState), nil))
        #expect(answer(.soundStop, true, far) == (.command(0x0301, .success), .stop))
        #expect(answer(.soundStop, false, far) == (.command(0x0301, .invalidState), nil))
        #expect(answer(.soundStart, false, near) == (.command(0x0300, .invalidCommand), nil))
        #expect(answer(.unknown(0x1234), false, far) == (.command(0x1234, .invalidCommand), nil))
        #expect(answer(.batteryLevel, false, near) == (.batteryLevel(0), nil))
        #expect(answer(.networkID, false, near) == (.networkID(0xff), nil))
        #expect((5...30).contains(SafetyRule.soundSeconds))
    }

    @Test("the non-owner's bytes are little-endian") func bytes() {
        #expect(NonOwnerRequest([0x00, 0x03]) == .soundStart)
        #expect(NonOwnerRequest([0x01, 0x03, 9]) == .soundStop)
        #expect(NonOwnerRequest([]) == .unknown(nil))
        #expect(NonOwnerRequest([0x00]) == .unknown(nil))
        #expect(NonOwnerAnswer.command(0x0300, .success).bytes == [0x02, 0x03, 0x00, 0x03, 0x00, 0x00])
        #expect(NonOwnerAnswer.command(0x0300, .invalidCommand).bytes == [0x02, 0x03, 0x00, 0x03, 0xff, 0xff])
        #expect(NonOwnerAnswer.soundCompleted.bytes == [0x03, 0x03])
        #expect(NonOwnerService.advertisedData(isNearOwner: true) == [0xff, 1])
        #expect(NonOwnerService.advertisedData(isNearOwner: false) == [0xff, 0])
    }
}
