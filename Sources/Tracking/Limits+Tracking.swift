package import Kernel

extension Limits {
    /// Positions that one transaction of an import adds.
    static let positionsPerImportStep = 500
    /// Bytes of one value in a history that is imported.
    static let gpxValueBytes = 64
    /// The maximum age in seconds of a phone's or an item's position that counts for a separation alert.
    package static let alertPositionSeconds: Int64 = 30 * 60
    /// Seconds by which an item is watched longer than the phone's position counts, so that not every position has to
    /// update every item.
    package static let alertWatchSlackSeconds: Int64 = 15 * 60
    /// The number of alerts after which *Only when sure* is no longer offered.
    package static let alertsWithOffer = 3
    /// The maximum number of safe places of one account.
    package static let safePlacesPerAccount = 50
    /// The maximum number of items whose position can be copied into a new safe place.
    package static let positionsForNewPlace = 10
    /// The number of corners of a safe place that is a polygon.
    package static let outlineCorners = 3...50
    /// The minimum area of such a polygon for each metre of its radius, in square metres: a thinner one is a line.
    static let outlineSquareMetresPerMetre: Double = 1
    /// Rules about places of one item.
    package static let geofencesPerItem = 20
    /// The maximum number of rules of one item of all people.
    static let geofencesOfAllPeople = geofencesPerItem * (peoplePerItem + 1)
    /// Minutes that an item must remain on one side of a place's border before a rule reports it.
    package static let dwellMinutes = 0...240
    /// The seconds, beyond twice the dwell, between two positions on a side that count as two in a row although others
    /// came between them. It is longer than the intervals of most trackers, and shorter than a stay elsewhere.
    static let pendingCrossingSeconds: Int64 = 2 * 60 * 60
    /// The seconds for which a missed arrival waits for the confirmation of a position in the place.
    static let pendingArrivalSeconds: Int64 = 15 * 60
    /// The maximum age in seconds of the last position that becomes the place of a parked item.
    static let parkingPositionSeconds: Int64 = 2 * 60
    /// The maximum age in seconds of the position that confirms a crossing, or of a missed arrival, that is still
    /// reported.
    package static let crossingAlertSeconds: Int64 = 12 * 60 * 60
    /// The radius of a safe place, in metres.
    package static let safePlaceRadiusMetres = 10...10_000

    /// Pages read of one time span before a shorter span is requested.
    package static let hologramPagesPerPeriod = 20
    /// Time spans read in one run; the next run reads the rest.
    package static let hologramPeriods = 2_000
    /// Length in seconds of the time span requested at once while catching up.
    package static let hologramPeriodSeconds: Int64 = 60 * 60
    /// The minimum length in seconds of the time span requested at once.
    package static let hologramShortestPeriodSeconds: Int64 = 60
    /// Seconds before the last record seen that are read again, because Hologram may log records late.
    package static let hologramOverlapSeconds: Int64 = 2 * 60
    /// Seconds of history that the first read covers.
    package static let hologramFirstReadingSeconds: Int64 = 24 * 60 * 60
    /// Seconds of a node's lease of a message. When the node dies, another node takes over.
    package static let hologramLeaseSeconds: Int64 = 60
    /// Deliveries of an earlier version that one transaction moves.
    package static let hologramBatch = 32
    /// Messages being delivered at once.
    package static let hologramConcurrency = 4
    /// Deliveries of one command, and failed attempts in a row.
    package static let hologramAttempts = 60
    /// Commands that may wait for their delivery through Hologram.
    static let hologramCommands = 100_000
    /// Seconds for which a command without an expiry is sent.
    static let hologramCommandSeconds: Int64 = 30 * 24 * 60 * 60
    /// Seconds between two checks for due work that no event announced.
    static let hologramPollSeconds: Int64 = 60
    /// Trackers whose position is requested in one transaction.
    package static let pollBatch = 100
    /// Seconds after a message to a tracker at which the server polls for its response.
    package static let hologramAnswerSeconds: Int64 = 20
    /// Candidate trackers tried as the sender of a message, out of those registered with the device that it came from.
    package static let trackersPerHologramDevice = 8
    /// Compact frames in one message from a device.
    package static let framesPerMessage = 400
    /// Objects of the bucket read in one run; the next run reads the rest.
    package static let importedObjects = 5_000
    /// Objects of the bucket held in memory at once.
    package static let importBatch = 200
    /// Bytes of one object that Hologram writes to the bucket.
    package static let importedObjectBytes = 64 * 1024
    /// Unusable cloud messages kept for the administrator.
    package static let cloudQuarantine = 1_000

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
    /// The choices of how many hours an item may be silent before people are notified.
    package static let silentHours = 1...168
    /// Seconds for which an alert about an item is kept with its evidence.
    package static let itemAlertSeconds: Int64 = 90 * 24 * 60 * 60
    /// Alerts in an export.
    package static let exportedAlerts = 10_000
    /// Alerts that an item's page lists.
    package static let alertsOnItemPage = 5

    /// Seconds that a register request is valid.
    package static let registrationSeconds: Int64 = 5 * 60
    /// Register requests of one account that wait for their trackers' responses; the oldest one is dropped.
    package static let pendingRegistrationsPerAccount = 20
    /// Seconds for which an item shows that its switch command was not confirmed, unless its owner switches it again.
    package static let switchNoteSeconds: Int64 = 24 * 60 * 60
    /// Seconds by which a position must be newer than the switch-off command to prove that the tracker is on.
    package static let switchClockSlackSeconds: Int64 = 60
    /// Seconds for which the details show the result of a *ring*.
    package static let ringShownSeconds: Int64 = 15 * 60
    /// The number of latest commands of an item that are searched for a *ring*.
    package static let ringSearchCommands = 20

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
    /// Positions accepted before an account's positions are counted again.
    package static let historyRoomAtOnce = 1_000
    /// Seconds for which the count of an account's positions is reused.
    package static let historyRoomSeconds: Int64 = 60
    /// Seconds after which a device can try again when its owner's history is full.
    package static let historyFullRetrySeconds = 10 * 60
    /// Slices of a history that are removed before the response to an account's deletion; the rest is removed in the
    /// background.
    package static let slicesWithDeletion = 2
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
    /// The maximum number of other people's items that are shared with one account.
    package static let sharedItemsPerAccount = 200
    /// The maximum number of items in one account's list: own and shared ones.
    package static let itemsPerList = itemsPerAccount + sharedItemsPerAccount
    /// The maximum number of people with whom an item is shared.
    package static let peoplePerItem = 20
    /// The maximum number of open invitations to one item.
    package static let openItemInvitations = 10
    /// The seconds for which an invitation to an item can be used.
    package static let itemInvitationSeconds: Int64 = 7 * 24 * 60 * 60
    /// Wrong links to items that one network may open within the throttles' window.
    static let wrongItemInvitations = 20
    /// Sources (OwnTracks, OsmAnd) of one account.
    package static let sourcesPerAccount = 100
    /// Seconds that a fix may be ahead of the server's clock.
    package static let fixFutureSeconds: Int64 = 10 * 60
    /// Seconds before the receipt to which a time is corrected after a rollover of the receiver's week counter.
    package static let rolloverCorrectedSeconds: Double = 30 * 24 * 60 * 60
    /// Seconds before the receipt to which such a correction would lead for a time that is refused.
    package static let rolloverSuspectedSeconds: Double = 366 * 24 * 60 * 60
    /// The dilution of precision that receivers report without a fix: 99.9, 99.99 or more.
    static let noFixDilution: Double = 99
    /// Sources whose credentials are cached in memory, so that a fix needs no query.
    package static let ingestCredentials = 10_000
    /// Fixes read at once while a history is exported.
    package static let exportPage = 1_000
    /// Seconds within which a newly paired tracker must report a first position before *activate* expires.
    package static let activationSeconds: Int64 = 7 * 24 * 60 * 60
    /// Seconds that a finished command is listed.
    package static let finishedCommandSeconds: Int64 = 30 * 24 * 60 * 60
    /// The maximum age in seconds of a phone's position that counts for a tracker's choice of radio.
    package static let nearestPhoneSeconds: Int64 = 30 * 60
    /// Fixes deleted in one transaction; a longer history is deleted in several.
    package static let fixesPerDeletion = 5_000
    /// Metres of a position's accuracy: up to half the circumference of the Earth.
    package static let accuracyMetres: ClosedRange<Double> = 0...20_000_000
    /// Metres of a position's altitude: from below the deepest trench to above any aircraft.
    package static let altitudeMetres: ClosedRange<Double> = -20_000...1_000_000
    /// Metres per second of a position's speed: more than escape velocity.
    package static let speedMetresPerSecond: ClosedRange<Double> = 0...100_000
}
