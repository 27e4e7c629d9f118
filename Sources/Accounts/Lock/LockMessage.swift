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
    /// Not the passcode; four tries are left before the wait.
    case passcodeWrongFourLeft = "That is not the passcode. You can try 4 more times."
    /// Not the passcode; three tries are left.
    case passcodeWrongThreeLeft = "That is not the passcode. You can try 3 more times."
    /// Not the passcode; two tries are left.
    case passcodeWrongTwoLeft = "That is not the passcode. You can try 2 more times."
    /// Not the passcode; one try is left.
    case passcodeWrongOneLeft = "That is not the passcode. You can try once more, then you have to wait."
    /// The present passcode is needed.
    case currentMissing = "Enter your current passcode."
    /// Too many wrong ones in a row.
    case waiting = "Too many wrong passcodes. Wait until the time is over, then try again."
    /// There is nothing to lock with.
    case noPasscode = "Set a passcode first."
    /// Somebody set one meanwhile.
    case passcodeSetElsewhere = "A passcode was set elsewhere. Review it and try again."
    /// Not one of the times that can be chosen.
    case lockAfterUnknown = "Choose one of the times."
    /// Children have no lock.
    case adultsOnly = "The lock is for adults' accounts."
    /// A locked session asks for something.
    case locked = "The app is locked. Unlock it first."
}

extension LockMessage {
    /// Says that a passcode is wrong, and how many tries are left before the wait.
    static func passcodeWrong(triesLeft: Int) -> LockMessage {
        switch triesLeft {
        case 1: .passcodeWrongOneLeft
        case 2: .passcodeWrongTwoLeft
        case 3: .passcodeWrongThreeLeft
        case 4: .passcodeWrongFourLeft
        default: .passcodeWrong
        }
    }
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
