import Kernel
import TrackerProtocol

/// What comes by other roads than the answers of the server.
extension TrackerMachine {
    /// A register request that is believed.
    mutating func requested(by binding: TrackerBindingID, at now: Instant) -> [TrackerAction] {
        // The keys that it was meant for are about to be destroyed.
        guard !memory.needsIdentity else { return [.refuseRegistration(.replayed)] }
        switch memory.phase {
        case .unbound, .registering:
            // What is under way was said by a tracker without an owner; its answer would only undo this.
            takeBack()
            isSending = false
            isRegistering = false
            failures = 0
            nextTryAt = nil
            nextContactAt = nil
            return [.answerRegistration] + bind(to: binding, at: now)
        case .bound, .active, .off:
            return [binding == memory.binding ? .answerRegistration : .refuseRegistration(.bound)]
        case .releasing:
            return [.refuseRegistration(.bound)]
        }
    }

    /// All that waits is tried at once over the new road.
    mutating func link(_ isUp: Bool, at now: Instant) {
        guard isUp != isLinked else { return }
        isLinked = isUp
        if !isUp { askAt = nil }
        guard isUp, memory.phase != .unbound else { return }
        memory.note(isLost: false, distanceMetres: 0, at: now)
        nextTryAt = nil
        nextContactAt = now
    }

    /// Seconds between two messages that phones asked for.
    static let nudgeSeconds: Int64 = 1

    /// Asks the server at once, at most once a second: what comes too early, or while a message is under way whose
    /// answer may have been made before, is done right after. Only for what then goes over a phone: what a stranger
    /// says costs nothing so.
    mutating func nudge(at now: Instant) {
        guard isLinked || memory.phase == .releasing, memory.phase != .unbound else { return }
        askAt = nudgedAt.map { max(now, min($0, now).adding(seconds: Self.nudgeSeconds)) } ?? now
    }

    /// A command that came by itself; the same rules as for those in an answer.
    mutating func sideCommand(_ command: TrackerCommand, at now: Instant) -> [TrackerAction] {
        guard memory.phase != .unbound, !memory.needsIdentity else { return [] }
        let before = memory.phase
        var actions: [TrackerAction] = []
        for command in memory.desk.sort([command], now: now) { actions += carryOut(command) }
        // Whoever brought the release may carry the farewell, too, however long the network has been silent.
        if memory.phase == .releasing, before != .releasing { nudge(at: now) }
        return actions
    }

    /// Lets a message wait because data is short. What the server waits for goes out at once: the end of a command; and
    /// so does what costs nothing.
    mutating func holdBack(at now: Instant) {
        heldUntil = nil
        guard let monthlyBytes = plan.monthlyBytes, !isLinked else { return }
        guard memory.phase != .releasing, memory.desk.acknowledgements.isEmpty else { return }
        heldUntil = memory.budget.heldUntil(monthlyBytes: monthlyBytes, isLost: memory.isSought(at: now), at: now)
    }
}
