extension Limits {
    // MARK: Buckets

    /// Keys of one page of an object store's list.
    package static let objectPage = 1_000
    /// Answers that a bucket may give for one page, each with a part of it.
    package static let bucketAnswersPerPage = 200
    /// Bytes of one answer of a bucket that lists keys: a thousand keys of 1,024 bytes, percent-encoded.
    package static let bucketListBytes = 4 * 1024 * 1024
    /// Bytes of a bucket's error message that are read.
    package static let bucketErrorBytes = 64 * 1024
    /// Elements inside one another in a bucket's answer.
    package static let bucketAnswerDepth = 16
    /// Seconds until a connection to a bucket must stand.
    package static let bucketConnectSeconds: Int64 = 5
    /// Seconds of silence after which a bucket counts as gone.
    package static let bucketSilenceSeconds: Int64 = 10
    /// Seconds that one request to a bucket may take.
    package static let bucketRequestSeconds: Int64 = 30
    /// Seconds after its start at which a call begins no further attempt.
    package static let bucketCallSeconds: Int64 = 40
    /// Attempts of one call.
    package static let bucketAttempts = 5
    /// Milliseconds before the second attempt, doubled with each further one.
    package static let bucketRetryMilliseconds: Int64 = 200
    /// Milliseconds between two attempts at the most.
    package static let bucketRetryMaximumMilliseconds: Int64 = 8_000
    /// Objects that a sweep deletes at once.
    package static let objectDeletionsAtOnce = 8

    // MARK: The archive of fixes

    /// Fixes of one segment, but for those that come in at the very moment when it is cut.
    package static let segmentFixes = 1_000
    /// Segments cut in one transaction.
    package static let segmentsPerCut = 4
    /// Seconds for which fixes of one device are gathered before they go to the archive; the first goes at once.
    package static let segmentGatherSeconds: Int64 = 60 * 60
    /// Seconds that a node holds a segment which it is writing: when it dies meanwhile, another one takes over. More than
    /// a call of the bucket can last.
    package static let segmentClaimSeconds: Int64 = 10 * 60
    /// Seconds before the end of that time in which no call of the bucket is begun any more.
    package static let segmentClaimSlackSeconds: Int64 = 2 * 60
    /// Seconds after a failure until a segment is tried again.
    package static let segmentRetrySeconds: Int64 = 60
    /// Seconds between two looks for fixes that are to be archived.
    package static let archiveSeconds = 15
    /// Tracks, or segments, that one look takes up at the most before it looks again.
    package static let archiveBatch = 100
    /// Segments forgotten in one transaction.
    package static let segmentsPerDeletion = 1_000
    /// Bytes of one segment: those of some more fixes than ``segmentFixes``.
    package static let segmentBytes = 4 * 1024 * 1024
    /// Bytes of the name that a device has in a segment.
    package static let segmentDeviceBytes = 200
    /// Findings of one check of the archive; there may be more.
    package static let archiveFindings = 1_000
    /// Days that the fixes of one thing are kept.
    package static let keepDays = 1...3_650
}
