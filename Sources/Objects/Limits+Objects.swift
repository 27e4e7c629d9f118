package import Kernel

extension Limits {
    /// Keys in one page of an object store's listing.
    package static let objectPage = 1_000
    /// Responses that a bucket may give for one page, each with a part of it.
    package static let bucketResponsesPerPage = 200
    /// Bytes of one listing response of a bucket: a thousand keys of 1,024 bytes, percent-encoded.
    package static let bucketListBytes = 4 * 1024 * 1024
    /// Bytes of a bucket's error message that are read.
    package static let bucketErrorBytes = 64 * 1024
    /// The maximum depth of nested elements in a bucket's response.
    package static let bucketResponseDepth = 16
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

    /// Bytes of one object in the object store.
    package static let objectBytes = 64 * 1024 * 1024
    /// Threads that read and write objects.
    package static let objectThreads = 4
    /// Reads and writes of objects waiting for a thread before the server responds "unavailable".
    package static let objectQueue = 1_024
}
