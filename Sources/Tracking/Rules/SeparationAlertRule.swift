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
        guard let seen = SeparationObservation(item, phones, now: now) else { return Step(state: state) }
        return try step(from: state, seen) { error in try safePlaces().mayContain(item.coordinate, within: error) }
    }

    /// Evaluates the rule.
    /// - Parameter isInSafePlace: Whether the item may be in a safe place, with this error in metres; `nil` for its
    ///   position as it is. Called only when it matters.
    func step(
        from state: State, _ seen: SeparationObservation, isInSafePlace: (Double?) throws -> Bool
    ) rethrows -> Step {
        switch mode {
        case .everyTime: try everyTimeStep(from: state, seen, isInSafePlace: isInSafePlace)
        case .whenSure: try whenSureStep(from: state, seen, isInSafePlace: isInSafePlace)
        }
    }

    /// Returns whether the item must be apart from all phones of an observation of other people's phones.
    func others(_ seen: SeparationObservation) -> SeparationObservation.Others {
        let isApart: SeparationCertainty =
            switch mode {
            case .everyTime: Separation.isFarther(seen.nearestMetres, thanMetres: alertMetres) ? .yes : .no
            case .whenSure: separation(seen)
            }
        return .init(isApart: isApart, newestAt: seen.newestPhoneAt)
    }

    /// Whether a position is recent enough to describe the present.
    static func counts(_ sighting: PositionSample, now: Instant) -> Bool {
        now.seconds(since: sighting.at) < Double(Limits.alertPositionSeconds)
    }

    // MARK: Every time

    private func everyTimeStep(
        from state: State, _ seen: SeparationObservation, isInSafePlace: (Double?) throws -> Bool
    ) rethrows -> Step {
        let isApart = state.apartSince != nil
        let isFar =
            Separation.isFarther(seen.nearestMetres, thanMetres: alertMetres)
            && (isApart || seen.others?.isApart != .no)
        guard isFar != isApart else { return Step(state: state.settled) }
        guard isFar else { return Step(state: State()) }
        guard try !isInSafePlace(nil) else { return Step(state: state.settled) }
        return Step(state: State(apartSince: seen.now), alertDistanceMetres: seen.nearestMetres)
    }

    // MARK: When sure

    private func whenSureStep(
        from state: State, _ seen: SeparationObservation, isInSafePlace: (Double?) throws -> Bool
    ) rethrows -> Step {
        let isApart = state.apartSince != nil
        // A separation begins when everyone's phone is far away, and ends when the person's own is near again.
        let others = isApart ? nil : seen.others
        switch isApart ? backing(seen) : min(separation(seen), others?.isApart ?? .yes) {
        case .no: return Step(state: state.settled)
        case .open: return Step(state: state)
        case .yes: break
        }
        if !isApart, try isInSafePlace(Self.inexactness(seen.itemAccuracyMetres)) {
            return Step(state: state.settled)
        }
        let newestPhone = max(seen.newestPhoneAt, others?.newestAt ?? seen.newestPhoneAt)
        let newest = max(seen.itemAt, newestPhone)
        guard let last = state.evidenceAt else {
            return Step(state: State(apartSince: state.apartSince, evidence: 1, evidenceAt: newest))
        }
        guard min(seen.itemAt, newestPhone).seconds(since: last) >= Self.secondsBetweenEvaluations else {
            return Step(state: state)
        }
        let evidence = state.evidence + 1
        guard evidence >= Self.requiredEvaluations || newest.seconds(since: last) >= Self.sufficientSeconds else {
            return Step(state: State(apartSince: state.apartSince, evidence: evidence, evidenceAt: newest))
        }
        if isApart { return Step(state: State()) }
        return Step(state: State(apartSince: seen.now), alertDistanceMetres: seen.nearestMetres)
    }

    /// Whether the two must be apart: the distance exceeds the limit even after subtracting error and movement.
    private func separation(_ seen: SeparationObservation) -> SeparationCertainty {
        var answer = SeparationCertainty.yes
        for phone in seen.phones {
            let least =
                phone.distanceMetres - Self.inexactness(seen.itemAccuracyMetres)
                - Self.inexactness(phone.accuracyMetres)
            guard Separation.isFarther(least, thanMetres: alertMetres) else { return .no }
            let speed = max(seen.itemSpeedMetresPerSecond ?? 0, phone.speedMetresPerSecond ?? 0)
            let movement = abs(seen.itemAt.seconds(since: phone.at)) * max(speed, Self.walkingMetresPerSecond)
            if Separation.isFarther(least - movement, thanMetres: alertMetres) { continue }
            // A vehicle can explain more than one evaluation of this kind.
            if speed > Self.walkingMetresPerSecond { return .no }
            answer = .open
        }
        return answer
    }

    /// Whether the two may be together again. This test uses a smaller error and half the limit, so that an item near
    /// the limit doesn't alternate between both states.
    private func backing(_ seen: SeparationObservation) -> SeparationCertainty {
        let isNear = seen.phones.contains { phone in
            let error =
                (Self.inexactness(seen.itemAccuracyMetres) + Self.inexactness(phone.accuracyMetres))
                / Self.accuracyFactor
            return phone.distanceMetres - error <= Double(alertMetres) / 2
        }
        return isNear ? .yes : .no
    }

    private static func inexactness(_ accuracyMetres: Double?) -> Double {
        (accuracyMetres ?? unknownAccuracyMetres) * accuracyFactor
    }
}

extension [SafeArea] {
    /// Whether a position may be in one of the areas.
    /// - Parameter errorMetres: The position's error; `nil` for the position as it is.
    func mayContain(_ place: Coordinate, within errorMetres: Double?) -> Bool {
        contains { area in
            errorMetres.map { area.mayContain(place, within: $0) } ?? area.contains(place)
        }
    }
}

extension SeparationAlertRule.State {
    /// The state without contradicting evaluations.
    fileprivate var settled: Self { Self(apartSince: apartSince) }
}
