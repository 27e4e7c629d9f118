package import Kernel
package import TrackerProtocol

/// What happens to a tracker.
package enum TrackerEvent: Hashable, Sendable {
    /// The power came on, and the memory was read.
    case started
    /// The time of ``TrackerMachine/nextWake`` came.
    case woke
    /// Keys and a claim code have been made and written down.
    case identityMade
    /// The server took the first contact.
    case registered
    /// The server said that the key or the code is taken.
    case registrationRefused
    /// The first contact had no usable answer.
    case registrationFailed
    /// A position was taken.
    case fix(TrackerFix)
    /// No position could be had.
    case fixFailed
    /// The battery was read; `nil` when that isn't possible.
    case battery(Int?)
    /// An authentic answer to the pending message arrived.
    case answered(DownlinkAnswer)
    /// No answer, or none that is authentic.
    case unanswered
    /// The server says, unsealed, that it doesn't know this tracker or its key.
    case disowned
}

/// What has to be done about it, in order, after the memory was written down.
package enum TrackerAction: Hashable, Sendable {
    /// Destroy the keys, make new ones and a new claim code, write them down; then ``TrackerEvent/identityMade``.
    case makeIdentity
    /// Make the first contact; then one of the registration events.
    case register
    /// Seal and send; then ``TrackerEvent/answered(_:)``, ``TrackerEvent/unanswered`` or ``TrackerEvent/disowned``.
    case send(Uplink)
    /// Take a position; then ``TrackerEvent/fix(_:)`` or ``TrackerEvent/fixFailed``.
    case takeFix
    /// Make a sound.
    case ring
    /// Show the claim code: an owner may come.
    case showCode
    /// Hide the claim code: it is spent.
    case hideCode
}

/// The tracker's brain: event in, new state and actions out. Knows nothing of clocks, keys, files or networks, so the
/// simulated tracker, the real one and the tests drive the very same code.
package struct TrackerMachine: Hashable, Sendable {
    /// Paces and bounds.
    package let plan: TrackerPlan
    /// What must be written down after every event, before its actions are carried out.
    package internal(set) var memory: TrackerMemory

    // What a power cut may take.
    var isRegistering = false
    var isSending = false
    var failures = 0
    var batchLimit = Limits.fixesPerMessage
    var nextTryAt: Instant?
    var nextContactAt: Instant?
    var fixDeadline: Instant?

    /// Makes the machine; hand it ``TrackerEvent/started`` first.
    package init(plan: TrackerPlan, memory: TrackerMemory = TrackerMemory()) {
        self.plan = plan
        self.memory = memory
    }

    /// Takes in an event.
    package mutating func handle(_ event: TrackerEvent, at now: Instant) -> [TrackerAction] {
        var actions = react(to: event, at: now)
        actions += due(at: now)
        return actions
    }

    private mutating func react(to event: TrackerEvent, at now: Instant) -> [TrackerAction] {
        switch event {
        case .started:
            return memory.needsIdentity ? [.makeIdentity] : memory.phase == .registering ? [.showCode] : []
        case .woke:
            return []
        case .identityMade:
            memory.needsIdentity = false
            return []
        case .registered:
            return registered()
        case .registrationRefused:
            return refused(at: now)
        case .registrationFailed:
            isRegistering = false
            retryLater(at: now)
            return []
        case .fix(let fix):
            take(fix)
            return []
        case .fixFailed:
            giveUpFix()
            return []
        case .battery(let percent):
            memory.batteryPercent = percent.map { min(max($0, 0), 100) }
            return []
        case .answered(let answer):
            isSending = false
            return answered(answer, at: now)
        case .unanswered:
            isSending = false
            retryLater(at: now)
            return []
        case .disowned:
            isSending = false
            return disowned(at: now)
        }
    }

    private mutating func registered() -> [TrackerAction] {
        guard memory.phase == .unbound, !memory.needsIdentity else { return [] }
        // Failures count on: a server that takes first contacts and then knows nothing of them is not to be flooded.
        isRegistering = false
        nextTryAt = nil
        nextContactAt = nil
        memory.phase = .registering
        return [.showCode]
    }

    private mutating func refused(at now: Instant) -> [TrackerAction] {
        guard memory.phase == .unbound else { return [] }
        let failuresSoFar = failures
        let actions = startOver()
        failures = failuresSoFar
        retryLater(at: now)
        return actions
    }

    // MARK: Positions

    private mutating func take(_ fix: TrackerFix) {
        guard memory.phase == .active, fixDeadline != nil else { return }
        fixDeadline = nil
        memory.spool.append(fix, capacity: plan.spoolCapacity)
        memory.desk.finishLocating(.applied)
    }

    private mutating func giveUpFix() {
        guard fixDeadline != nil else { return }
        fixDeadline = nil
        memory.desk.finishLocating(.failed, reason: "no position")
    }

    /// Seconds between two positions of the schedule.
    var fixSeconds: Int64 { plan.fixSeconds ?? Int64(memory.locateMinutes) * 60 }

    // MARK: What is due

    private mutating func due(at now: Instant) -> [TrackerAction] {
        settleClock(at: now)
        if let fixDeadline, fixDeadline <= now { giveUpFix() }
        memory.desk.expireLocating(now: now)
        var actions: [TrackerAction] = []
        if memory.phase == .active, fixDeadline == nil {
            let isScheduled = memory.nextFixAt.map { $0 <= now } ?? true
            if isScheduled || !memory.desk.locating.isEmpty {
                // Rounds that were missed while the power was off are caught up by this one.
                if isScheduled { memory.nextFixAt = now.adding(seconds: fixSeconds) }
                fixDeadline = now.adding(seconds: plan.fixTimeoutSeconds)
                actions.append(.takeFix)
            }
        }
        if let action = dueContact(at: now) { actions.append(action) }
        return actions
    }

    private mutating func dueContact(at now: Instant) -> TrackerAction? {
        guard !memory.needsIdentity, !isSending, !isRegistering else { return nil }
        if let nextTryAt, nextTryAt > now { return nil }
        if memory.phase == .unbound {
            isRegistering = true
            return .register
        }
        if memory.pending == nil {
            guard hasNews || (nextContactAt.map { $0 <= now } ?? true) else { return nil }
            makeMessage(at: now)
        }
        guard let uplink = memory.pendingUplink else { return nil }
        isSending = true
        return .send(uplink)
    }

    private var hasNews: Bool { !memory.spool.fixes.isEmpty || !memory.desk.acknowledgements.isEmpty }

    private mutating func makeMessage(at now: Instant) {
        memory.counter += 1
        memory.pending = PendingMessage(
            counter: memory.counter, at: now, phase: memory.phase, mode: memory.nearness.mode,
            batteryPercent: memory.batteryPercent, droppedFixes: memory.spool.droppedCount
        )
        memory.spool.takeOut(limit: batchLimit)
        memory.desk.takeOut()
    }

    // A clock that was set back must not put off what is due for longer than its own pace.
    private mutating func settleClock(at now: Instant) {
        func clamp(_ instant: Instant?, within seconds: Int64) -> Instant? {
            instant.map { min($0, now.adding(seconds: seconds)) }
        }
        nextTryAt = clamp(nextTryAt, within: Limits.trackerRetrySecondsMaximum)
        nextContactAt = clamp(nextContactAt, within: plan.contactSeconds)
        fixDeadline = clamp(fixDeadline, within: plan.fixTimeoutSeconds)
        memory.nextFixAt = clamp(memory.nextFixAt, within: fixSeconds)
    }

    mutating func retryLater(at now: Instant) {
        failures += 1
        let wait = plan.retryMilliseconds(afterFailures: failures, counter: memory.counter)
        nextTryAt = Instant(millisecondsSince1970: now.millisecondsSince1970 + wait)
    }

    /// When to hand in ``TrackerEvent/woke``, unless something else happens before; `nil`: nothing is planned.
    package var nextWake: Instant? {
        var times: [Instant] = []
        if let fixDeadline { times.append(fixDeadline) }
        if memory.phase == .active, fixDeadline == nil, let nextFixAt = memory.nextFixAt { times.append(nextFixAt) }
        if let nextExpiry = memory.desk.nextExpiry { times.append(nextExpiry) }
        if !memory.needsIdentity, !isSending, !isRegistering {
            let isUrgent = memory.phase == .unbound || memory.pending != nil || hasNews
            if let time = isUrgent ? nextTryAt : [nextTryAt, nextContactAt].compactMap({ $0 }).max() {
                times.append(time)
            }
        }
        return times.min()
    }
}
