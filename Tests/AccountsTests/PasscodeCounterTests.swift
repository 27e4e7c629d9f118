import Kernel
import TestSupport
import Testing

@testable import Accounts

@Suite("Passcodes")
struct PasscodeCounterTests {
    private static let start = Instant(millisecondsSince1970: 1_772_366_400_000)

    struct Typed: Sendable, CustomTestStringConvertible {
        let text: String
        let isPasscode: Bool
        var testDescription: String { text.debugDescription }
    }

    @Test(
        "A passcode is any six ASCII digits",
        arguments: [
            Typed(text: "000000", isPasscode: true), Typed(text: "123456", isPasscode: true),
            Typed(text: "", isPasscode: false), Typed(text: "12345", isPasscode: false),
            Typed(text: "1234567", isPasscode: false), Typed(text: "12345a", isPasscode: false),
            Typed(text: " 12345", isPasscode: false), Typed(text: "12345\n", isPasscode: false),
            Typed(text: "+12345", isPasscode: false), Typed(text: "１２３４５６", isPasscode: false),
            Typed(text: "١٢٣٤٥٦", isPasscode: false), Typed(text: "12345٦", isPasscode: false),
        ])
    func digits(typed: Typed) { #expect((Passcode(typed.text) != nil) == typed.isPasscode) }

    @Test("Five tries are permitted, and the sixth must wait for ten minutes")
    func five() throws {
        var counter = PasscodeCounter()
        for number in 1...5 { #expect(try counter.reserve(now: Self.start) == 5 - number) }
        #expect(counter.waitSeconds(now: Self.start) == Int(Limits.passcodeWaitSeconds))
        let before = counter
        #expect(throws: PasscodeCounter.Wait(seconds: Int(Limits.passcodeWaitSeconds))) {
            try counter.reserve(now: Self.start)
        }
        #expect(throws: PasscodeCounter.Wait(seconds: 1)) {
            try counter.reserve(now: Self.start.adding(seconds: Limits.passcodeWaitSeconds - 1))
        }
        #expect(counter == before)
    }

    @Test("The end of the wait starts a new count")
    func end() throws {
        var counter = PasscodeCounter()
        for _ in 1...5 { _ = try counter.reserve(now: Self.start) }
        let end = Self.start.adding(seconds: Limits.passcodeWaitSeconds)
        #expect(counter.waitSeconds(now: end) == 0)
        for number in 1...5 { #expect(try counter.reserve(now: end) == 5 - number) }
        #expect(counter.waitUntil == end.adding(seconds: Limits.passcodeWaitSeconds))
    }

    @Test("Wrong tries count for any time, until one is right")
    func inARow() throws {
        var counter = PasscodeCounter()
        for day in 0..<4 { _ = try counter.reserve(now: Self.start.adding(seconds: Int64(day) * 86_400)) }
        #expect(try counter.reserve(now: Self.start.adding(seconds: 10 * 86_400)) == 0)
    }

    @Test("A try that was never checked is taken back, with the wait that it started")
    func release() throws {
        var counter = PasscodeCounter()
        for _ in 1...5 { _ = try counter.reserve(now: Self.start) }
        counter.release()
        #expect(counter == PasscodeCounter(wrongTries: 4, waitUntil: nil))
        #expect(try counter.reserve(now: Self.start) == 0)
        var none = PasscodeCounter()
        none.release()
        #expect(none == PasscodeCounter())
    }
}
