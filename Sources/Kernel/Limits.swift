/// Every limit of the product by its name, so that none hides in a loop.
package enum Limits {
    /// Characters (grapheme clusters) of a name.
    package static let nameCharacters = 50
    /// UTF-8 bytes of a name.
    package static let nameBytes = 1_000

    /// Entries of a list page when the client doesn't say.
    package static let pageSizeDefault = 50
    /// Entries of a list page at the most.
    package static let pageSizeMaximum = 200

    /// Bytes of a request body that isn't a picture.
    package static let bodyBytes = 256 * 1024
    /// Bytes of a picture.
    package static let pictureBytes = 10 * 1024 * 1024
    /// Bytes of a multipart body around a picture of ``pictureBytes``.
    package static let multipartBytes = pictureBytes + 64 * 1024
    /// Pixels of a picture.
    package static let picturePixels = 50_000_000
    /// Pictures decoded at once.
    package static let pictureWorkers = 2
    /// Pictures waiting to be decoded.
    package static let pictureQueue = 32
    /// Seconds that decoding one picture may take.
    package static let pictureSeconds = 20

    /// Characters of a password, at the least and at the most.
    package static let passwordCharacters = 8...200
    /// Password hashes worked on at once, and those waiting.
    package static let passwordHashers = 2
    /// Password checks waiting for a hasher before the answer is "unavailable".
    package static let passwordQueue = 64
    /// Failed sign-ins of one email in ``throttleSeconds``.
    package static let signInFailuresPerEmail = 10
    /// Failed sign-ins from one client address in ``throttleSeconds``.
    package static let signInFailuresPerAddress = 100
    /// The window in which failures count.
    package static let throttleSeconds: Int64 = 15 * 60

    /// Events a live stream may lag behind before it is dropped.
    package static let liveBuffer = 256
    /// Live streams of one account at once.
    package static let liveStreamsPerAccount = 20
    /// Seconds between two heartbeats of a live stream.
    package static let liveHeartbeatSeconds = 15
    /// Seconds that an event stays in the outbox.
    package static let outboxSeconds: Int64 = 7 * 24 * 60 * 60
    /// Events read from the outbox in one go.
    package static let outboxBatch = 1_000

    /// Writes waiting for the disk before the answer is "unavailable".
    package static let writeQueue = 8_192
    /// Writes committed together at the most.
    package static let writeBatch = 512
    /// Connections to PostgreSQL.
    package static let databaseConnections = 8
    /// Tries of a transaction that another one got in the way of.
    package static let transactionTries = 10

    /// Bytes of one message of a device.
    package static let ingestBytes = 64 * 1024
    /// Fixes in one message of a tracker.
    package static let fixesPerMessage = 200
    /// Messages kept in quarantine for one source.
    package static let quarantinePerSource = 1_000
    /// Seconds that a message stays in quarantine.
    package static let quarantineSeconds: Int64 = 30 * 24 * 60 * 60
    /// Wrong claim codes of one account in ``claimSeconds``.
    package static let claimFailuresPerAccount = 5
    /// The window in which wrong claim codes count.
    package static let claimSeconds: Int64 = 10 * 60
    /// Trackers that nobody claimed are forgotten after this.
    package static let unclaimedTrackerSeconds: Int64 = 7 * 24 * 60 * 60
    /// First contacts of trackers from one client address in ``throttleSeconds``.
    package static let firstContactsPerAddress = 100
    /// Items of one account.
    package static let itemsPerAccount = 1_000
    /// Pictures of one account.
    package static let picturesPerAccount = 2_000
    /// Sources (OwnTracks, OsmAnd) of one account.
    package static let sourcesPerAccount = 100
    /// Seconds that a fix may be ahead of our clock.
    package static let fixFutureSeconds: Int64 = 10 * 60
}
