package import Kernel

/// A tracker's message to the server.
package struct Uplink: Hashable, Sendable {
    /// The counter, greater than that of every earlier message, from 1. Prevents replay.
    package let counter: Int64
    /// The time of creation, by the tracker's clock.
    package let at: Instant
    package let phase: TrackerPhase
    /// The tracker's current preferred radio.
    package let mode: TrackerMode
    /// The battery level, 0 to 100; `nil` when unknown.
    package let batteryPercent: Int?
    /// The fixes, oldest first, at most ``Limits/fixesPerMessage``.
    package let fixes: [TrackerFix]
    /// The entries among the fixes that can't be used. Always empty on the tracker.
    package let unusableFixes: [UnusableFix]
    /// The results of finished commands, in the order of finishing, at most ``Limits/acknowledgementsPerMessage``.
    package let acknowledgements: [Acknowledgement]
    /// The number of fixes lost to a full spool or rejected by the server since the tracker was bound.
    package let droppedFixes: Int64
    /// The SIM card's Hologram id, at least 1, if the tracker knows it.
    package let hologramDevice: Int64?

    package init(
        counter: Int64, at: Instant, phase: TrackerPhase, mode: TrackerMode, batteryPercent: Int?,
        fixes: [TrackerFix] = [], unusableFixes: [UnusableFix] = [], acknowledgements: [Acknowledgement] = [],
        droppedFixes: Int64 = 0, hologramDevice: Int64? = nil
    ) {
        self.counter = counter
        self.at = at
        self.phase = phase
        self.mode = mode
        self.batteryPercent = batteryPercent
        self.fixes = fixes
        self.unusableFixes = unusableFixes
        self.acknowledgements = acknowledgements
        self.droppedFixes = droppedFixes
        self.hologramDevice = hologramDevice
    }
}

/// An entry among a message's fixes that the server can't use. The server accepts the rest of the message; otherwise
/// the tracker would repeat it for ever.
package struct UnusableFix: Hashable, Sendable {
    /// The entry's index in the message, from 0.
    package let index: Int
    package let failure: TrackerFix.Failure

    /// The name of the invalid field in the message, for people.
    package var reason: String { failure.rawValue }

    package init(index: Int, failure: TrackerFix.Failure) {
        self.index = index
        self.failure = failure
    }
}
