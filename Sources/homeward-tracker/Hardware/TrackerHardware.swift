import Kernel
import TrackerProtocol

/// What hangs on a tracker: a receiver, a battery, something that makes a noise.
protocol TrackerHardware: Sendable {
    /// Whole percent; `nil` when there is no battery, or none that can be asked.
    func batteryPercent(at now: Instant) -> Int?
    /// A position that is made out now; `nil` when none can be had in good time. Ends early when its task is cancelled.
    func locate() async -> TrackerFix?
    /// Whether it can be heard.
    var hasSounder: Bool { get }
    /// Makes a noise for that long, or until its task is cancelled.
    func sound(seconds: Int64) async
    /// Whether somebody who found it can ask it for its identifier.
    var hasButton: Bool { get }
    /// Ends when its button was held for long, or with its task.
    func buttonHeld() async
}
