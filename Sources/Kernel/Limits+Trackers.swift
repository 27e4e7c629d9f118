extension Limits {
    /// Bytes of one frame over Bluetooth: fits into the smallest usual MTU that devices negotiate.
    package static let bluetoothFrameBytes = 180
    /// The minimum frame size in bytes over Bluetooth: fits on every link (Bluetooth Core, ATT_MTU 23).
    package static let bluetoothFrameBytesMinimum = 20
    /// Bytes of one message over Bluetooth: the longest one over HTTP plus id and signature.
    package static let bluetoothMessageBytes = ingestBytes + 48
    /// Bytes of a tracker's identity over Bluetooth; a characteristic holds no more.
    package static let bluetoothIdentityBytes = 512
    /// Seconds that a register request is valid.
    package static let registrationSeconds: Int64 = 5 * 60
    /// Register requests of one account that wait for their trackers' responses; the oldest one is dropped.
    package static let pendingRegistrationsPerAccount = 20

    /// Seconds for which an item shows that its switch command was not confirmed, unless its owner switches it again.
    package static let switchNoteSeconds: Int64 = 24 * 60 * 60
    /// Seconds by which a position must be newer than the switch-off command to prove that the tracker is on.
    package static let switchClockSlackSeconds: Int64 = 60

    /// Seconds for which an unclaimed tracker polls for an owner at its faster rate. Later an owner rarely enters its
    /// code, and each poll costs data.
    package static let trackerWaitingSeconds: Int64 = 60 * 60
    /// The maximum number of seconds between two positions of a lost item; the owner can choose fewer.
    package static let trackerLostFixSeconds: Int64 = 2 * 60
    /// Seconds for which a separation raises the frequency of positions and the use of data. An owner who leaves an
    /// item behind on purpose, while their phone reports all day, doesn't pay for it all day.
    package static let trackerLostSeconds: Int64 = 3 * 60 * 60
    /// Seconds over which a tracker spreads its data budget: one billing month.
    package static let trackerBudgetSeconds: Int64 = 30 * 24 * 60 * 60
    /// The maximum number of seconds for which a tracker short of data stays silent, so that commands arrive.
    package static let trackerBudgetSilenceSeconds: Int64 = 6 * 60 * 60
    /// Seconds for which the details show the result of a *ring*.
    package static let ringShownSeconds: Int64 = 15 * 60
    /// The number of latest commands of an item that are searched for a *ring*.
    package static let ringSearchCommands = 20
    /// The number of items from which the list offers a search.
    package static let searchableItems = 8
}
