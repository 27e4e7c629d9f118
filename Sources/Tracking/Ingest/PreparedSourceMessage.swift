import Kernel

/// A checked message of a source, ready to be stored.
struct PreparedSourceMessage: Sendable {
    /// The contents of the message.
    enum Content: Sendable {
        /// The position of one of the owner's phones.
        case phonePosition(Report, at: Instant)
        /// The position of an item, for which the owner's history has room.
        case itemPosition(Report, at: Instant, SourceCredential.Tracked)
        case unusable(QuarantineEntry)
    }

    let content: Content
    let credential: SourceCredential
    /// The hash of the secret with which the message was sent.
    let secretHash: [UInt8]
    let receivedAt: Instant
}
