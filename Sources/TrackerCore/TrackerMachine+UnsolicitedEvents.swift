import Kernel
import TrackerProtocol

/// Events that arrive outside the server's responses.
extension TrackerMachine {
    /// Handles a verified register request.
    mutating func requested(by binding: TrackerBindingID, at now: Instant) -> [TrackerAction] {
        // The keys that the request refers to are about to be destroyed.
        guard !memory.needsIdentity else { return [.refuseRegistration(.replayed)] }
        switch memory.phase {
        case .unbound, .registering:
            // The message under way was created without an owner; its response would undo the binding.
            takeBack()
            isSending = false
            isRegistering = false
            failures = 0
            nextTryAt = nil
            nextContactAt = nil
            return [.respondToRegistration] + bind(to: binding, at: now)
        case .bound, .active, .off:
            return [binding == memory.binding ? .respondToRegistration : .refuseRegistration(.bound)]
        case .releasing:
            return [.refuseRegistration(.bound)]
        }
    }

    /// Handles a change of the Bluetooth link. A new link sends all waiting data at once.
    mutating func link(_ isUp: Bool, at now: Instant) {
        guard isUp != isLinked else { return }
        isLinked = isUp
        if !isUp { askAt = nil }
        guard isUp, memory.phase != .unbound else { return }
        memory.recordSeparation(isLost: false, distanceMetres: 0, at: now)
        nextTryAt = nil
        nextContactAt = now
    }

    /// The minimum number of seconds between two messages requested by phones.
    static let nudgeSeconds: Int64 = 1

    /// Requests a message to the server, at most one per second. A request that comes too early, or while a message is
    /// under way whose response may be outdated, is served right afterwards. Ignored without a link unless the tracker
    /// is releasing, so that strangers cause no costs.
    mutating func nudge(at now: Instant) {
        guard isLinked || memory.phase == .releasing, memory.phase != .unbound else { return }
        askAt = nudgedAt.map { max(now, min($0, now).adding(seconds: Self.nudgeSeconds)) } ?? now
    }

    /// Handles a command that arrives outside a response, by the same rules as those in a response.
    mutating func handleCommand(_ command: TrackerCommand, at now: Instant) -> [TrackerAction] {
        guard memory.phase != .unbound, !memory.needsIdentity else { return [] }
        let before = memory.phase
        var actions: [TrackerAction] = []
        for command in memory.commands.sort([command], now: now) { actions += execute(command) }
        // The phone that delivered the release can also deliver its confirmation, even after a long wait for the
        // network.
        if memory.phase == .releasing, before != .releasing { nudge(at: now) }
        return actions
    }

    /// Delays a message when data is short. Acknowledgements and messages over a free link are sent at once.
    mutating func delayForBudget(at now: Instant) {
        heldUntil = nil
        guard let monthlyBytes = plan.monthlyBytes, !isLinked else { return }
        guard memory.phase != .releasing, memory.commands.acknowledgements.isEmpty else { return }
        heldUntil = memory.budget.heldUntil(monthlyBytes: monthlyBytes, isLost: memory.isSought(at: now), at: now)
    }
}
