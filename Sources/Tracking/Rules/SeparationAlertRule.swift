import Kernel

/// The position of an item or phone at a time, with its accuracy.
struct PositionSample: Sendable, Equatable {
    let at: Instant
    let coordinate: Coordinate
    /// `nil` when the device sent none.
    var accuracyMetres: Double?
    /// `nil` when the device sent none.
    var speedMetresPerSecond: Double?
}

/// Decides when to send a separation alert: once for each separation of an item from its owner.
///
/// The mode `everyTime` uses each pair of positions as it is. The mode `whenSure` proves that the two *must* be apart:
/// it subtracts the inaccuracy of both positions and the possible movement between their times. It also needs the same
/// result several times in a row, each time with new positions of both, before it changes the state in either
/// direction.
struct SeparationAlertRule: Sendable {
    let mode: AlertMode
    let alertMetres: Int

    /// The stored state of the rule for an item between two evaluations.
    struct State: Sendable, Equatable {
        /// The start of the separation; `nil` while item and owner are together.
        var apartSince: Instant?
        /// The number of evaluations in a row that contradict the state.
        var evidence = 0
        /// The time of the newest position in the last of these evaluations.
        var evidenceAt: Instant?
    }

    /// The result of one evaluation.
    struct Step: Sendable, Equatable {
        var state: State
        /// The distance in the alert; `nil` for no alert.
        var alertDistanceMetres: Double?
    }

    /// The number of evaluations in a row that changes the state.
    static let requiredEvaluations = 3
    /// The time between two evaluations that is sufficient alone: a tracker with a long interval would otherwise take
    /// too long.
    static let sufficientSeconds: Double = 5 * 60
    /// The minimum time between the positions of two evaluations, because a receiver's error persists for a while.
    static let secondsBetweenEvaluations: Double = 10
    /// Devices report the radius that holds for two of three positions; twice that radius holds for 99 of 100.
    static let accuracyFactor: Double = 2
    /// The assumed accuracy of a position without one.
    static let unknownAccuracyMetres: Double = 15
    /// The assumed speed since the last position when no speed is known.
    static let walkingMetresPerSecond: Double = 1.5

    /// Evaluates the rule.
    /// - Parameters:
    ///   - item: The item's last position.
    ///   - phones: The last positions of the owner's phones; old ones don't count.
    ///   - safePlaces: Loads the safe places; called only when they matter.
    func step(
        from state: State, item: PositionSample, phones: [PositionSample], now: Instant,
        safePlaces: () throws -> [SafeArea]
    ) rethrows -> Step {
        let counting = phones.filter { Self.counts($0, now: now) }
        guard Self.counts(item, now: now), !counting.isEmpty else { return Step(state: state) }
        switch mode {
        case .everyTime:
            return try everyTimeStep(from: state, item: item, phones: counting, now: now, safePlaces: safePlaces)
        case .whenSure:
            return try whenSureStep(from: state, item: item, phones: counting, now: now, safePlaces: safePlaces)
        }
    }

    /// Whether a position is recent enough to describe the present.
    static func counts(_ sighting: PositionSample, now: Instant) -> Bool {
        now.seconds(since: sighting.at) < Double(Limits.alertPositionSeconds)
    }

    // MARK: Every time

    private func everyTimeStep(
        from state: State, item: PositionSample, phones: [PositionSample], now: Instant,
        safePlaces: () throws -> [SafeArea]
    ) rethrows -> Step {
        let distance = Self.nearest(phones, to: item)
        let isFar = Separation.isFarther(distance, thanMetres: alertMetres)
        guard isFar != (state.apartSince != nil) else { return Step(state: state.settled) }
        guard isFar else { return Step(state: State()) }
        let isSafe = try safePlaces().contains { $0.contains(item.coordinate) }
        return isSafe ? Step(state: state.settled) : Step(state: State(apartSince: now), alertDistanceMetres: distance)
    }

    // MARK: When sure

    private func whenSureStep(
        from state: State, item: PositionSample, phones: [PositionSample], now: Instant,
        safePlaces: () throws -> [SafeArea]
    ) rethrows -> Step {
        let isApart = state.apartSince != nil
        switch isApart ? backing(item, phones) : separation(item, phones) {
        case .no: return Step(state: state.settled)
        case .open: return Step(state: state)
        case .yes: break
        }
        if !isApart {
            let error = inexactness(item)
            let isSafe = try safePlaces().contains { $0.mayContain(item.coordinate, within: error) }
            if isSafe { return Step(state: state.settled) }
        }
        let newestPhone = phones.reduce(phones[0].at) { max($0, $1.at) }
        let newest = max(item.at, newestPhone)
        guard let last = state.evidenceAt else {
            return Step(state: State(apartSince: state.apartSince, evidence: 1, evidenceAt: newest))
        }
        guard min(item.at, newestPhone).seconds(since: last) >= Self.secondsBetweenEvaluations else {
            return Step(state: state)
        }
        let evidence = state.evidence + 1
        guard evidence >= Self.requiredEvaluations || newest.seconds(since: last) >= Self.sufficientSeconds else {
            return Step(state: State(apartSince: state.apartSince, evidence: evidence, evidenceAt: newest))
        }
        if isApart { return Step(state: State()) }
        return Step(state: State(apartSince: now), alertDistanceMetres: Self.nearest(phones, to: item))
    }

    /// The result of one evaluation.
    private enum Answer {
        case yes
        case no
        /// The times of the positions are too far apart for a result.
        case open
    }

    /// Whether the two must be apart: the distance exceeds the limit even after subtracting error and movement.
    private func separation(_ item: PositionSample, _ phones: [PositionSample]) -> Answer {
        var answer = Answer.yes
        for phone in phones {
            let least = item.coordinate.distanceMetres(to: phone.coordinate) - inexactness(item) - inexactness(phone)
            guard Separation.isFarther(least, thanMetres: alertMetres) else { return .no }
            let speed = max(item.speedMetresPerSecond ?? 0, phone.speedMetresPerSecond ?? 0)
            let movement = abs(item.at.seconds(since: phone.at)) * max(speed, Self.walkingMetresPerSecond)
            if Separation.isFarther(least - movement, thanMetres: alertMetres) { continue }
            // A vehicle can explain more than one evaluation of this kind.
            if speed > Self.walkingMetresPerSecond { return .no }
            answer = .open
        }
        return answer
    }

    /// Whether the two may be together again. This test uses a smaller error and half the limit, so that an item near
    /// the limit doesn't alternate between both states.
    private func backing(_ item: PositionSample, _ phones: [PositionSample]) -> Answer {
        let isNear = phones.contains { phone in
            let error = (inexactness(item) + inexactness(phone)) / Self.accuracyFactor
            return item.coordinate.distanceMetres(to: phone.coordinate) - error <= Double(alertMetres) / 2
        }
        return isNear ? .yes : .no
    }

    private func inexactness(_ sighting: PositionSample) -> Double {
        (sighting.accuracyMetres ?? Self.unknownAccuracyMetres) * Self.accuracyFactor
    }

    private static func nearest(_ phones: [PositionSample], to item: PositionSample) -> Double {
        phones.map { $0.coordinate.distanceMetres(to: item.coordinate) }.min() ?? 0
    }
}

extension SeparationAlertRule.State {
    /// The state without contradicting evaluations.
    fileprivate var settled: Self { Self(apartSince: apartSince) }
}
