import Kernel
import TrackerProtocol

/// The hardware of a tracker: receiver, battery, sounder and button.
protocol TrackerHardware: Sendable {
    /// Returns the battery level in whole percent; `nil` without a readable battery.
    func batteryPercent(at now: Instant) -> Int?
    /// Measures a position; returns `nil` after the timeout. Ends early when the task is cancelled.
    func locate() async -> TrackerFix?
    var hasSounder: Bool { get }
    /// Makes a sound for this long, or until the task is cancelled.
    func sound(seconds: Int64) async
    /// Whether a finder can request the identifier with a button.
    var hasButton: Bool { get }
    /// Returns when the button has been held long enough, or when the task is cancelled.
    func buttonHeld() async
}
