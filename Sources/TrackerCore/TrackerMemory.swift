package import Kernel
package import TrackerProtocol

/// A message whose answer is awaited: what its bytes are made of, apart from the fixes and acknowledgements that
/// are out. Kept until the answer is there, so that a repeat is the same message.
package struct PendingMessage: Hashable, Sendable {
    /// Its counter.
    package let counter: Int64
    let at: Instant
    let phase: TrackerPhase
    let mode: TrackerMode
    let batteryPercent: Int?
    let droppedFixes: Int64
    var hologramDevice: Int64?
}

/// All that a tracker must not forget when the power goes. Written down before any action is carried out.
package struct TrackerMemory: Hashable, Sendable {
    /// Where the tracker is in its life.
    package internal(set) var phase: TrackerPhase = .unbound
    /// Keys and claim code must be made anew before anything else.
    package internal(set) var needsIdentity = false
    /// Whom it serves.
    package internal(set) var binding: TrackerBindingID?
    /// Minutes between two positions, as the server said last.
    package internal(set) var locateMinutes = 10
    /// The preferred radio, and how it is chosen.
    package internal(set) var nearness = NearnessRule()
    /// 0 to 100; `nil` when unknown.
    package internal(set) var batteryPercent: Int?
    /// The counter of the last message that was made.
    package internal(set) var counter: Int64 = 0
    /// The message whose answer is awaited.
    package internal(set) var pending: PendingMessage?
    /// Fixes that the server has not confirmed yet.
    package internal(set) var spool = FixSpool()
    /// Commands and acknowledgements.
    package internal(set) var desk = CommandDesk()
    /// When the next position of the schedule is due.
    package internal(set) var nextFixAt: Instant?
    /// The server says that the thing is farther from its owner than it should be.
    package internal(set) var isLost = false
    /// When the present separation was first heard of. A distance that isn't known doesn't end it.
    package internal(set) var lostSince: Instant?
    /// The id that Hologram's cloud has for the tracker's SIM card; `nil` when it has none, or that isn't known.
    package internal(set) var hologramDevice: Int64?
    /// What was used of the data that is paid for.
    package internal(set) var budget = DataBudget()
    /// Since when the server has said nothing but that it doesn't know the tracker.
    package internal(set) var disownedSince: Instant?

    /// The memory of a tracker that was never switched on.
    package init() {}

    /// Whether the thing is to be looked for with more positions and more data: for a while after it got lost.
    func isSought(at now: Instant) -> Bool {
        guard isLost, let lostSince else { return false }
        return now < lostSince.adding(seconds: Limits.trackerLostSeconds)
    }

    /// Takes in what the server says of a separation.
    mutating func note(isLost: Bool, distanceMetres: Double?, at now: Instant) {
        self.isLost = isLost
        if isLost {
            // A clock that was set back must not make it last longer.
            lostSince = min(lostSince ?? now, now)
        } else if distanceMetres != nil {
            lostSince = nil
        }
    }

    /// The message that is pending, the same at every call.
    var pendingUplink: Uplink? {
        pending.map { message in
            Uplink(
                counter: message.counter, at: message.at, phase: message.phase, mode: message.mode,
                batteryPercent: message.batteryPercent, fixes: Array(spool.out), acknowledgements: Array(desk.out),
                droppedFixes: message.droppedFixes, hologramDevice: message.hologramDevice
            )
        }
    }
}
