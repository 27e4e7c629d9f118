extension Limits {
    /// Bytes of a message to a device, as Hologram's API takes it: its base64 text.
    package static let hologramMessageBytes = 10_000
    /// Bytes of one answer of Hologram's API; a page of records is the largest.
    package static let hologramAnswerBytes = 8 * 1024 * 1024
    /// Records asked for in one page.
    package static let hologramPageRecords = 100
    /// Pages read of one stretch of time, before a shorter stretch is asked for.
    package static let hologramPagesPerStretch = 20
    /// Stretches of time read in one go; what is left comes with the next.
    package static let hologramStretches = 2_000
    /// Seconds of records asked for at once while catching up.
    package static let hologramStretchSeconds: Int64 = 60 * 60
    /// Seconds of records asked for at once at the least.
    package static let hologramShortestStretchSeconds: Int64 = 60
    /// Seconds before the last record seen that are looked at again: records may be logged late.
    package static let hologramOverlapSeconds: Int64 = 2 * 60
    /// Seconds that the first reading of records looks back.
    package static let hologramFirstLookSeconds: Int64 = 24 * 60 * 60

    /// Seconds until Hologram must have answered.
    package static let hologramSeconds: Int64 = 20
    /// Seconds until a connection to Hologram must stand.
    package static let hologramConnectSeconds: Int64 = 5
    /// Seconds to wait after "API rate limit exceeded": Hologram asks for 5 to 10.
    package static let hologramBusySeconds: ClosedRange<Int64> = 5...10
    /// The longest wait that an answer may ask for.
    package static let hologramLongestBusySeconds: Int64 = 60 * 60
    /// Seconds before the second try of what failed, doubled with each further one.
    package static let hologramRetrySeconds: Int64 = 5
    /// Seconds between two tries at the most.
    package static let hologramRetryMaximumSeconds: Int64 = 5 * 60
    /// Seconds before the next try after the key was refused: somebody has to mend the setting.
    package static let hologramRefusedKeySeconds: Int64 = 15 * 60
    /// Seconds that a node holds a message which it has taken up: when it dies meanwhile, another one takes over.
    package static let hologramClaimSeconds: Int64 = 60
    /// Messages taken up in one go.
    package static let hologramBatch = 32
    /// Messages that are being handed over at once.
    package static let hologramAtOnce = 4
    /// Seconds until a switch that Hologram took, and no tracker confirmed, is sent again; doubled with each further time.
    package static let hologramRepeatSeconds: Int64 = 2 * 60
    /// Seconds between two such repeats at the most.
    package static let hologramRepeatMaximumSeconds: Int64 = 6 * 60 * 60
    /// Times that one command is handed over at the most, tries that failed among them.
    package static let hologramAttempts = 60

    /// Trackers asked for their position in one transaction.
    package static let askBatch = 100
    /// Seconds after a message to a tracker at which its answer is looked for.
    package static let hologramAnswerSeconds: Int64 = 20
    /// Seconds after which the rounds look for something to do even when nothing told them to.
    package static let roundLookSeconds: Int64 = 60

    /// Trackers that are tried as the sender of a message, of those that say they have the device which it came from.
    package static let trackersPerHologramDevice = 8
    /// Compact frames in one message of a device.
    package static let framesPerMessage = 400
    /// Objects of the bucket read in one go; what is left comes with the next.
    package static let importedObjects = 5_000
    /// Objects of the bucket held in memory at once.
    package static let importBatch = 200
    /// Bytes of one object that Hologram put into the bucket.
    package static let importedObjectBytes = 64 * 1024
    /// Unusable messages of the cloud kept for the operators.
    package static let cloudQuarantine = 1_000
    /// Characters of a webhook's secret at the least.
    package static let webhookSecretCharacters = 22
    /// Secrets of the webhook that hold at the same time, so that one can be changed.
    package static let webhookSecrets = 4
}
