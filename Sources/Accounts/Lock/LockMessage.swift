package import Kernel

/// Every error message of the lock, in English. Pages translate it by its case. JSON contains the English text.
package enum LockMessage: String, ErrorMessage {
    case passcodeMalformed
    /// The two new passcodes differ.
    case repeatDiffers = "The two passcodes are not the same. Enter a new one twice, from the start."
    /// Wrong passcode.
    case passcodeWrong = "That is not the passcode. Try again."
    /// Wrong passcode. Four tries are left before the wait.
    case passcodeWrongFourLeft = "That is not the passcode. You can try 4 more times."
    /// Wrong passcode. Three tries are left.
    case passcodeWrongThreeLeft = "That is not the passcode. You can try 3 more times."
    /// Wrong passcode. Two tries are left.
    case passcodeWrongTwoLeft = "That is not the passcode. You can try 2 more times."
    /// Wrong passcode. One try is left.
    case passcodeWrongOneLeft = "That is not the passcode. You can try once more, then you have to wait."
    /// The current passcode is required.
    case currentMissing = "Enter your current passcode."
    /// Too many wrong passcodes in a row.
    case waiting = "Too many wrong passcodes. Wait until the time is over, then try again."
    /// The account has no passcode.
    case noPasscode = "Set a passcode first."
    /// Another device set a passcode in the meantime.
    case passcodeSetElsewhere = "A passcode was set elsewhere. Review it and try again."
    /// The number of minutes isn't one of the choices.
    case lockAfterUnknown = "Choose one of the times."
    /// Children have no lock.
    case adultsOnly = "The lock is for adults’ accounts."
    /// A request of a locked session.
    case locked = "The app is locked. Unlock it first."

    package var text: String {
        let t = Translator.english
        return switch self {
        case .passcodeMalformed:
            t("Enter a passcode of {n} digits.", ["n": String(Limits.passcodeDigits)])
        default: rawValue
        }
    }
}

extension LockMessage {
    /// Returns the message for a wrong passcode with the number of tries that are left before the wait.
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
            code, message.text, fields: field.map { [$0: message.text] } ?? [:],
            retryAfterSeconds: retryAfterSeconds
        )
    }

    /// The response to a request of a locked session.
    package static let locked = AppError(.locked, LockMessage.locked)
}
