/// All limits of the product, as named constants in one place.
package enum Limits {
    /// Characters (grapheme clusters) of a name.
    package static let nameCharacters = 50
    /// UTF-8 bytes of a name.
    package static let nameBytes = 2_000
    /// Bytes of typed text accepted for processing per byte that may be stored.
    package static let typedBytesPerStoredByte = 4

    /// Consecutive non-starters (combining marks) in text from outside, as in the Stream-Safe Text Format.
    package static let nonStarters = 30

    /// Entries of a list page when the client gives no number.
    package static let pageSizeDefault = 50
    /// The maximum number of entries of a list page.
    package static let pageSizeMaximum = 200

    /// Bytes of a request body that isn't a picture.
    package static let bodyBytes = 256 * 1024
    /// Bytes of an oversized body that are read and discarded so that the client receives the response.
    package static let discardedBytes = 64 * 1024 * 1024
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
    /// Waiting pictures of one person.
    package static let pictureQueuePerPerson = 8
    /// Seconds that decoding one picture may take.
    package static let pictureSeconds = 20

    /// The minimum and maximum number of characters of a password.
    package static let passwordCharacters = 8...200
    /// Password hashes computed at once.
    package static let passwordHashers = 2
    /// Password checks waiting for a hasher before the server responds "unavailable".
    package static let passwordQueue = 256
    /// Waiting password checks of one email or one client address.
    package static let passwordQueuePerKey = 64
    /// Failed sign-ins for one email in ``throttleSeconds``, and responses that it is taken.
    package static let signInFailuresPerEmail = 10
    /// Failed sign-ins from one client address in ``throttleSeconds``, and responses to it that an email is taken.
    package static let signInFailuresPerAddress = 100
    /// The window in which failures count.
    package static let throttleSeconds: Int64 = 15 * 60

    /// Events a live stream may lag behind before it is dropped.
    package static let liveBuffer = 256
    /// Live streams of one account at once.
    package static let liveStreamsPerAccount = 20
    /// Live streams from one network at once: a tenth of ``liveListeners``, so that one network can't use them all.
    package static let liveStreamsPerNetwork = 1_000
    /// Seconds between two heartbeats of a live stream.
    package static let liveHeartbeatSeconds = 15
    /// Seconds that an event is kept in the outbox.
    package static let outboxSeconds: Int64 = 7 * 24 * 60 * 60
    /// Events read from the outbox at once.
    package static let outboxBatch = 1_000

    /// Writes waiting for the disk before the server responds "unavailable".
    package static let writeQueue = 8_192
    /// The maximum number of writes committed together.
    package static let writeBatch = 512
    /// Connections to PostgreSQL.
    package static let databaseConnections = 8
    /// Attempts of a transaction that conflicts with another one.
    package static let transactionAttempts = 10

    /// Bytes of one message from a device.
    package static let ingestBytes = 64 * 1024
    /// The burst of positions that one device can send: a whole day at one per second, collected while offline.
    package static let ingestBurst = 100_000
    /// Positions per second that one device can send continuously.
    package static let ingestPerSecond = 10
    /// The burst of positions that all devices of an account can send together.
    package static let accountIngestBurst = 400_000
    /// Positions per second that all devices of an account can send continuously.
    package static let accountIngestPerSecond = 40
    /// Devices and accounts whose rates are held in memory.
    package static let ingestBuckets = 20_000
    /// The maximum number of positions of an account, unless the setting says otherwise.
    package static let fixesPerAccount = 20_000_000
    /// Positions accepted before an account's positions are counted again.
    package static let historyRoomAtOnce = 1_000
    /// Seconds for which the count of an account's positions is reused.
    package static let historyRoomSeconds: Int64 = 60
    /// The percentage of the limit from which the account's owner is notified that the history is nearly full.
    package static let historyWarningPercent = 90
    /// Seconds after which a device can try again when its owner's history is full.
    package static let historyFullRetrySeconds = 10 * 60
    /// Slices of a history that are removed before the response to an account's deletion; the rest is removed in the
    /// background.
    package static let slicesWithDeletion = 2

    /// Fixes in one message of a tracker.
    package static let fixesPerMessage = 200
    /// Messages kept in quarantine for one source.
    package static let quarantinePerSource = 1_000
    /// Seconds that a message is kept in quarantine.
    package static let quarantineSeconds: Int64 = 30 * 24 * 60 * 60
    /// Wrong claim codes of one account in ``claimSeconds``.
    package static let claimFailuresPerAccount = 5
    /// The window in which wrong claim codes count.
    package static let claimSeconds: Int64 = 10 * 60
    /// Seconds after which unclaimed trackers are deleted.
    package static let unclaimedTrackerSeconds: Int64 = 7 * 24 * 60 * 60
    /// Lookups of found trackers from one client address in ``throttleSeconds``.
    package static let finderLookupsPerAddress = 30
    /// Seconds that a found tracker's token is valid.
    package static let finderTokenSeconds: Int64 = 60 * 60
    /// Seconds that a found tracker's clock may be ahead.
    package static let finderTokenSkewSeconds: Int64 = 10 * 60
    /// Seconds for which a former owner of a tracker can be identified: at least 25 days
    /// (draft-ietf-dult-accessory-protocol-00, 3.16.2).
    package static let formerOwnerSeconds: Int64 = 25 * 24 * 60 * 60
    /// First contacts of trackers from one client address in ``throttleSeconds``.
    package static let firstContactsPerAddress = 100
    /// Items of one account.
    package static let itemsPerAccount = 1_000
    /// Pictures of one account.
    package static let picturesPerAccount = 2_000
    /// Sources (OwnTracks, OsmAnd) of one account.
    package static let sourcesPerAccount = 100
    /// Seconds that a fix may be ahead of the server's clock.
    package static let fixFutureSeconds: Int64 = 10 * 60

    /// Bytes of one object in the object store.
    package static let objectBytes = 64 * 1024 * 1024
    /// Threads that read and write objects.
    package static let objectThreads = 4
    /// Reads and writes of objects waiting for a thread before the server responds "unavailable".
    package static let objectQueue = 1_024
    /// Bytes of memory that the process that decodes pictures may map.
    package static let pictureMemoryBytes = 1024 * 1024 * 1024
    /// Bytes of the decoding process's output: three JPEG files of at most 160, 640 and 1600 pixels a side.
    package static let pictureResponseBytes = 16 * 1024 * 1024
    /// Seconds after which an unfinished upload counts as crashed, and its objects as garbage.
    package static let pictureUploadSeconds: Int64 = 60 * 60
    /// Garbage objects removed in one run.
    package static let garbageBatch = 200

    /// Commands in one response to a tracker.
    package static let commandsPerMessage = 16
    /// Acknowledgements in one message of a tracker.
    package static let acknowledgementsPerMessage = 32
    /// Undelivered fixes that a tracker stores; the oldest are dropped.
    package static let trackerSpool = 5_000
    /// Finished commands that a tracker remembers, so that it runs none twice.
    package static let trackerRememberedCommands = 64
    /// ASCII characters of the reason for a command's failure.
    package static let commandReasonCharacters = 64
    /// Seconds between a tracker's first attempts to reach the server, doubled up to ``trackerRetrySecondsMaximum``.
    package static let trackerRetrySeconds: Int64 = 2
    /// The maximum number of seconds between a tracker's attempts to reach the server.
    package static let trackerRetrySecondsMaximum: Int64 = 15 * 60
    /// Seconds for which the server must not recognise a bound tracker before the tracker resets itself to a new one.
    package static let trackerUnknownSeconds: Int64 = 24 * 60 * 60

    /// Concurrent reads of the SQLite file, each on its own connection.
    package static let databaseReaders = 4
    /// Reads waiting for a connection before the server responds "unavailable".
    package static let readQueue = 8_192
    /// Prepared statements kept by one database connection.
    package static let preparedStatements = 256
    /// Bytes of a statement's values that are bound without a separate allocation.
    package static let statementScratchBytes = 4_096
    /// Milliseconds between two polls for changes made by another process.
    package static let databasePollMilliseconds = 250
    /// Seconds to wait for another process that writes to the SQLite file.
    package static let databaseBusySeconds = 10
    /// Seconds that connecting to PostgreSQL may take.
    package static let databaseConnectSeconds = 3
    /// Seconds that a statement may wait for a row locked by another transaction.
    package static let databaseLockSeconds = 8
    /// Events that one transaction may publish.
    package static let eventsPerTransaction = 65_535
    /// Outbox rows removed in one transaction.
    package static let outboxPruneBatch = 5_000

    /// UTF-8 bytes of a password.
    package static let passwordBytes = 4_096
    /// Seconds after which the time of a session's last use is stored again.
    package static let sessionTouchSeconds: Int64 = 60 * 60
    /// Seconds without use after which a session expires; a browser keeps its cookie as long.
    package static let sessionIdleSeconds: Int64 = 400 * 24 * 60 * 60
    /// Signed-in devices of one account; a further one replaces the least recently used.
    package static let sessionsPerAccount = 200
    /// Milliseconds for which a validated session is accepted without a database query.
    package static let sessionCacheMilliseconds: Int64 = 1_000
    /// Sessions in that cache.
    package static let sessionCacheEntries = 10_000
    /// Seconds that a password reset link is valid.
    package static let passwordResetSeconds: Int64 = 60 * 60
    /// Seconds that an email verification link is valid.
    package static let verificationSeconds: Int64 = 7 * 24 * 60 * 60
    /// Seconds that a proof of presence is valid.
    package static let proofSeconds: Int64 = 10 * 60
    /// Seconds that a new email address can wait for its confirmation.
    package static let emailChangeSeconds: Int64 = 24 * 60 * 60
    /// Seconds within which a change of the email address can be undone from the old address.
    package static let emailUndoSeconds: Int64 = 7 * 24 * 60 * 60
    /// Valid undo links of one account.
    package static let emailUndosPerAccount = 20

    /// Bytes of an idempotency key.
    package static let idempotencyKeyBytes = 200
    /// Seconds after which an idempotency key expires and the request can run again: 90 days.
    package static let idempotencySeconds: Int64 = 90 * 24 * 60 * 60
    /// Idempotency keys deleted in one transaction.
    package static let idempotencyPruneBatch = 5_000
    /// Copies of the SQLite file kept from before migrations; and as many from before restores.
    package static let storeCopies = 5
    /// Bytes of a list's cursor.
    package static let cursorBytes = 400
    /// Fields of a form or query, or keys of one JSON object.
    package static let formFields = 500
    /// The maximum depth of nested objects and arrays in a JSON body.
    package static let jsonDepth = 32
    /// Parts of a multipart body.
    package static let multipartParts = 32
    /// Bytes of the headers of one part of a multipart body.
    package static let multipartHeaderBytes = 8 * 1024
    /// Bytes of a multipart field that is not a file.
    package static let multipartFieldBytes = 64 * 1024
    /// Combinations of route and status that the metrics count separately.
    package static let metricSeries = 4_000
    /// Concurrent listeners of live streams, over all accounts.
    package static let liveListeners = 10_000

    /// Sources whose credentials are cached in memory, so that a fix needs no query.
    package static let ingestCredentials = 10_000
    /// Fixes read at once while a history is exported.
    package static let exportPage = 1_000
    /// Seconds within which a newly paired tracker must report a first position before *activate* expires.
    package static let activationSeconds: Int64 = 7 * 24 * 60 * 60
    /// Seconds that a finished command is listed.
    package static let finishedCommandSeconds: Int64 = 30 * 24 * 60 * 60
    /// The maximum number of rows that one housekeeping run changes.
    package static let housekeepingBatch = 1_000
    /// The maximum age in seconds of a phone's position that counts for a tracker's choice of radio.
    package static let nearestPhoneSeconds: Int64 = 30 * 60
    /// Seconds between two housekeeping runs.
    package static let housekeepingSeconds = 60

    /// Characters of a package's pickup or destination text.
    package static let placeCharacters = 100
    /// UTF-8 bytes of a package's pickup or destination text.
    package static let placeBytes = 4_000
    /// Characters of a package's description, of the reason for a dispute, of an operator's note.
    package static let descriptionCharacters = 1_000
    /// UTF-8 bytes of a package's description, of the reason for a dispute, of an operator's note.
    package static let descriptionBytes = 8_000
    /// Grams of a package: one tonne.
    package static let packageWeightGrams: Int64 = 1_000_000
    /// Minor units of a reward, a deposit, or a payment in or out. A million of them still fit into a balance.
    package static let packageMoneyMinor: Int64 = 1_000_000_000_000
    /// Seconds after a carrier's delivery report until an operator is asked.
    package static let deliveryReportSeconds: Int64 = 72 * 60 * 60
    /// Seconds between two checks for packages that were not picked up in time.
    package static let deadlineSeconds = 20
    /// Digits of a handover code.
    package static let handoverCodeDigits = 6
    /// Packages whose automatic refund failed and that are skipped until the next housekeeping run.
    package static let failedExpiries = 100
    /// Seconds that a handover code is valid.
    package static let handoverCodeSeconds: Int64 = 60 * 60
    /// Wrong handover codes of one person for one package in ``handoverThrottleSeconds``.
    package static let handoverFailures = 5
    /// The window in which wrong handover codes count.
    package static let handoverThrottleSeconds: Int64 = 30 * 60
    /// Statements that each party of a dispute can add.
    package static let disputeStatements: Int64 = 5
    /// Operators who are notified of one dispute.
    package static let operatorsNotified = 100
    /// The number of newest entries of a package's history that its page shows.
    package static let storyEntries = 200
    /// People of one app in the membership cache.
    package static let membershipCacheEntries = 100_000

    /// Postings of one transfer.
    package static let ledgerPostings = 16
    /// Characters of a transfer's kind.
    package static let ledgerKindCharacters = 40
    /// Characters of a transfer's subject.
    package static let ledgerSubjectCharacters = 100
    /// Transfers of one subject that are read at once.
    package static let ledgerSubjectTransfers = 1_000
    /// Seconds between two runs that seal the ledger.
    package static let ledgerSealSeconds = 5
    /// Transfers sealed in one batch, so that writers never wait long.
    package static let ledgerBatch = 500
    /// Ledger rows read at once during verification.
    package static let ledgerVerifyPage = 500
    /// Findings reported by one verification; there may be more.
    package static let ledgerFindings = 100
    /// Damaged rows whose changed byte one verification searches for.
    package static let ledgerLocatedRows = 5
    /// Seconds to wait for another process that seals the ledger or restores the database.
    package static let ledgerAnchorSeconds = 60

    /// Fixes deleted in one transaction; a longer history is deleted in several.
    package static let fixesPerDeletion = 5_000

    /// Metres of a position's accuracy: up to half the circumference of the Earth.
    package static let accuracyMetres: ClosedRange<Double> = 0...20_000_000
    /// Metres of a position's altitude: from below the deepest trench to above any aircraft.
    package static let altitudeMetres: ClosedRange<Double> = -20_000...1_000_000
    /// Metres per second of a position's speed: more than escape velocity.
    package static let speedMetresPerSecond: ClosedRange<Double> = 0...100_000

    /// The maximum number of points of a contract.
    package static let contractPoints: Int64 = 1_000_000
    /// Levels of a contract.
    package static let contractLevels = 10
    /// Characters of a reward.
    package static let rewardCharacters = 100
    /// UTF-8 bytes of a reward.
    package static let rewardBytes = 2_000
    /// Points of one chore.
    package static let chorePoints: ClosedRange<Int64> = 1...3
    /// Chores of one household.
    package static let choresPerHousehold = 200
    /// Children of one household.
    package static let childrenPerHousehold = 30
    /// Parents of one household.
    package static let parentsPerHousehold = 10
    /// Chores assigned in one request.
    package static let assignmentEntries = 100
    /// Open requests for points of one child.
    package static let openRequestsPerChild = 50
    /// Seconds for which the deletion of a chore can be undone.
    package static let familyUndoSeconds: Int64 = 10 * 60
    /// Seconds for which a deleted child can be restored. Long enough to notice that another person used a session.
    package static let childRestorationSeconds: Int64 = 7 * 24 * 60 * 60
    /// Deleted children of one household that can be restored.
    package static let deletedChildrenPerHousehold = 60
    /// Random bytes of a child's sign-in code and of an invitation.
    package static let familyCodeBytes = 18
    /// Bytes of a submitted code.
    package static let familyShownCodeBytes = 200
    /// Seconds that a child's sign-in code is valid.
    package static let signInCodeSeconds: Int64 = 10 * 60
    /// Seconds for which the outcome of such a code is stored.
    package static let signInCodeKeptSeconds: Int64 = 24 * 60 * 60
    /// Seconds that an invitation into a household is valid.
    package static let invitationSeconds: Int64 = 24 * 60 * 60
    /// Characters of the reason that a parent gives with a declined request.
    package static let declineReasonCharacters = 200
    /// UTF-8 bytes of that reason.
    package static let declineReasonBytes = 2_000
    /// The window in seconds in which parents are notified at most once of sign-in codes that another parent makes for
    /// a child.
    package static let codeNotificationSeconds: Int64 = 60 * 60
    /// The window in seconds in which parents are notified at most once of the same event of a child: a sign-in, a
    /// deletion, a restoration.
    package static let childNotificationSeconds: Int64 = 60
    /// Seconds from the announcement of a parent's removal until it takes effect.
    package static let removalNoticeSeconds: Int64 = 7 * 24 * 60 * 60
    /// Open invitations of one household; a further one replaces the oldest.
    package static let openInvitations = 20
    /// Wrong sign-in codes and invitations from one client address in ``throttleSeconds``.
    package static let familyCodeFailures = 100

    /// Seconds until a request to a provider times out.
    package static let providerSeconds: Int64 = 10
    /// Seconds until connecting to a provider times out.
    package static let providerConnectSeconds: Int64 = 5
    /// Bytes of a provider's response.
    package static let providerAnswerBytes = 256 * 1024
    /// Bytes of a provider's token, or of any other value in a provider's redirect.
    package static let providerTokenBytes = 16 * 1024
    /// Keys of one provider that are examined.
    package static let providerKeys = 50
    /// Seconds that a provider's endpoints and keys are cached.
    package static let providerCacheSeconds: Int64 = 60 * 60
    /// Seconds that a provider's clock may differ.
    package static let providerSkewSeconds: Int64 = 2 * 60
    /// Seconds within which a person must return from a provider and complete the sign-in.
    package static let providerAttemptSeconds: Int64 = 10 * 60
    /// Unfinished sign-in attempts from one client address.
    package static let providerAttemptsPerAddress = 100

    // MARK: Event loops

    /// Bytes of a body that is read and processed on a connection's event loop.
    package static let loopBodyBytes = 4_096
}
