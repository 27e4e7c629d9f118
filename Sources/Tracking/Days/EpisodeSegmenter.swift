import Kernel

/// Divides the positions of an item into stays, trips and sightings, one position after the other. Its state is a value
/// of limited size, so the rule can continue where it stopped (docs/days.md).
struct EpisodeSegmenter: Sendable, Equatable, Codable {
    private var filter = EpisodeFilter()
    private var run: EpisodeRun?

    /// Adds positions, which must be later than those before.
    /// - Returns: The episodes that these positions completed.
    mutating func add(_ samples: [EpisodeSample]) -> [Episode] {
        var episodes: [Episode] = []
        for sample in samples {
            for step in filter.add(sample) { accept(step, &episodes) }
        }
        return episodes
    }

    /// The episodes that aren't complete yet, as they would be without further positions.
    var open: [Episode] {
        var rest = self
        var episodes: [Episode] = []
        for step in rest.filter.finish() { rest.accept(step, &episodes) }
        episodes += rest.run?.end() ?? []
        return episodes.map(\.opened)
    }

    private mutating func accept(_ step: EpisodeFilter.Step, _ episodes: inout [Episode]) {
        guard var current = run, !step.isAfterGap else {
            episodes += run?.end() ?? []
            run = EpisodeRun(step.sample)
            return
        }
        episodes += current.add(step.sample)
        run = current
    }
}

/// Removes positions that tell nothing: those right after another one, and jumps away and back. It also finds the gaps.
struct EpisodeFilter: Sendable, Equatable, Codable {
    /// A position for the rule.
    struct Step {
        let sample: EpisodeSample
        /// Whether the time before it is a gap.
        let isAfterGap: Bool
    }

    private var previous: EpisodeSample?
    /// The position that waits for the next one.
    private var waiting: EpisodeSample?
    /// Seconds between `previous` and the position before it.
    private var interval: Double?

    mutating func add(_ sample: EpisodeSample) -> [Step] {
        guard let waiting else {
            self.waiting = sample
            return []
        }
        guard sample.seconds(since: waiting) >= Limits.episodeIntervalSeconds else { return [] }
        defer { self.waiting = sample }
        if let previous, Self.isJump(previous, waiting, sample) { return [] }
        return [pass(waiting, next: sample)]
    }

    /// Returns the last position.
    mutating func finish() -> [Step] {
        guard let waiting else { return [] }
        self.waiting = nil
        return [pass(waiting, next: nil)]
    }

    private mutating func pass(_ sample: EpisodeSample, next: EpisodeSample?) -> Step {
        guard let before = previous else {
            previous = sample
            return Step(sample: sample, isAfterGap: true)
        }
        let silence = sample.seconds(since: before)
        let usual = [interval, next.map { $0.seconds(since: sample) }].compactMap(\.self).min()
        let limit = min(
            Limits.gapMaximumSeconds, max(Limits.gapMinimumSeconds, (usual ?? 0) * Limits.gapIntervals))
        interval = silence
        previous = sample
        return Step(sample: sample, isAfterGap: silence > limit)
    }

    /// Whether a position is far from both its neighbours, which are near each other.
    private static func isJump(_ before: EpisodeSample, _ sample: EpisodeSample, _ after: EpisodeSample) -> Bool {
        guard after.seconds(since: before) <= Limits.jumpSeconds else { return false }
        let away = min(before.metres(to: sample) - before.metres, after.metres(to: sample) - after.metres)
        guard away - sample.metres > Limits.stayRadiusMetres else { return false }
        return before.metres(to: after) < away * Limits.jumpShare
    }
}

/// Positions without a gap between them: the part of the rule that decides between staying and moving.
struct EpisodeRun: Sendable, Equatable, Codable {
    /// The current stay; `nil` while the item moves.
    private var stay: PlaceEstimate?
    /// The latest positions outside the stay. One alone can be wrong.
    private var outside: [EpisodeSample] = []
    /// The stay before the current trip.
    private var departed: PlaceEstimate?
    /// The current trip, up to `candidates`.
    private var trip: TripPath?
    /// The latest positions of the trip, which may be the start of a stay.
    private var candidates: [EpisodeSample] = []

    init(_ first: EpisodeSample) { candidates = [first] }

    /// Adds a position.
    /// - Returns: The completed episodes.
    mutating func add(_ sample: EpisodeSample) -> [Episode] {
        guard var current = stay else { return move(to: sample) }
        if current.contains(sample) {
            outside = []
            current.add(sample)
            stay = current
            return []
        }
        outside.append(sample)
        guard let first = outside.first, sample.seconds(since: first) >= Limits.departureSeconds else { return [] }
        let left = outside
        (departed, stay, outside) = (current, nil, [])
        trip = TripPath(current.last)
        return left.flatMap { move(to: $0) }
    }

    private mutating func move(to sample: EpisodeSample) -> [Episode] {
        // A long interval between few positions can confirm a stay in the middle of the departure's positions.
        if stay != nil { return add(sample) }
        while let place = PlaceEstimate(candidates), !place.contains(sample) { travel(to: candidates.removeFirst()) }
        candidates.append(sample)
        guard let place = PlaceEstimate(candidates), place.count > 1, place.seconds >= Limits.stayMinimumSeconds else {
            return []
        }
        return settle(at: place)
    }

    private mutating func travel(to sample: EpisodeSample) {
        if trip == nil { trip = TripPath(sample) } else { trip?.add(sample) }
    }

    /// Ends the trip at a new stay.
    private mutating func settle(at place: PlaceEstimate) -> [Episode] {
        defer { (departed, trip, candidates) = (nil, nil, []) }
        if let departed, let trip, isWandering(trip, from: departed, back: place) {
            var continued = departed
            for sample in candidates { continued.add(sample) }
            stay = continued
            return []
        }
        stay = place
        travel(to: place.first)
        guard let trip, trip.count > 1 else { return departed.map { [$0.episode(.stay)] } ?? [] }
        return (departed.map { [$0.episode(.stay)] } ?? []) + [trip.episode()]
    }

    /// Whether a trip is only a receiver's error: short, not far, and back at the same place.
    private func isWandering(_ trip: TripPath, from departed: PlaceEstimate, back: PlaceEstimate) -> Bool {
        back.first.seconds(since: departed.last) <= Limits.wanderingSeconds
            && departed.centre.distanceMetres(to: back.centre) <= Limits.stayRadiusMetres
            && trip.farthestMetres(from: departed.centre) <= Limits.wanderingMetres
    }

    /// Returns the episodes of a run that ends here.
    func end() -> [Episode] {
        if let stay {
            // Positions outside at the end don't prove a departure, but the item was seen there.
            return [stay.episode(.stay)] + (PlaceEstimate(outside).map { [$0.episode(.sighting)] } ?? [])
        }
        let stayed = departed.map { [$0.episode(.stay)] } ?? []
        var path = trip
        for sample in candidates {
            if path == nil { path = TripPath(sample) } else { path?.add(sample) }
        }
        guard let path else { return stayed }
        guard departed == nil, trip == nil, let place = PlaceEstimate(candidates) else {
            return stayed + [path.episode()]
        }
        return [place.episode(.sighting)]
    }
}
