extension Limits {
    /// Bytes of one frame over Bluetooth: what the smallest usual agreement on a packet's size leaves room for.
    package static let bluetoothFrameBytes = 180
    /// Bytes of one frame over Bluetooth that every link has room for, at the least (Bluetooth Core, ATT_MTU 23).
    package static let bluetoothFrameBytesMinimum = 20
    /// Bytes of one message over Bluetooth: the longest one over HTTP, with id and signature.
    package static let bluetoothMessageBytes = ingestBytes + 48
    /// Bytes of what a tracker tells of itself over Bluetooth; a characteristic holds no more.
    package static let bluetoothIdentityBytes = 512
    /// Seconds that a register request is good for.
    package static let registrationSeconds: Int64 = 5 * 60
    /// Register requests of one account that wait for their trackers' answers; the oldest one goes.
    package static let pendingRegistrationsPerAccount = 20

    /// Seconds for which an item says that its switch was not confirmed, unless its owner switches it again before.
    package static let switchNoteSeconds: Int64 = 24 * 60 * 60
    /// Seconds by which a position must be newer than the turning off to show that the tracker is on.
    package static let switchClockSlackSeconds: Int64 = 60

    /// Seconds for which a tracker that waits for an owner looks for one at its quicker pace. Later there is hardly anybody
    /// who types its code in, and each look costs data.
    package static let trackerWaitingSeconds: Int64 = 60 * 60
    /// Seconds between two positions of a lost thing, unless the owner wants them even more often.
    package static let trackerLostFixSeconds: Int64 = 2 * 60
    /// Seconds for which a separation is worth more positions and more data. Whoever left a thing behind on purpose, and
    /// whose phone reports all day, is not to pay for it all day.
    package static let trackerLostSeconds: Int64 = 3 * 60 * 60
    /// Seconds over which a tracker spreads its budget of data: what a bill calls a month.
    package static let trackerBudgetSeconds: Int64 = 30 * 24 * 60 * 60
    /// Seconds that a tracker short of data stays silent at the most, so that commands arrive.
    package static let trackerBudgetSilenceSeconds: Int64 = 6 * 60 * 60
    /// Seconds for which the details show the result of a *ring*.
    package static let ringShownSeconds: Int64 = 15 * 60
    /// The latest commands of an item among which a *ring* is looked for.
    package static let ringSearchCommands = 20
    /// From so many items on the list can be searched.
    package static let searchableItems = 8
}
