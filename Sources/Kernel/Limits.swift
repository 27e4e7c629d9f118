/// Every limit of the product by its name, so that none hides in a loop.
package enum Limits {
    /// Characters (grapheme clusters) of a name.
    package static let nameCharacters = 50
    /// UTF-8 bytes of a name.
    package static let nameBytes = 2_000
    /// Bytes of a typed text that are looked at, for each byte that it may take when it is stored.
    package static let typedBytesPerStoredByte = 4

    /// Non-starters (combining marks) in a row of a text from outside, as the Stream-Safe Text Format has it.
    package static let nonStarters = 30

    /// Entries of a list page when the client doesn't say.
    package static let pageSizeDefault = 50
    /// Entries of a list page at the most.
    package static let pageSizeMaximum = 200

    /// Bytes of a request body that isn't a picture.
    package static let bodyBytes = 256 * 1024
    /// Bytes of a body that is too large, read and thrown away so that its sender gets to the answer.
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
    /// Those of them that are one person's.
    package static let pictureQueuePerPerson = 8
    /// Seconds that decoding one picture may take.
    package static let pictureSeconds = 20

    /// Characters of a password, at the least and at the most.
    package static let passwordCharacters = 8...200
    /// Password hashes worked on at once, and those waiting.
    package static let passwordHashers = 2
    /// Password checks waiting for a hasher before the answer is "unavailable".
    package static let passwordQueue = 256
    /// Those of them that share one email or one client address.
    package static let passwordQueuePerKey = 64
    /// Failed sign-ins of one email in ``throttleSeconds``, and answers that it is taken.
    package static let signInFailuresPerEmail = 10
    /// Failed sign-ins from one client address in ``throttleSeconds``, and answers to it that an email is taken.
    package static let signInFailuresPerAddress = 100
    /// The window in which failures count.
    package static let throttleSeconds: Int64 = 15 * 60

    /// Events a live stream may lag behind before it is dropped.
    package static let liveBuffer = 256
    /// Live streams of one account at once.
    package static let liveStreamsPerAccount = 20
    /// Live streams from one network at once: a tenth of ``liveListeners``, so that one network can't take them all.
    package static let liveStreamsPerNetwork = 1_000
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
    /// Positions that one device may send at once: a whole day at one a second, gathered without a connection.
    package static let ingestBurst = 100_000
    /// Positions a second that one device may send for good.
    package static let ingestPerSecond = 10
    /// Positions that all devices of an account may send at once.
    package static let accountIngestBurst = 400_000
    /// Positions a second that all devices of an account may send for good.
    package static let accountIngestPerSecond = 40
    /// Devices and accounts whose rates are kept in memory.
    package static let ingestBuckets = 20_000
    /// Positions that an account has room for at the most, unless the setting says another number.
    package static let fixesPerAccount = 20_000_000
    /// Positions that are taken before an account's are counted again.
    package static let historyRoomAtOnce = 1_000
    /// Seconds for which a count of an account's positions is used.
    package static let historyRoomSeconds: Int64 = 60
    /// The percentage of the limit from which the account's owner is notified that the history is nearly full.
    package static let historyWarningPercent = 90
    /// Seconds after which a device whose owner's history is full may try again.
    package static let historyFullRetrySeconds = 10 * 60
    /// Slices of a history that are removed before the answer to an account's deletion; the rest goes in the
    /// background.
    package static let slicesWithDeletion = 2

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
    /// Looks at found trackers from one client address in ``throttleSeconds``.
    package static let finderLookupsPerAddress = 30
    /// Seconds that a token from a found tracker is good for.
    package static let finderTokenSeconds: Int64 = 60 * 60
    /// Seconds that such a tracker's clock may be ahead.
    package static let finderTokenSkewSeconds: Int64 = 10 * 60
    /// Seconds that a former owner of a tracker can be recognised: 25 days at the least
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
    /// Seconds that a fix may be ahead of our clock.
    package static let fixFutureSeconds: Int64 = 10 * 60

    /// Bytes of one object in the object store.
    package static let objectBytes = 64 * 1024 * 1024
    /// Threads that read and write objects.
    package static let objectThreads = 4
    /// Reads and writes of objects waiting for a thread before the answer is "unavailable".
    package static let objectQueue = 1_024
    /// Bytes of memory that the process which decodes a picture may map.
    package static let pictureMemoryBytes = 1024 * 1024 * 1024
    /// Bytes of what the decoding process answers: three JPEG files of at most 160, 640 and 1600 pixels a side.
    package static let pictureAnswerBytes = 16 * 1024 * 1024
    /// Seconds after which an upload that never finished counts as crashed, and its objects as garbage.
    package static let pictureUploadSeconds: Int64 = 60 * 60
    /// Garbage objects removed in one go.
    package static let garbageBatch = 200

    /// Commands in one answer to a tracker.
    package static let commandsPerMessage = 16
    /// Acknowledgements in one message of a tracker.
    package static let acknowledgementsPerMessage = 32
    /// Fixes that a tracker keeps while it can't deliver them; the oldest go first.
    package static let trackerSpool = 5_000
    /// Finished commands that a tracker remembers, so as to carry out none twice.
    package static let trackerRememberedCommands = 64
    /// ASCII characters of the reason for a command's failure.
    package static let commandReasonCharacters = 64
    /// Seconds between a tracker's first tries to reach the server, doubled up to ``trackerRetrySecondsMaximum``.
    package static let trackerRetrySeconds: Int64 = 2
    /// Seconds between a tracker's tries to reach the server at the most.
    package static let trackerRetrySecondsMaximum: Int64 = 15 * 60
    /// Seconds that a server must disown a bound tracker before it starts over as a new one.
    package static let trackerDisownedSeconds: Int64 = 24 * 60 * 60

    /// Reads of the SQLite file at once, each on its own connection.
    package static let databaseReaders = 4
    /// Reads waiting for a connection before the answer is "unavailable".
    package static let readQueue = 8_192
    /// Prepared statements kept by one database connection.
    package static let preparedStatements = 256
    /// Bytes of a statement's values that are bound without an allocation of their own.
    package static let statementScratchBytes = 4_096
    /// Milliseconds between two looks for changes that another process made.
    package static let databasePollMilliseconds = 250
    /// Seconds to wait for another process that is writing to the SQLite file.
    package static let databaseBusySeconds = 10
    /// Seconds that connecting to PostgreSQL may take.
    package static let databaseConnectSeconds = 3
    /// Seconds that a statement may wait for a row that another transaction has locked.
    package static let databaseLockSeconds = 8
    /// Events that one transaction may publish.
    package static let eventsPerTransaction = 65_535
    /// Outbox rows removed in one transaction.
    package static let outboxPruneBatch = 5_000

    /// UTF-8 bytes of a password.
    package static let passwordBytes = 4_096
    /// Seconds after which the time of a session's last use is stored anew.
    package static let sessionTouchSeconds: Int64 = 60 * 60
    /// Seconds without use after which a session is over; a browser keeps its cookie as long.
    package static let sessionIdleSeconds: Int64 = 400 * 24 * 60 * 60
    /// Devices of one account signed in at once; the one unused for longest goes.
    package static let sessionsPerAccount = 200
    /// Milliseconds for which a session that was found good is believed without asking the store.
    package static let sessionCacheMilliseconds: Int64 = 1_000
    /// Sessions believed so at once.
    package static let sessionCacheEntries = 10_000
    /// Seconds that a link for a new password is good for.
    package static let passwordResetSeconds: Int64 = 60 * 60
    /// Seconds that a link to verify an email is good for.
    package static let verificationSeconds: Int64 = 7 * 24 * 60 * 60
    /// Seconds that a proof of presence is good for.
    package static let proofSeconds: Int64 = 10 * 60
    /// Seconds that a new email may wait for its confirmation.
    package static let emailChangeSeconds: Int64 = 24 * 60 * 60
    /// Seconds within which a change of the email can be undone from the old address.
    package static let emailUndoSeconds: Int64 = 7 * 24 * 60 * 60
    /// Undo links of one account that work at the same time.
    package static let emailUndosPerAccount = 20

    /// Bytes of a client's key for one change.
    package static let idempotencyKeyBytes = 200
    /// Seconds after which a client's key for one change is forgotten, and the change can be made again: 90 days.
    package static let idempotencySeconds: Int64 = 90 * 24 * 60 * 60
    /// Keys forgotten in one transaction.
    package static let idempotencyPruneBatch = 5_000
    /// Copies of the SQLite file that are kept of those made before migrations; and as many made before restores.
    package static let storeCopies = 5
    /// Bytes of a list's cursor.
    package static let cursorBytes = 400
    /// Fields of a form or query, or keys of one JSON object.
    package static let formFields = 500
    /// Objects and lists inside one another in a JSON body.
    package static let jsonDepth = 32
    /// Parts of a multipart body.
    package static let multipartParts = 32
    /// Bytes of the headers of one part of a multipart body.
    package static let multipartHeaderBytes = 8 * 1024
    /// Bytes of a field of a multipart body that is no file.
    package static let multipartFieldBytes = 64 * 1024
    /// Different routes and statuses that are counted apart in the metrics.
    package static let metricSeries = 4_000
    /// Listeners of the live stream at once, over all accounts.
    package static let liveListeners = 10_000

    /// Sources whose credentials are kept in memory, so that a fix needs no look-up.
    package static let ingestCredentials = 10_000
    /// Fixes read at once while a history is exported.
    package static let exportPage = 1_000
    /// Seconds that a newly paired tracker has to begin locating before *activate* lapses.
    package static let activationSeconds: Int64 = 7 * 24 * 60 * 60
    /// Seconds that a finished command stays listed.
    package static let finishedCommandSeconds: Int64 = 30 * 24 * 60 * 60
    /// Rows that one round of housekeeping changes at the most.
    package static let housekeepingBatch = 1_000
    /// Seconds up to which a phone's position counts for a tracker's choice of radio.
    package static let nearestPhoneSeconds: Int64 = 30 * 60
    /// Seconds between two rounds of housekeeping.
    package static let housekeepingSeconds = 60

    /// Characters of the text that says where a parcel is fetched, or where it goes.
    package static let placeCharacters = 100
    /// UTF-8 bytes of such a text.
    package static let placeBytes = 4_000
    /// Characters of a parcel's description, of the reason for a dispute, of an operator's note.
    package static let descriptionCharacters = 1_000
    /// UTF-8 bytes of such a text.
    package static let descriptionBytes = 8_000
    /// Grams of a parcel: a ton.
    package static let packageWeightGrams: Int64 = 1_000_000
    /// Minor units of a reward, of a money lock, of a payment in or out. A million of them still fit into a balance.
    package static let packageMoneyMinor: Int64 = 1_000_000_000_000
    /// Seconds after a carrier's report of the delivery until an operator is asked.
    package static let deliveryReportSeconds: Int64 = 72 * 60 * 60
    /// Seconds between two looks for parcels that were not picked up in time.
    package static let deadlineSeconds = 20
    /// Digits of a handover code.
    package static let handoverCodeDigits = 6
    /// Packages that the clock couldn't pay back and that are left alone until the next housekeeping.
    package static let stuckPackages = 100
    /// Seconds that a handover code is good for.
    package static let handoverCodeSeconds: Int64 = 60 * 60
    /// Wrong handover codes of one person for one parcel in ``handoverThrottleSeconds``.
    package static let handoverFailures = 5
    /// The window in which wrong handover codes count.
    package static let handoverThrottleSeconds: Int64 = 30 * 60
    /// Statements that each side of a dispute can add.
    package static let disputeStatements: Int64 = 5
    /// Operators who are told of one dispute.
    package static let operatorsTold = 100
    /// Entries of a parcel's story on its page; the newest ones.
    package static let storyEntries = 200
    /// People of one app who are remembered to have entered it.
    package static let enteredPeople = 100_000

    /// Legs of one transfer.
    package static let ledgerLegs = 16
    /// Characters of a transfer's kind.
    package static let ledgerKindCharacters = 40
    /// Characters of what a transfer is about.
    package static let ledgerSubjectCharacters = 100
    /// Transfers about one subject that are read at once.
    package static let ledgerSubjectTransfers = 1_000
    /// Seconds between two rounds of sealing the ledger.
    package static let ledgerSealSeconds = 5
    /// Transfers sealed in one batch, so that writers never wait long.
    package static let ledgerBatch = 500
    /// Rows of the ledger that are read at once while it is verified.
    package static let ledgerVerifyPage = 500
    /// Findings of one verification; there may be more.
    package static let ledgerFindings = 100
    /// Damaged rows whose changed byte is searched for in one verification.
    package static let ledgerLocatedRows = 5
    /// Seconds to wait for another process that seals the ledger or restores the store.
    package static let ledgerAnchorSeconds = 60

    /// Fixes deleted in one transaction; of a longer history the rest goes bit by bit.
    package static let fixesPerDeletion = 5_000

    /// Metres of a position's accuracy: up to half the way around the Earth.
    package static let accuracyMetres: ClosedRange<Double> = 0...20_000_000
    /// Metres of a position's altitude: from below the deepest trench to beyond what flies.
    package static let altitudeMetres: ClosedRange<Double> = -20_000...1_000_000
    /// Metres per second of a position's speed: more than leaving the Earth takes.
    package static let speedMetresPerSecond: ClosedRange<Double> = 0...100_000

    /// Points of a contract at the most.
    package static let contractPoints: Int64 = 1_000_000
    /// Levels of a contract.
    package static let contractLevels = 10
    /// Characters of a reward.
    package static let rewardCharacters = 100
    /// UTF-8 bytes of a reward.
    package static let rewardBytes = 2_000
    /// Points that one chore can bring.
    package static let chorePoints: ClosedRange<Int64> = 1...3
    /// Chores of one household.
    package static let choresPerHousehold = 200
    /// Children of one household.
    package static let childrenPerHousehold = 30
    /// Parents of one household.
    package static let parentsPerHousehold = 10
    /// Chores booked in one go.
    package static let assignmentEntries = 100
    /// Chores for which one child waits for points.
    package static let openRequestsPerChild = 50
    /// Seconds for which the deletion of a chore can be undone.
    package static let familyUndoSeconds: Int64 = 10 * 60
    /// Seconds for which a deleted child can be restored. Long enough to notice that another person used a session.
    package static let childRestorationSeconds: Int64 = 7 * 24 * 60 * 60
    /// Deleted children of one household that can be restored.
    package static let deletedChildrenPerHousehold = 60
    /// Random bytes of a child's sign-in code and of an invitation.
    package static let familyCodeBytes = 18
    /// Bytes of what somebody shows as such a code.
    package static let familyShownCodeBytes = 200
    /// Seconds that a child's sign-in code is good for.
    package static let signInCodeSeconds: Int64 = 10 * 60
    /// Seconds that is remembered what became of such a code.
    package static let signInCodeKeptSeconds: Int64 = 24 * 60 * 60
    /// Seconds that an invitation into a household is good for.
    package static let invitationSeconds: Int64 = 24 * 60 * 60
    /// Characters of the reason that a parent gives with a declined request.
    package static let declineReasonCharacters = 200
    /// Bytes of that reason in UTF-8.
    package static let declineReasonBytes = 2_000
    /// Seconds in which parents are notified once of sign-in codes that another parent makes for a child.
    package static let codeNotificationSeconds: Int64 = 60 * 60
    /// Seconds in which parents are notified once of the same event of a child: a sign-in, a deletion, a restoration.
    package static let childNotificationSeconds: Int64 = 60
    /// Seconds from the announcement of a parent's removal until it takes effect.
    package static let removalNoticeSeconds: Int64 = 7 * 24 * 60 * 60
    /// Invitations of one household that are open at once; the oldest one goes.
    package static let openInvitations = 20
    /// Wrong sign-in codes and invitations from one client address in ``throttleSeconds``.
    package static let familyCodeFailures = 100

    /// Seconds until a provider must have answered.
    package static let providerSeconds: Int64 = 10
    /// Seconds until a connection to a provider must stand.
    package static let providerConnectSeconds: Int64 = 5
    /// Bytes of a provider's answer.
    package static let providerAnswerBytes = 256 * 1024
    /// Bytes of a provider's token, or of what a browser brings along beside it.
    package static let providerTokenBytes = 16 * 1024
    /// Keys of one provider that are looked at.
    package static let providerKeys = 50
    /// Seconds that a provider's endpoints and keys are believed.
    package static let providerCacheSeconds: Int64 = 60 * 60
    /// Seconds that a provider's clock may be wrong.
    package static let providerSkewSeconds: Int64 = 2 * 60
    /// Seconds within which somebody must be back from a provider, and act on what it said.
    package static let providerAttemptSeconds: Int64 = 10 * 60
    /// Attempts from one client address that are not finished.
    package static let providerAttemptsPerAddress = 100

    // MARK: Event loops

    /// Bytes of a body that is read and answered on a connection's event loop.
    package static let loopBodyBytes = 4_096
}
