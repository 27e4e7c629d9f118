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
    /// A register request arrived over Bluetooth, and is believed; whom it wants the tracker to serve. Id and server's
    /// key are written down with the memory if ``TrackerAction/answerRegistration`` comes of it.
    case registerRequest(TrackerBindingID)
    /// A phone of the owner's is connected over Bluetooth and listens, or is no longer.
    case bluetoothLink(Bool)
    /// The phone says that the server may have something for the tracker.
    case nudged
    /// An authentic command arrived by another road than an answer.
    case command(TrackerCommand)
    /// A cloud took the pending message and brings it to the server; no answer will come.
    case forwarded
    /// The SIM card's id at Hologram was read; `nil` when there is none.
    case hologramDevice(Int64?)
    /// That many bytes went over a link that is paid by the byte, either way.
    case used(bytes: Int64)
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
    /// Seal and send the register answer: the tracker has bound itself.
    case answerRegistration
    /// Send the phone the reason why not.
    case refuseRegistration(RegisterRefusal)
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
    var isLinked = false
    /// When a phone's wish that the server be asked was last followed, and when the next one will be.
    var nudgedAt: Instant?
    var askAt: Instant?
    var failures = 0
    var batchLimit = Limits.fixesPerMessage
    var nextTryAt: Instant?
    var nextContactAt: Instant?
    var fixDeadline: Instant?
    /// Whether the position that is being found was asked for, and isn't the schedule's.
    private var isFixAsked = false
    /// See ``patienceSeconds(at:)``.
    private var askedPatienceSeconds: Int64 = 0
    /// Since when an owner is awaited.
    var waitingSince: Instant?
    /// Until when a message waits because data is short.
    var heldUntil: Instant?

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
            if memory.phase == .unbound { retryLater(at: now) }
            return []
        case .fix(let fix):
            take(fix, at: now)
            return []
        case .fixFailed:
            giveUpFix()
            return []
        case .battery(let percent):
            memory.batteryPercent = percent.map { min(max($0, 0), 100) }
            return []
        case .answered(let answer):
            return answered(answer, at: now)
        case .unanswered:
            isSending = false
            retryLater(at: now)
            return []
        case .disowned:
            isSending = false
            return disowned(at: now)
        case .registerRequest(let binding):
            return requested(by: binding, at: now)
        case .bluetoothLink(let isUp):
            link(isUp, at: now)
            return []
        case .nudged:
            nudge(at: now)
            return []
        case .command(let command):
            return sideCommand(command, at: now)
        case .forwarded:
            isSending = false
            return forwarded(at: now)
        case .hologramDevice(let device):
            memory.hologramDevice = device.flatMap { $0 >= 1 ? $0 : nil }
            return []
        case .used(let bytes):
            memory.budget.use(bytes, at: now)
            return []
        }
    }

    private mutating func registered() -> [TrackerAction] {
        isRegistering = false
        guard memory.phase == .unbound, !memory.needsIdentity else { return [] }
        // Failures count on: a server that takes first contacts and then knows nothing of them is not to be flooded.
        nextTryAt = nil
        nextContactAt = nil
        memory.phase = .registering
        return [.showCode]
    }

    private mutating func refused(at now: Instant) -> [TrackerAction] {
        isRegistering = false
        guard memory.phase == .unbound else { return [] }
        let failuresSoFar = failures
        let actions = startOver()
        failures = failuresSoFar
        retryLater(at: now)
        return actions
    }

    // MARK: Positions

    private mutating func take(_ fix: TrackerFix, at now: Instant) {
        guard memory.phase == .active, fixDeadline != nil else { return }
        fixDeadline = nil
        if isFixAsked {
            memory.nextFixAt = now.adding(seconds: fixSeconds(at: now))
            askedPatienceSeconds = patienceSeconds(at: now)
        }
        memory.spool.append(fix, capacity: plan.spoolCapacity)
        memory.desk.finishLocating(.applied)
    }

    private mutating func giveUpFix() {
        guard fixDeadline != nil else { return }
        fixDeadline = nil
        memory.desk.finishLocating(.failed, reason: "no position")
    }

    /// Seconds between two positions of the schedule.
    func fixSeconds(at now: Instant) -> Int64 {
        let usual = plan.fixSeconds ?? Int64(memory.locateMinutes) * 60
        return memory.isSought(at: now) ? min(usual, Limits.trackerLostFixSeconds) : usual
    }

    /// Seconds by which the schedule's next position is late when the last one was asked for: a tracker that is asked
    /// regularly reports once an interval, and by itself only when the questions fail to come. While it is sought, it doesn't
    /// wait for them.
    private func patienceSeconds(at now: Instant) -> Int64 {
        memory.isSought(at: now) ? 0 : fixSeconds(at: now) / 4
    }

    private var scheduledFixAt: Instant? { memory.nextFixAt?.adding(seconds: askedPatienceSeconds) }

    /// Seconds to the next message when there is nothing to report.
    func contactSeconds(at now: Instant) -> Int64 {
        guard memory.phase == .registering, let waitingSince else { return plan.contactSeconds }
        let isFresh = now < waitingSince.adding(seconds: Limits.trackerWaitingSeconds)
        return isFresh ? plan.waitingSeconds : plan.contactSeconds
    }

    // MARK: What is due

    private mutating func due(at now: Instant) -> [TrackerAction] {
        waitingSince = memory.phase == .registering ? min(waitingSince ?? now, now) : nil
        settleClock(at: now)
        if let fixDeadline, fixDeadline <= now { giveUpFix() }
        memory.desk.expireLocating(now: now)
        var actions: [TrackerAction] = []
        if memory.phase == .active, fixDeadline == nil {
            let isScheduled = scheduledFixAt.map { $0 <= now } ?? true
            if isScheduled || !memory.desk.locating.isEmpty {
                // Rounds that were missed while the power was off are caught up by this one.
                if isScheduled {
                    memory.nextFixAt = now.adding(seconds: fixSeconds(at: now))
                    askedPatienceSeconds = 0
                }
                isFixAsked = !isScheduled
                fixDeadline = now.adding(seconds: plan.fixTimeoutSeconds)
                actions.append(.takeFix)
            }
        }
        if isLinked { memory.nearness.evaluate(distanceMetres: 0, at: now) }
        holdBack(at: now)
        if let action = dueContact(at: now) { actions.append(action) }
        return actions
    }

    private mutating func dueContact(at now: Instant) -> TrackerAction? {
        guard !memory.needsIdentity, !isSending, !isRegistering else { return nil }
        let isAsked = askAt.map { $0 <= now } ?? false
        if !isAsked, let nextTryAt, nextTryAt > now { return nil }
        if memory.phase == .unbound {
            isRegistering = true
            askAt = nil
            return .register
        }
        guard heldUntil == nil else { return nil }
        if memory.pending == nil {
            guard isAsked || hasNews || (nextContactAt.map { $0 <= now } ?? true) else { return nil }
            makeMessage(at: now)
        }
        guard let uplink = memory.pendingUplink else { return nil }
        isSending = true
        if isAsked { (nudgedAt, askAt) = (now, nil) }
        return .send(uplink)
    }

    private var hasNews: Bool { !memory.spool.fixes.isEmpty || !memory.desk.acknowledgements.isEmpty }

    private mutating func makeMessage(at now: Instant) {
        memory.counter += 1
        memory.budget.noteMessage(at: now)
        memory.pending = PendingMessage(
            counter: memory.counter, at: now, phase: memory.phase, mode: memory.nearness.mode,
            batteryPercent: memory.batteryPercent, droppedFixes: memory.spool.droppedCount,
            hologramDevice: memory.hologramDevice
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
        nextContactAt = clamp(nextContactAt, within: contactSeconds(at: now))
        askAt = clamp(askAt, within: Self.nudgeSeconds)
        fixDeadline = clamp(fixDeadline, within: plan.fixTimeoutSeconds)
        memory.nextFixAt = clamp(memory.nextFixAt, within: fixSeconds(at: now))
        askedPatienceSeconds = min(askedPatienceSeconds, patienceSeconds(at: now))
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
        if memory.phase == .active, fixDeadline == nil, let scheduledFixAt { times.append(scheduledFixAt) }
        if let nextExpiry = memory.desk.nextExpiry { times.append(nextExpiry) }
        if !memory.needsIdentity, !isSending, !isRegistering {
            let isUrgent = memory.phase == .unbound || memory.pending != nil || hasNews
            let usualAt = isUrgent ? nextTryAt : [nextTryAt, nextContactAt].compactMap({ $0 }).max()
            let contactAt = [usualAt, askAt].compactMap({ $0 }).min()
            if let time = [contactAt, heldUntil].compactMap({ $0 }).max() { times.append(time) }
        }
        if isLinked, let since = memory.nearness.candidateSince {
            times.append(since.adding(seconds: NearnessRule.confirmationSeconds))
        }
        return times.min()
    }
}
