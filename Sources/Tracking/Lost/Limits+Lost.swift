package import Kernel

extension Limits {
    /// Characters of a text between the owner and the finder of an item.
    package static let finderMessageCharacters = 500
    /// Bytes of such a text.
    package static let finderMessageBytes = 4_000
    /// The maximum accuracy in metres of positions that end lost mode.
    static let lostAccuracyMetres: Double = 50
    /// The maximum time between the positions of item and phone that end lost mode.
    static let lostPairSeconds: Double = 5 * 60
    /// Words that finders in one network can send in ``finderReportSeconds``.
    package static let finderReportsPerNetwork = 10
    /// Words about one item that finders can send in ``finderReportSeconds``.
    package static let finderReportsPerItem = 20
    /// Of these, the words that only finders in new networks can send.
    package static let finderReportsForNewNetworks = 8
    /// Seconds for which a network that sent words about an item isn't new.
    static let finderWriterSeconds = daySeconds
    /// The window in which finders' words count.
    package static let finderReportSeconds = hourSeconds
    /// Finders' words about one item that are stored at once.
    package static let finderReportsStored = 100
    /// Of these, the words that only finders in new networks can add.
    package static let finderReportsStoredForNewNetworks = 20
    /// Seconds for which a finder's words are stored.
    package static let finderReportKeptSeconds: Int64 = 90 * 24 * 60 * 60
    /// Labels of one item that no longer work and whose finders learn why, the newest ones.
    static let formerLabelsPerItem = 20
    /// Seconds for which finders of such a label learn why it doesn't work.
    static let formerLabelSeconds: Int64 = 3 * 365 * 24 * 60 * 60
    /// Labels that an account can create in ``labelSeconds``.
    package static let labelsPerAccount = 60
    /// The window in which created labels count.
    static let labelSeconds: Int64 = 60 * 60
    /// Finders' words on an item's page.
    package static let finderReportsShown = 10
}
