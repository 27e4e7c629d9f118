package import Kernel

extension QuarantineReason {
    /// Returns the reason as a sentence.
    package func sentence(_ t: Translator) -> String {
        switch self {
        case .unreadableNumber: t("A number can’t be read.")
        case .unreadableTime: t("The time can’t be read or is missing.")
        case .placeOutOfRange: t("The place is not on Earth.")
        case .numberOutOfRange: t("A number is beyond what can be: accuracy, altitude, speed, direction or battery.")
        case .timeOutOfRange: t("The time is before 2000, in the future, or decades too early.")
        case .markedInvalid: t("The device said the position is not valid.")
        case .noFix: t("The receiver had no position.")
        case .otherPlaceAtThatTime: t("The device was at another place at that time.")
        case .unknownSender: t("It came through the cloud, and no tracker vouches for it.")
        case .historyFull: t("The history is full.")
        case .undecryptable: t("It can’t be decrypted. Compare the encryption key.")
        case .unexpectedShape: t("It isn’t what this app sends.")
        }
    }
}
