import Kernel

/// Where something was, and how much is known of that.
struct Sighting: Sendable, Equatable {
    let at: Instant
    let coordinate: Coordinate
    /// Metres; `nil` where the device didn't say.
    var accuracyMetres: Double?
    /// Metres a second; `nil` where the device didn't say.
    var speedMetresPerSecond: Double?
}

/// When an item's owner is told that they and the item have come apart: once for each separation.
///
/// The literal way takes each pair of positions at its word. The sure way asks whether the two *must* be apart: it takes
/// off how inexact both positions are, and how far a thing gets between the times of the two; and it wants to see the
/// same several times in a row, each time with new positions of both, before it believes it in either direction.
struct TooFarRule: Sendable {
    let mode: AlertMode
    let alertMetres: Int

    /// What is remembered of an item between two looks.
    struct State: Sendable, Equatable {
        /// Since when the two are known to be apart; `nil` while they are together.
        var apartSince: Instant?
        /// Looks in a row that spoke for the opposite.
        var evidence = 0
        /// The newest position that the last of them saw.
        var evidenceAt: Instant?
    }

    /// What comes of one look.
    struct Step: Sendable, Equatable {
        var state: State
        /// How far apart, where the owner is to be told.
        var alertDistanceMetres: Double?
    }

    /// So many looks in a row convince.
    static let looks = 3
    /// Two looks that lie so many seconds apart convince as well: a tracker that reports seldom would else take too long.
    static let secondsThatConvince: Double = 5 * 60
    /// So many seconds at least between the positions of two looks: receivers are wrong in the same way for a while.
    static let secondsBetweenLooks: Double = 10
    /// Devices tell the radius within which they are in two of three cases; twice that holds in 99 of 100.
    static let accuracyFactor: Double = 2
    /// How inexact a position is taken to be whose device doesn't say.
    static let unknownAccuracyMetres: Double = 15
    /// How fast a thing may have moved since it was seen, when nothing else is known.
    static let walkingMetresPerSecond: Double = 1.5

    /// - Parameters:
    ///   - item: the item's last position.
    ///   - phones: where its owner's phones were last; those that are too old don't count.
    ///   - safePlaces: asked for only when the answer matters.
    func step(
        from state: State, item: Sighting, phones: [Sighting], now: Instant, safePlaces: () throws -> [SafeCircle]
    ) rethrows -> Step {
        let counting = phones.filter { Self.counts($0, now: now) }
        guard Self.counts(item, now: now), !counting.isEmpty else { return Step(state: state) }
        switch mode {
        case .everyTime:
            return try literalStep(from: state, item: item, phones: counting, now: now, safePlaces: safePlaces)
        case .whenSure:
            return try sureStep(from: state, item: item, phones: counting, now: now, safePlaces: safePlaces)
        }
    }

    /// Whether a position says anything of the present.
    static func counts(_ sighting: Sighting, now: Instant) -> Bool {
        now.seconds(since: sighting.at) < Double(Limits.alertPositionSeconds)
    }

    // MARK: At its word

    private func literalStep(
        from state: State, item: Sighting, phones: [Sighting], now: Instant, safePlaces: () throws -> [SafeCircle]
    ) rethrows -> Step {
        let distance = Self.nearest(phones, to: item)
        let isFar = Separation.isFarther(distance, thanMetres: alertMetres)
        guard isFar != (state.apartSince != nil) else { return Step(state: state.settled) }
        guard isFar else { return Step(state: State()) }
        let isSafe = try safePlaces().contains { $0.contains(item.coordinate) }
        return isSafe ? Step(state: state.settled) : Step(state: State(apartSince: now), alertDistanceMetres: distance)
    }

    // MARK: When sure

    private func sureStep(
        from state: State, item: Sighting, phones: [Sighting], now: Instant, safePlaces: () throws -> [SafeCircle]
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
        guard min(item.at, newestPhone).seconds(since: last) >= Self.secondsBetweenLooks else {
            return Step(state: state)
        }
        let evidence = state.evidence + 1
        guard evidence >= Self.looks || newest.seconds(since: last) >= Self.secondsThatConvince else {
            return Step(state: State(apartSince: state.apartSince, evidence: evidence, evidenceAt: newest))
        }
        if isApart { return Step(state: State()) }
        return Step(state: State(apartSince: now), alertDistanceMetres: Self.nearest(phones, to: item))
    }

    /// What one look says.
    private enum Answer {
        case yes
        case no
        /// The positions are too far apart in time to tell.
        case open
    }

    /// Whether the two must be apart: whatever of the distance is error or movement, it is still beyond the limit.
    private func separation(_ item: Sighting, _ phones: [Sighting]) -> Answer {
        var answer = Answer.yes
        for phone in phones {
            let least = item.coordinate.distanceMetres(to: phone.coordinate) - inexactness(item) - inexactness(phone)
            guard Separation.isFarther(least, thanMetres: alertMetres) else { return .no }
            let speed = max(item.speedMetresPerSecond ?? 0, phone.speedMetresPerSecond ?? 0)
            let movement = abs(item.at.seconds(since: phone.at)) * max(speed, Self.walkingMetresPerSecond)
            if Separation.isFarther(least - movement, thanMetres: alertMetres) { continue }
            // Something that rides explains more than one such look.
            if speed > Self.walkingMetresPerSecond { return .no }
            answer = .open
        }
        return answer
    }

    /// Whether the two may be together again. It takes less error into account, and half the limit: what is about as far
    /// away as the limit must not go back and forth.
    private func backing(_ item: Sighting, _ phones: [Sighting]) -> Answer {
        let isNear = phones.contains { phone in
            let error = (inexactness(item) + inexactness(phone)) / Self.accuracyFactor
            return item.coordinate.distanceMetres(to: phone.coordinate) - error <= Double(alertMetres) / 2
        }
        return isNear ? .yes : .no
    }

    private func inexactness(_ sighting: Sighting) -> Double {
        (sighting.accuracyMetres ?? Self.unknownAccuracyMetres) * Self.accuracyFactor
    }

    private static func nearest(_ phones: [Sighting], to item: Sighting) -> Double {
        phones.map { $0.coordinate.distanceMetres(to: item.coordinate) }.min() ?? 0
    }
}

extension TooFarRule.State {
    /// The same, with nothing that speaks for the opposite.
    fileprivate var settled: Self { Self(apartSince: apartSince) }
}

/// A place where an item may be without its owner.
struct SafeCircle: Sendable, Equatable {
    let centre: Coordinate
    let radiusMetres: Int

    /// The edge belongs to it.
    func contains(_ place: Coordinate) -> Bool {
        !Separation.isFarther(centre.distanceMetres(to: place), thanMetres: radiusMetres)
    }

    /// Whether something that is this inexactly known may be in it.
    func mayContain(_ place: Coordinate, within accuracyMetres: Double) -> Bool {
        !Separation.isFarther(centre.distanceMetres(to: place) - accuracyMetres, thanMetres: radiusMetres)
    }
}
