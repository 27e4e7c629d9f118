import Kernel

/// What one evaluation of the rule for separation alerts compares: distances to phones, not their positions.
///
/// It is all that the rule needs, so an observation that is kept can be evaluated again with other settings.
struct SeparationObservation: Sendable, Equatable {
    /// A phone of the person who gets the alert.
    struct Phone: Sendable, Equatable {
        let at: Instant
        /// To the millimetre, as the rule compares it.
        let distanceMetres: Double
        let accuracyMetres: Double?
        let speedMetresPerSecond: Double?
    }

    /// The phones of the other people who can see a shared item. It contains no distances: people must not learn from
    /// replays where others were.
    struct Others: Sendable, Equatable {
        /// Whether the item must be apart from all of them, by the person's settings at that time.
        let isApart: SeparationCertainty
        /// The time of the newest of their positions.
        let newestAt: Instant
    }

    /// The time of the evaluation.
    let now: Instant
    /// The time of the item's position.
    let itemAt: Instant
    let itemAccuracyMetres: Double?
    let itemSpeedMetresPerSecond: Double?
    /// Never empty.
    let phones: [Phone]
    /// `nil` when no phone of another person counts.
    var others: Others?

    init(
        now: Instant, itemAt: Instant, itemAccuracyMetres: Double?, itemSpeedMetresPerSecond: Double?,
        phones: [Phone], others: Others? = nil
    ) {
        self.now = now
        self.itemAt = itemAt
        self.itemAccuracyMetres = itemAccuracyMetres
        self.itemSpeedMetresPerSecond = itemSpeedMetresPerSecond
        self.phones = phones
        self.others = others
    }

    /// Compares an item with phones.
    /// - Returns: `nil` when the item's position is too old, or that of each phone.
    init?(_ item: PositionSample, _ phones: [PositionSample], now: Instant) {
        let counting = phones.filter { SeparationAlertRule.counts($0, now: now) }
        guard SeparationAlertRule.counts(item, now: now), !counting.isEmpty else { return nil }
        self.init(
            now: now, itemAt: item.at, itemAccuracyMetres: item.accuracyMetres,
            itemSpeedMetresPerSecond: item.speedMetresPerSecond,
            phones: counting.map { phone in
                let distance = item.coordinate.distanceMetres(to: phone.coordinate)
                return Phone(
                    at: phone.at, distanceMetres: Separation.toMillimetre(distance),
                    accuracyMetres: phone.accuracyMetres, speedMetresPerSecond: phone.speedMetresPerSecond)
            })
    }

    var nearestMetres: Double { phones.map(\.distanceMetres).min() ?? 0 }

    var newestPhoneAt: Instant { phones.reduce(phones[0].at) { max($0, $1.at) } }
}

/// Whether item and phone must be apart.
enum SeparationCertainty: Int, Sendable, Comparable {
    case no = 0
    /// The times of the positions are too far apart for a result.
    case open = 1
    case yes = 2

    static func < (lower: Self, higher: Self) -> Bool { lower.rawValue < higher.rawValue }
}

/// An observation with what the rule made of it at that time.
struct SeparationEvaluation: Sendable, Equatable {
    /// The part of the rule's state that shows whether the state was reset between two evaluations.
    struct Mark: Sendable, Equatable {
        let isApart: Bool
        let evidence: Int

        init(isApart: Bool, evidence: Int) {
            self.isApart = isApart
            self.evidence = evidence
        }

        init(_ state: SeparationAlertRule.State) {
            self.init(isApart: state.apartSince != nil, evidence: state.evidence)
        }

        var isEmpty: Bool { !isApart && evidence == 0 }
    }

    let seen: SeparationObservation
    let before: Mark
    let after: Mark
}

/// Runs the rule for separation alerts on kept observations, the oldest first.
struct SeparationReplay {
    let rule: SeparationAlertRule
    private var state: SeparationAlertRule.State?
    private var mark: SeparationEvaluation.Mark?
    private(set) var alerts: [Instant] = []
    private(set) var evaluationCount = 0

    init(_ rule: SeparationAlertRule) { self.rule = rule }

    /// - Parameters:
    ///   - stored: The rule's state before the first evaluation, as it was stored at that time.
    ///   - isInSafePlace: Whether the item may be in a safe place, with this error in metres; `nil` for its position as
    ///     it is.
    mutating func add(
        _ evaluation: SeparationEvaluation, stored: SeparationAlertRule.State,
        isInSafePlace: (Double?) throws -> Bool
    ) rethrows {
        evaluationCount += 1
        var current = state ?? stored
        // The item was turned off between the two, which ends a separation.
        if let mark, !mark.isEmpty, evaluation.before.isEmpty { current = SeparationAlertRule.State() }
        let step = try rule.step(from: current, evaluation.seen, isInSafePlace: isInSafePlace)
        if step.alertDistanceMetres != nil { alerts.append(evaluation.seen.now) }
        state = step.state
        mark = evaluation.after
    }
}
