import Kernel

/// A passcode of any six ASCII digits.
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

/// Counts wrong passcodes in a row. A try is counted *before* it is verified, and the counter is reset when it was
/// right. So no more than ``Limits/passcodeAttempts`` concurrent tries are verified.
struct PasscodeCounter: Sendable, Equatable {
    /// The time until the next try is allowed.
    struct Wait: Error, Equatable {
        let seconds: Int
    }

    var wrongTries = 0
    /// Set by the last try that is allowed.
    var waitUntil: Instant?

    /// Returns the seconds until the next try is allowed; 0 when it is.
    func waitSeconds(now: Instant) -> Int {
        guard let waitUntil, now < waitUntil else { return 0 }
        return max(1, Int(waitUntil.seconds(since: now).rounded(.up)))
    }

    /// Counts a try before it is verified.
    /// - Returns: the number of tries left before the wait if this one is wrong.
    mutating func reserve(now: Instant) throws(Wait) -> Int {
        let seconds = waitSeconds(now: now)
        guard seconds == 0 else { throw Wait(seconds: seconds) }
        if waitUntil != nil { self = PasscodeCounter() }
        wrongTries += 1
        guard wrongTries >= Limits.passcodeAttempts else { return Limits.passcodeAttempts - wrongTries }
        waitUntil = now.adding(seconds: Limits.passcodeWaitSeconds)
        return 0
    }

    /// Takes back a try that was never verified.
    mutating func release() {
        guard wrongTries > 0 else { return }
        wrongTries -= 1
        waitUntil = nil
    }
}
