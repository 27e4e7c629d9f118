import Kernel

/// The rules for a tracker's switch: a command is confirmed in time, late, or not at all.
///
/// While a switch is pending, `wanted` is what the owner asked for. Once it has lapsed or was refused, `wanted` is what
/// the tracker confirmed last. Alerts, *locate* and polls go by `wanted`, so a command without effect must not stay
/// there.
extension StoredTracker {
    /// Whether its positions count for alerts: it is on, and its owner has not asked it to turn off.
    var isReporting: Bool { state == .active && wanted == .on }

    /// Waits for a confirmation for two intervals.
    mutating func await(since now: Instant, locateMinutes: Int) {
        pendingSince = now
        pendingUntil = now.adding(seconds: Silence.seconds(locateMinutes: locateMinutes))
        isLate = false
    }

    /// Waits for nothing.
    mutating func settle() {
        pendingSince = nil
        pendingUntil = nil
        isLate = false
    }

    /// Takes over the state that the tracker confirms.
    mutating func confirm(_ confirmed: State, now: Instant) {
        let previous = state
        state = confirmed
        offSince = state == .off ? offSince ?? now : nil
        guard let switched = state.confirmedSwitch else { return }
        if pendingUntil == nil {
            wanted = switched
        } else if isLate {
            // A confirmation that came late still counts; without one the note stays that the command had no effect.
            wanted = switched
            if state != previous { settle() }
        } else if wanted == switched {
            settle()
        }
    }

    /// Gives up a switch whose time is over. An activation that is still open continues.
    mutating func lapse(at now: Instant) {
        guard let pendingUntil, pendingUntil <= now else { return }
        isLate = true
        wanted = state.confirmedSwitch ?? wanted
    }

    /// Gives up a switch that the tracker refused, or that can't arrive any more.
    mutating func giveUp(now: Instant) {
        pendingSince = pendingSince ?? now
        pendingUntil = min(pendingUntil ?? now, now)
        isLate = true
        wanted = state.confirmedSwitch ?? .off
    }
}

extension StoredTracker.State {
    /// The switch as the state reports it; `nil` before the tracker has begun to locate.
    var confirmedSwitch: SwitchState? {
        switch self {
        case .active: .on
        case .off: .off
        case .free, .registering, .bound, .releasing: nil
        }
    }
}

/// The outcome of a switch that differs from what the owner believes and that causes a notification to the owner.
enum SwitchOutcome: String, Equatable {
    /// Asked to turn off, and still on.
    case stillOn
    /// Asked to turn on, and still off.
    case stillOff
    /// Turned on after a notification to the owner that it is off.
    case onLate
    /// Turned off after a notification to the owner that it is on.
    case offLate

    /// - Returns: `nil` when the owner knows the state.
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
