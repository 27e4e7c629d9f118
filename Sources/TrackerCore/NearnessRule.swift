import Kernel
package import TrackerProtocol

/// The 30 m rule: below this distance the tracker prefers Bluetooth, above it the cellular network.
///
/// A change needs two consecutive evaluations at least ten seconds apart, so that a distance that fluctuates around the
/// limit changes nothing. Exactly 30 m keeps the current mode.
package struct NearnessRule: Hashable, Sendable {
    /// The current mode.
    package private(set) var mode: TrackerMode
    private(set) var candidateSince: Instant?

    /// The limit in metres.
    package static let limitMetres = 30.0
    /// The minimum number of seconds between the two evaluations.
    package static let confirmationSeconds: Int64 = 10

    init(mode: TrackerMode = .cellular, candidateSince: Instant? = nil) {
        self.mode = mode
        self.candidateSince = candidateSince
    }

    /// Evaluates a distance; `nil` keeps the mode and discards a pending change.
    mutating func evaluate(distanceMetres: Double?, at now: Instant) {
        guard let wanted = Self.wanted(distanceMetres), wanted != mode else {
            candidateSince = nil
            return
        }
        guard let since = candidateSince, since <= now else {
            candidateSince = now
            return
        }
        if now >= since.adding(seconds: Self.confirmationSeconds) {
            mode = wanted
            candidateSince = nil
        }
    }

    private static func wanted(_ distanceMetres: Double?) -> TrackerMode? {
        guard let distanceMetres, distanceMetres != limitMetres else { return nil }
        return distanceMetres < limitMetres ? .bluetooth : .cellular
    }
}
