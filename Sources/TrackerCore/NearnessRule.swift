import Kernel
package import TrackerProtocol

/// The 30 m rule: nearer than that the tracker prefers Bluetooth, farther the cellular network.
///
/// A change needs its condition in two evaluations in a row that are at least ten seconds apart, so that a distance
/// that trembles around the limit changes nothing. Exactly 30 m keeps what is.
package struct NearnessRule: Hashable, Sendable {
    /// The mode at present.
    package private(set) var mode: TrackerMode
    private(set) var candidateSince: Instant?

    /// The limit, in metres.
    package static let limitMetres = 30.0
    /// Seconds between the two evaluations, at the least.
    package static let confirmationSeconds: Int64 = 10

    init(mode: TrackerMode = .cellular, candidateSince: Instant? = nil) {
        self.mode = mode
        self.candidateSince = candidateSince
    }

    /// Takes in a distance; an unknown one keeps the mode and breaks the row.
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
