package import Kernel
package import TrackerProtocol

/// A message that waits for its response: its content apart from the fixes and acknowledgements that are out. Kept
/// until the response arrives, so that a repeat has the same bytes.
package struct PendingMessage: Hashable, Sendable {
    package let counter: Int64
    let at: Instant
    let phase: TrackerPhase
    let mode: TrackerMode
    let batteryPercent: Int?
    let droppedFixes: Int64
    var hologramDevice: Int64?
}

/// The persistent state of a tracker. Stored before any action is performed.
package struct TrackerMemory: Hashable, Sendable {
    /// The phase of the tracker's life cycle.
    package internal(set) var phase: TrackerPhase = .unbound
    /// Whether new keys and a new claim code must be created before anything else.
    package internal(set) var needsIdentity = false
    /// The binding to an owner, if there is one.
    package internal(set) var binding: TrackerBindingID?
    /// Minutes between two positions, as last set by the server.
    package internal(set) var locateMinutes = 10
    /// The preferred radio and the state of the rule that selects it.
    package internal(set) var nearness = NearnessRule()
    /// The battery level, 0 to 100; `nil` when unknown.
    package internal(set) var batteryPercent: Int?
    /// The counter of the last created message.
    package internal(set) var counter: Int64 = 0
    /// The message that waits for its response.
    package internal(set) var pending: PendingMessage?
    /// Fixes that the server has not confirmed yet.
    package internal(set) var spool = FixSpool()
    package internal(set) var commands = CommandQueue()
    /// The time at which the next scheduled position is due.
    package internal(set) var nextFixAt: Instant?
    /// Whether the server reports a separation of the item from its owner.
    package internal(set) var isLost = false
    /// The time at which the tracker learned of the current separation. An unknown distance doesn't end the separation.
    package internal(set) var lostSince: Instant?
    /// The SIM card's Hologram id; `nil` when there is none or it is unknown.
    package internal(set) var hologramDevice: Int64?
    /// The use of metered data.
    package internal(set) var budget = DataBudget()
    /// The time since which the server has only responded that it doesn't know the tracker.
    package internal(set) var unknownSince: Instant?

    /// Creates the memory of a new tracker.
    package init() {}

    /// Returns whether the separation justifies more positions and more data, which it does for
    /// ``Limits/trackerLostSeconds``.
    func isSought(at now: Instant) -> Bool {
        guard isLost, let lostSince else { return false }
        return now < lostSince.adding(seconds: Limits.trackerLostSeconds)
    }

    /// Records the separation as reported by the server.
    mutating func recordSeparation(isLost: Bool, distanceMetres: Double?, at now: Instant) {
        self.isLost = isLost
        if isLost {
            // A clock that is set back must not prolong the separation.
            lostSince = min(lostSince ?? now, now)
        } else if distanceMetres != nil {
            lostSince = nil
        }
    }

    /// The pending message, identical at every call.
    var pendingUplink: Uplink? {
        pending.map { message in
            Uplink(
                counter: message.counter, at: message.at, phase: message.phase, mode: message.mode,
                batteryPercent: message.batteryPercent, fixes: Array(spool.out), acknowledgements: Array(commands.out),
                droppedFixes: message.droppedFixes, hologramDevice: message.hologramDevice
            )
        }
    }
}
