import Kernel

/// The rules for a tracker's switch: a command is confirmed in time, late, or not at all.
///
/// While a switch is pending, `wanted` is the state that the owner asked for. After the switch expires or the tracker
/// refuses it, `wanted` is the last confirmed state. Alerts, *locate* and polls depend on `wanted`, so it must not keep
/// a command without effect.
extension StoredTracker {
    /// Whether its positions count for alerts: the tracker is on, and its owner has not asked it to turn off.
    var isReporting: Bool { state == .active && wanted == .on }

    /// Starts the wait for a confirmation, which lasts two intervals.
    mutating func await(since now: Instant, locateMinutes: Int) {
        pendingSince = now
        pendingUntil = now.adding(seconds: Silence.seconds(locateMinutes: locateMinutes))
        isLate = false
    }

    /// Ends the wait for a confirmation.
    mutating func settle() {
        pendingSince = nil
        pendingUntil = nil
        isLate = false
    }

    /// Adopts the state that the tracker confirms.
    mutating func confirm(_ confirmed: State, now: Instant) {
        let previous = state
        state = confirmed
        offSince = state == .off ? offSince ?? now : nil
        guard let switched = state.confirmedSwitch else { return }
        if pendingUntil == nil {
            wanted = switched
        } else if isLate {
            // A late confirmation still counts. Without a change of state the note remains that the command had no
            // effect.
            wanted = switched
            if state != previous { settle() }
        } else if wanted == switched {
            settle()
        }
    }

    /// Marks a pending switch as late once its time is over. An activation that is still open continues.
    mutating func lapse(at now: Instant) {
        guard let pendingUntil, pendingUntil <= now else { return }
        isLate = true
        wanted = state.confirmedSwitch ?? wanted
    }

    /// Ends a switch that the tracker refused or that can't arrive any more.
    mutating func giveUp(now: Instant) {
        pendingSince = pendingSince ?? now
        pendingUntil = min(pendingUntil ?? now, now)
        isLate = true
        wanted = state.confirmedSwitch ?? .off
    }
}

extension StoredTracker.State {
    /// The switch position of the state; `nil` before the tracker has started to locate.
    var confirmedSwitch: SwitchState? {
        switch self {
        case .active: .on
        case .off: .off
        case .free, .registering, .bound, .releasing: nil
        }
    }
}

/// The outcome of a switch that differs from the owner's expectation, so that the owner is notified.
enum SwitchOutcome: String, Equatable {
    /// The owner asked for off, and the tracker is still on.
    case stillOn
    /// The owner asked for on, and the tracker is still off.
    case stillOff
    /// The tracker turned on after a notification that it is off.
    case onLate
    /// The tracker turned off after a notification that it is on.
    case offLate

    /// - Returns: `nil` when the owner already knows the state.
    init?(from before: StoredTracker, to after: StoredTracker) {
        if after.isLate {
            guard before.wanted != after.wanted else { return nil }
            self = after.wanted == .on ? .stillOn : .stillOff
        } else {
            guard before.isLate, after.pendingUntil == nil, before.state.confirmedSwitch != nil,
                let switched = after.state.confirmedSwitch, after.state != before.state
            else { return nil }
            self = switched == .on ? .onLate : .offLate
        }
    }
}
