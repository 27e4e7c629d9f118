import Kernel

/// A parked item: its position when it was parked, and the first position elsewhere.
struct Parking: Sendable, Equatable {
    /// The time at which a person parked it.
    let since: Instant
    /// `nil` until the first position that was measured after ``since``.
    let position: PositionSample?
    /// The time of a position that is provably elsewhere, which the next one must confirm; `nil` for none.
    var awayAt: Instant?
}

/// Decides whether a parked item moved: once two positions in a row can't be where it was parked.
///
/// One of a hundred positions is wrong by some hundred metres and reports a normal accuracy, so one position proves
/// nothing.
enum ParkingRule {
    /// The distance in metres that must remain after the inaccuracy of both positions is subtracted.
    static let marginMetres = 25

    enum Step: Equatable {
        case unchanged
        case changed(Parking)
        /// The distance in metres.
        case moved(distanceMetres: Double)
    }

    /// Returns an item that is parked now. An older position may be from before the item came to its place.
    static func park(_ last: PositionSample, now: Instant) -> Parking {
        let isRecent = now.seconds(since: last.at) <= Double(Limits.parkingPositionSeconds)
        return Parking(since: now, position: isRecent ? last : nil)
    }

    static func step(_ parking: Parking, _ sample: PositionSample) -> Step {
        guard sample.at > parking.since else { return .unchanged }
        guard let position = parking.position else {
            return .changed(Parking(since: parking.since, position: sample))
        }
        let distance = position.coordinate.distanceMetres(to: sample.coordinate)
        let least = distance - inexactness(position) - inexactness(sample)
        guard Separation.isFarther(least, thanMetres: marginMetres) else {
            guard parking.awayAt != nil else { return .unchanged }
            return .changed(Parking(since: parking.since, position: position))
        }
        guard let awayAt = parking.awayAt else {
            return .changed(Parking(since: parking.since, position: position, awayAt: sample.at))
        }
        guard sample.at.seconds(since: awayAt) >= SeparationAlertRule.secondsBetweenEvaluations else {
            return .unchanged
        }
        return .moved(distanceMetres: distance)
    }

    /// The radius in metres in which 99 of 100 positions are correct.
    private static func inexactness(_ sample: PositionSample) -> Double {
        (sample.accuracyMetres ?? SeparationAlertRule.unknownAccuracyMetres) * SeparationAlertRule.accuracyFactor
    }
}
