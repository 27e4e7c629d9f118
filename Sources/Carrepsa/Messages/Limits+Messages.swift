package import Kernel

extension Limits {
    /// Characters and UTF-8 bytes of a message, and of the reason of a report.
    package static let messageCharacters = 1_000
    package static let messageBytes = 8_000
    /// Messages of one owner and one carrier about one package.
    package static let conversationMessages: Int64 = 2_000
    /// Seconds after the end of a delivery in which its owner and carrier can write to each other.
    package static let conversationOpenSeconds: Int64 = 14 * 24 * 60 * 60
    /// Messages of one person in ``messageThrottleSeconds``.
    package static let messagesAtOnce = 30
    package static let messageThrottleSeconds: Int64 = 10 * 60
    /// Messages that a page of a conversation shows.
    package static let messagesShown = 50
    /// Characters of a message that its notification quotes.
    package static let messageQuoteCharacters = 200
    /// Reports of one person in ``messageReportThrottleSeconds``.
    package static let messageReportsAtOnce = 10
    package static let messageReportThrottleSeconds: Int64 = 60 * 60
    /// People that one person can block.
    package static let blockedPeople = 500
    /// Random bytes that a message's digest includes.
    static let recordSaltBytes = 16
    /// Degrees are stored in millionths.
    static let microdegrees = 1_000_000.0
}
