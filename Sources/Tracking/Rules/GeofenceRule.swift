import Kernel

/// Decides when an item arrives in an area and leaves it: once for each crossing.
///
/// A position near the border, or one too inaccurate to be on either side, changes nothing. A crossing needs two
/// positions in a row on the other side, and the dwell between the first and the last of them. Positions must be passed
/// in the order of their times; a position that isn't newer than the last one changes nothing.
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
        guard let isInside = side(of: sample) else { return Step(state: next) }
        if isInside == state.isInside {
            next.pendingIsInside = nil
            next.pendingSince = nil
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
        next = State(isInside: isInside, evaluatedAt: sample.at)
        guard state.isInside != nil else { return Step(state: next) }
        return Step(state: next, crossing: Crossing(isArrival: isInside, since: since, sample: sample))
    }

    /// The side on which a position is for sure; `nil` when it may be on either.
    func side(of sample: PositionSample) -> Bool? {
        let accuracy = sample.accuracyMetres ?? SeparationAlertRule.unknownAccuracyMetres
        let distance = area.borderDistanceMetres(to: sample.coordinate)
        // In a small area no position is its accuracy away from the border, so the middle must suffice.
        if accuracy <= max(100, 2 * Double(area.radiusMetres)), distance <= -min(accuracy, area.depthMetres / 2) {
            return true
        }
        return distance >= accuracy + hysteresisMetres ? false : nil
    }

    /// The distance from the border at which an item is outside, so that one at the border doesn't come and go.
    private var hysteresisMetres: Double { min(50, max(10, Double(area.radiusMetres) / 10)) }
}
