package import Kernel

/// What a tracker tells the server in one message.
package struct Uplink: Hashable, Sendable {
    /// Greater than that of every message before it, from 1; the guard against replay.
    package let counter: Int64
    /// When the message was made, by the tracker's clock.
    package let at: Instant
    /// Where the tracker is in its life.
    package let phase: TrackerPhase
    /// The radio it prefers at present.
    package let mode: TrackerMode
    /// 0 to 100; `nil` when it doesn't know.
    package let batteryPercent: Int?
    /// Positions, oldest first, at most ``Limits/fixesPerMessage``.
    package let fixes: [TrackerFix]
    /// Entries among the fixes that can't be used. Always empty on the tracker's side.
    package let unusableFixes: [UnusableFix]
    /// Finished commands, in the order of finishing, at most ``Limits/acknowledgementsPerMessage``.
    package let acknowledgements: [Acknowledgement]
    /// Fixes lost to a full spool, or refused by the server, since the tracker was bound.
    package let droppedFixes: Int64
    /// The id that Hologram's cloud has for the tracker's SIM card, when the tracker knows it; at least 1.
    package let hologramDevice: Int64?

    /// Makes a message.
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

/// An entry among a message's fixes that the server can't use. The message as a whole is taken all the same: a
/// tracker that had to repeat it for ever would never deliver anything again.
package struct UnusableFix: Hashable, Sendable {
    /// Its place in the message, from 0.
    package let index: Int
    /// What was wrong.
    package let failure: TrackerFix.Failure

    /// The field at fault by its name in the message, for people.
    package var reason: String { failure.rawValue }

    /// Makes an entry.
    package init(index: Int, failure: TrackerFix.Failure) {
        self.index = index
        self.failure = failure
    }
}
