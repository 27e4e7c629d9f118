import Accounts
import Kernel
import Storage

extension Throttle {
    /// Counts an attempt.
    /// - Throws: `AppError.throttled` with `message`.
    func count(_ key: String, _ message: CarrepsaMessage, now: Instant, in tx: Transaction) throws {
        try mappingErrors(to: message) { try fail(key, now: now, in: tx) }
    }

    /// Counts an attempt, which ``Throttle/release(_:reservedAt:now:in:)`` can take back.
    /// - Throws: `AppError.throttled` with `message`.
    func reserve(_ key: String, _ message: CarrepsaMessage, now: Instant, in tx: Transaction) throws {
        try mappingErrors(to: message) { try reserve(key, now: now, in: tx) }
    }

    /// Checks that an attempt is possible.
    /// - Throws: `AppError.throttled` with `message`.
    func check(_ key: String, _ message: CarrepsaMessage, now: Instant, in tx: Transaction) throws {
        try mappingErrors(to: message) { try check(key, now: now, in: tx) }
    }

    private func mappingErrors(to message: CarrepsaMessage, _ attempt: () throws -> Void) throws {
        do {
            try attempt()
        } catch let error as AppError where error.code == .throttled {
            throw AppError(.throttled, message.text, retryAfterSeconds: error.retryAfterSeconds)
        }
    }
}
