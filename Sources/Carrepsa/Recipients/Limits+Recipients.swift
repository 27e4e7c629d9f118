package import Kernel

extension Limits {
    /// Characters and UTF-8 bytes of a recipient's address, of a meeting, and of where to leave a package.
    package static let recipientTextCharacters = 300
    package static let recipientTextBytes = 4_000
    /// Seconds that the recipient's page is open after the end of the delivery.
    package static let recipientPageSeconds: Int64 = 14 * 24 * 60 * 60
    /// Digits of the recipient's delivery code. It is valid for the whole delivery, so it has more than a handover
    /// code.
    package static let recipientCodeDigits = 8
    /// Instructions of the recipient about one delivery. Each is an entry in the history and notifies two people.
    static let recipientInstructions: Int64 = 20
    /// Recipients that one run of the scheduled job deletes.
    static let recipientsDeleted = 500
    /// Changes on one recipient's page in ``recipientChangeSeconds``.
    static let recipientChanges = 20
    static let recipientChangeSeconds: Int64 = 60 * 60
}
