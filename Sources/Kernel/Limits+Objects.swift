extension Limits {
    // MARK: Buckets

    /// Keys in one page of an object store's listing.
    package static let objectPage = 1_000
    /// Responses that a bucket may give for one page, each with a part of it.
    package static let bucketAnswersPerPage = 200
    /// Bytes of one listing response of a bucket: a thousand keys of 1,024 bytes, percent-encoded.
    package static let bucketListBytes = 4 * 1024 * 1024
    /// Bytes of a bucket's error message that are read.
    package static let bucketErrorBytes = 64 * 1024
    /// The maximum depth of nested elements in a bucket's response.
    package static let bucketAnswerDepth = 16
    /// Seconds until connecting to a bucket times out.
    package static let bucketConnectSeconds: Int64 = 5
    /// Seconds of silence after which a bucket counts as unreachable.
    package static let bucketSilenceSeconds: Int64 = 10
    /// Seconds until one request to a bucket times out.
    package static let bucketRequestSeconds: Int64 = 30
    /// Seconds after its start at which a call makes no further attempt.
    package static let bucketCallSeconds: Int64 = 40
    /// Attempts of one call.
    package static let bucketAttempts = 5
    /// Milliseconds before the second attempt, doubled with each further one.
    package static let bucketRetryMilliseconds: Int64 = 200
    /// The maximum number of milliseconds between two attempts.
    package static let bucketRetryMaximumMilliseconds: Int64 = 8_000
    /// Objects that a sweep deletes concurrently.
    package static let objectDeletionsAtOnce = 8

    // MARK: The archive of fixes

    /// Fixes of one segment, not counting those that arrive while it is cut.
    package static let segmentFixes = 1_000
    /// Segments cut in one transaction.
    package static let segmentsPerCut = 4
    /// Seconds for which fixes of one device are gathered before they are archived; the first is archived immediately.
    package static let segmentGatherSeconds: Int64 = 60 * 60
    /// Seconds of a node's lease of a segment that it writes. When the node dies, another node takes over. Longer than
    /// one call of the bucket can last.
    package static let segmentLeaseSeconds: Int64 = 10 * 60
    /// Seconds before the end of the lease in which no call of the bucket is started.
    package static let segmentLeaseSlackSeconds: Int64 = 2 * 60
    /// Seconds between a failure and the next attempt to write the segment.
    package static let segmentRetrySeconds: Int64 = 60
    /// Seconds between two checks for fixes to archive.
    package static let archiveSeconds = 15
    /// The maximum number of tracks, or of segments, processed per check.
    package static let archiveBatch = 100
    /// Segments deleted in one transaction.
    package static let segmentsPerDeletion = 1_000
    /// Bytes of one segment: room for slightly more than ``segmentFixes`` fixes.
    package static let segmentBytes = 4 * 1024 * 1024
    /// Bytes of a device's name in a segment.
    package static let segmentDeviceBytes = 200
    /// Findings reported by one check of the archive; there may be more.
    package static let archiveFindings = 1_000
    /// The choices of how many days an item's fixes are kept.
    package static let keepDays = 1...3_650
}
