package import Kernel

/// A part of an item's movement history. Episodes of an item don't overlap; the time between two of them is a gap,
/// which means that no position shows where the item was.
package struct Episode: Sendable, Equatable {
    /// What the positions of an episode show.
    package enum Kind: String, Sendable, CaseIterable {
        /// The item remained at one place for at least `Limits.stayMinimumSeconds`.
        case stay
        /// The item moved.
        case trip
        /// One or a few positions at one place, too short for a stay, with gaps around them.
        case sighting
    }

    package let kind: Kind
    /// The time of the first position.
    package let startedAt: Instant
    /// The time of the last position.
    package let endedAt: Instant
    /// The mean position of a stay or sighting, weighted by accuracy; the first position of a trip.
    package let place: Coordinate
    /// The last position of a trip; otherwise the same as `place`.
    package let destination: Coordinate
    /// The length of a trip's path in metres; 0 for others.
    package let distanceMetres: Double
    /// The simplified path of a trip; empty for others.
    package let path: [Coordinate]
    /// The number of positions that the rule used.
    package let fixCount: Int
    /// Whether further positions can continue the episode.
    package let isOpen: Bool

    init(
        kind: Kind, startedAt: Instant, endedAt: Instant, place: Coordinate, destination: Coordinate? = nil,
        distanceMetres: Double = 0, path: [Coordinate] = [], fixCount: Int, isOpen: Bool = false
    ) {
        self.kind = kind
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.place = place
        self.destination = destination ?? place
        self.distanceMetres = distanceMetres
        self.path = path
        self.fixCount = fixCount
        self.isOpen = isOpen
    }

    /// The duration between the first and the last position, in seconds.
    package var seconds: Double { endedAt.seconds(since: startedAt) }

    /// Returns the same episode, which further positions can continue.
    var opened: Episode {
        Episode(
            kind: kind, startedAt: startedAt, endedAt: endedAt, place: place, destination: destination,
            distanceMetres: distanceMetres, path: path, fixCount: fixCount, isOpen: true)
    }
}

/// An episode without its places, as a list of days needs it.
struct EpisodeSummary: Sendable, Equatable {
    let kind: Episode.Kind
    let startedAt: Instant
    let endedAt: Instant
    let distanceMetres: Double

    var span: Range<Instant> { Self.span(from: startedAt, to: endedAt) }

    /// Returns the time of an episode as days count it: without its end, so that one that ends at midnight isn't part
    /// of the next day.
    static func span(from start: Instant, to end: Instant) -> Range<Instant> {
        start..<max(end, Instant(millisecondsSince1970: start.millisecondsSince1970 + 1))
    }
}

extension Episode {
    /// The last instant that days count as part of the episode.
    var lastInstant: Instant { EpisodeSummary.span(from: startedAt, to: endedAt).upperBound.previous }
}
