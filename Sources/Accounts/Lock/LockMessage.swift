package import Kernel

/// Every sentence with which the lock refuses something, in English. Pages show it in the reader's language by looking
/// the case up; JSON carries the English text.
package enum LockMessage: String, CaseIterable, Sendable {
    /// Not six digits.
    case passcodeMalformed = "Enter a passcode of 6 digits."
    /// The two that were typed differ.
    case repeatDiffers = "The two passcodes are not the same. Enter a new one twice, from the start."
    /// Not the passcode.
    case passcodeWrong = "That is not the passcode. Try again."
    /// The present passcode is needed.
    case currentMissing = "Enter your current passcode."
    /// Too many wrong ones in a row.
    case waiting = "Too many wrong passcodes. Wait until the time is over, then try again."
    /// There is nothing to lock with.
    case noPasscode = "Set a passcode first."
    /// Somebody set one meanwhile.
    case passcodeSetElsewhere = "A passcode was set elsewhere meanwhile. Look at it again, then repeat your change."
    /// Not one of the times that can be chosen.
    case lockAfterUnknown = "Choose one of the times."
    /// Children have no lock.
    case adultsOnly = "The lock is for grown-ups' accounts."
    /// A locked session asks for something.
    case locked = "The app is locked. Unlock it first."
}

extension AppError {
    init(_ code: Code, _ message: LockMessage, field: String? = nil, retryAfterSeconds: Int? = nil) {
        self.init(
            code, message.rawValue, fields: field.map { [$0: message.rawValue] } ?? [:],
            retryAfterSeconds: retryAfterSeconds
        )
    }

    /// What a locked session is told.
    package static let locked = AppError(.locked, LockMessage.locked)
}
