import Kernel

/// Six ASCII digits, any six.
struct Passcode: Sendable, Equatable {
    let digits: String

    init?(_ typed: String) {
        guard typed.utf8.count == Limits.passcodeDigits,
            typed.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        digits = typed
    }

    var bytes: [UInt8] { Array(digits.utf8) }
}

/// Counts wrong passcodes in a row. A try is counted *before* it is checked, and forgotten with the others when it was
/// right: however many are made at once, no more than ``Limits/passcodeTries`` are checked.
struct PasscodeCounter: Sendable, Equatable {
    /// How long nobody may try.
    struct Wait: Error, Equatable {
        let seconds: Int
    }

    var wrongTries = 0
    /// Set by the last try that is allowed.
    var waitUntil: Instant?

    /// Seconds until somebody may try again; 0 when they may.
    func waitSeconds(now: Instant) -> Int {
        guard let waitUntil, now < waitUntil else { return 0 }
        return max(1, Int(waitUntil.seconds(since: now).rounded(.up)))
    }

    /// Counts a try that is about to be checked.
    /// - Returns: how many more are left before the wait if it is wrong.
    mutating func reserve(now: Instant) throws(Wait) -> Int {
        let seconds = waitSeconds(now: now)
        guard seconds == 0 else { throw Wait(seconds: seconds) }
        if waitUntil != nil { self = PasscodeCounter() }
        wrongTries += 1
        guard wrongTries >= Limits.passcodeTries else { return Limits.passcodeTries - wrongTries }
        waitUntil = now.adding(seconds: Limits.passcodeWaitSeconds)
        return 0
    }

    /// Takes back a try that was never checked.
    mutating func release() {
        guard wrongTries > 0 else { return }
        wrongTries -= 1
        waitUntil = nil
    }
}
