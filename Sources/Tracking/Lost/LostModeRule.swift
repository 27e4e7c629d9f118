import Kernel

/// Decides whether an item in lost mode is with its owner again.
///
/// Only positions after the start of lost mode count, measured at nearly the same time and accurately: two rough
/// positions from the same mobile cell are equal even when item and phone are far apart. An item that was near its
/// owner when lost mode was turned on must have been away first.
struct LostModeRule: Sendable {
    /// The item's distance for *near*.
    let lostMetres: Int

    /// The stored state for an item in lost mode.
    struct State: Sendable, Equatable {
        let since: Instant
        /// Whether the item has been away from its owner.
        let isApart: Bool
    }

    enum Step: Sendable, Equatable {
        case unchanged
        case apart
        case back
    }

    /// Evaluates the rule.
    /// - Parameters:
    ///   - item: The item's last position.
    ///   - phones: The last positions of the owner's phones.
    ///   - before: The state of the rule for separation alerts before these positions.
    ///   - after: The state after them.
    func step(
        from state: State, item: PositionSample, phones: [PositionSample], before: SeparationAlertRule.State,
        after: SeparationAlertRule.State, now: Instant
    ) -> Step {
        let together = phones.filter { phone in
            phone.at > state.since && SeparationAlertRule.counts(phone, now: now)
                && abs(item.at.seconds(since: phone.at)) <= Limits.lostPairSeconds
        }
        guard item.at > state.since, SeparationAlertRule.counts(item, now: now), !together.isEmpty else {
            return .unchanged
        }
        guard state.isApart else {
            let isAway = together.allSatisfy { phone in
                let distance = item.coordinate.distanceMetres(to: phone.coordinate)
                return Separation.isFarther(distance - Self.error(item) - Self.error(phone), thanMetres: lostMetres)
            }
            return isAway || after.apartSince != nil ? .apart : .unchanged
        }
        // The rule for separation alerts has proved the return.
        let isProved = before.apartSince != nil && after.apartSince == nil
        let isBack = together.contains { phone in
            let distance = item.coordinate.distanceMetres(to: phone.coordinate)
            let isNear = !Separation.isFarther(distance, thanMetres: lostMetres)
            return (isNear || isProved) && Self.isAccurate(item) && Self.isAccurate(phone)
        }
        return isBack ? .back : .unchanged
    }

    private static func isAccurate(_ position: PositionSample) -> Bool {
        position.accuracyMetres.map { $0 <= Limits.lostAccuracyMetres } ?? true
    }

    private static func error(_ position: PositionSample) -> Double {
        (position.accuracyMetres ?? SeparationAlertRule.unknownAccuracyMetres) * SeparationAlertRule.accuracyFactor
    }
}
