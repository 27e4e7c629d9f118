import Kernel

/// Decides when an item arrives in an area and leaves it: once for each crossing.
///
/// A position near the border, or one too inaccurate to be on either side, changes nothing. For a place that is smaller
/// than the accuracy, a position in the place counts as inside, because no position could be inside for sure. A
/// crossing needs two positions in a row on the other side, and the dwell between the first and the last of them.
/// Positions that may be on either side can come between the two, within `Limits.pendingCrossingSeconds`. Positions
/// must be passed in the order of their times; a position that isn't newer than the last one changes nothing.
struct GeofenceRule: Sendable {
    let area: SafeArea
    /// The time in seconds that an item must remain on the other side.
    let dwellSeconds: Double

    /// The stored state of the rule between two positions.
    struct State: Sendable, Equatable {
        /// `nil` before two positions agree for the first time.
        var isInside: Bool?
        /// The side of the positions that contradict the state.
        var pendingIsInside: Bool?
        /// The time of the first of these positions; `nil` for none.
        var pendingSince: Instant?
        /// The time of the newest position that was evaluated.
        var evaluatedAt: Instant?

        mutating func clearPending() {
            pendingIsInside = nil
            pendingSince = nil
        }

        /// When a deadline is decided while a recent position inside waits for its confirmation.
        /// - Returns: `nil` for at once.
        func decision(ofDeadline deadline: Instant) -> Instant? {
            guard isInside != true, pendingIsInside == true, let pendingSince, pendingSince <= deadline else {
                return nil
            }
            let at = pendingSince.adding(seconds: Limits.pendingArrivalSeconds)
            return at > deadline ? at : nil
        }
    }

    /// A change of sides.
    struct Crossing: Sendable, Equatable {
        let isArrival: Bool
        /// The time of the first position on the new side.
        let since: Instant
        /// The position that confirmed it.
        let sample: PositionSample
    }

    /// The result of one position.
    struct Step: Sendable, Equatable {
        var state: State
        var crossing: Crossing?
    }

    func step(from state: State, _ sample: PositionSample) -> Step {
        if let last = state.evaluatedAt, sample.at <= last { return Step(state: state) }
        var next = state
        next.evaluatedAt = sample.at
        guard let isInside = side(of: sample) else {
            if state.pendingIsInside == true, isOutside(sample) { next.clearPending() }
            return Step(state: next)
        }
        if isInside == state.isInside {
            next.clearPending()
            return Step(state: next)
        }
        guard let since = state.pendingSince, state.pendingIsInside == isInside else {
            next.pendingIsInside = isInside
            next.pendingSince = sample.at
            return Step(state: next)
        }
        let seconds = sample.at.seconds(since: since)
        guard seconds >= max(dwellSeconds, SeparationAlertRule.secondsBetweenEvaluations) else {
            return Step(state: next)
        }
        // Nothing came between the two positions of a tracker that reports rarely.
        guard state.evaluatedAt == since || seconds <= 2 * dwellSeconds + Double(Limits.pendingCrossingSeconds) else {
            next.pendingSince = sample.at
            return Step(state: next)
        }
        next = State(isInside: isInside, evaluatedAt: sample.at)
        guard state.isInside != nil else { return Step(state: next) }
        return Step(state: next, crossing: Crossing(isArrival: isInside, since: since, sample: sample))
    }

    /// The side on which a position is for sure, or is inside a place that lies wholly within its accuracy; `nil` when
    /// it may be on either.
    func side(of sample: PositionSample) -> Bool? {
        let accuracy = sample.accuracyMetres ?? SeparationAlertRule.unknownAccuracyMetres
        let distance = area.borderDistanceMetres(to: sample.coordinate)
        if distance <= -accuracy { return true }
        if distance <= 0, area.farthestMetres(from: sample.coordinate) <= accuracy { return true }
        return distance >= accuracy + hysteresisMetres ? false : nil
    }

    /// Whether a position is outside for sure, though perhaps too near to the border for a departure.
    private func isOutside(_ sample: PositionSample) -> Bool {
        let accuracy = sample.accuracyMetres ?? SeparationAlertRule.unknownAccuracyMetres
        return area.borderDistanceMetres(to: sample.coordinate) >= accuracy
    }

    /// The distance from the border at which an item is outside, so that one at the border doesn't come and go.
    private var hysteresisMetres: Double { min(50, max(10, Double(area.radiusMetres) / 10)) }
}
