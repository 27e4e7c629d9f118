package import Kernel
package import TrackerProtocol

/// An input of ``TrackerMachine``.
package enum TrackerEvent: Hashable, Sendable {
    /// The power was switched on and the memory was read.
    case started
    /// The time of ``TrackerMachine/nextWake`` has come.
    case woke
    /// New keys and a new claim code were stored.
    case identityMade
    /// The server accepted the first contact.
    case registered
    /// The server responded that the key or the claim code is already in use.
    case registrationRefused
    /// The first contact got no usable response.
    case registrationFailed
    /// A position was measured.
    case fix(TrackerFix)
    /// No position could be measured.
    case fixFailed
    /// The battery level in percent; `nil` when it can't be read.
    case battery(Int?)
    /// An authentic response to the pending message arrived.
    case answered(DownlinkResponse)
    /// No response arrived, or no authentic one.
    case unanswered
    /// The server responded, unsealed, that it doesn't know this tracker or its key.
    case disowned
    /// A verified register request for this binding arrived over Bluetooth. The runner stores the binding and the
    /// server's key with the memory if ``TrackerAction/respondToRegistration`` follows.
    case registerRequest(TrackerBindingID)
    /// A phone of the owner connected over Bluetooth and subscribed (`true`), or left (`false`).
    case bluetoothLink(Bool)
    /// A phone reported that the server may have data for the tracker.
    case nudged
    /// An authentic command arrived outside a response.
    case command(TrackerCommand)
    /// A cloud service accepted the pending message for the server; there will be no response.
    case forwarded
    /// The SIM card's Hologram id was read; `nil` when there is none.
    case hologramDevice(Int64?)
    /// This number of bytes was sent or received over a metered link.
    case used(bytes: Int64)
}

/// An output of ``TrackerMachine``: what the runner has to do, in order, after it stored the memory.
package enum TrackerAction: Hashable, Sendable {
    /// Destroy the keys, create and store new keys and a new claim code; then ``TrackerEvent/identityMade``.
    case makeIdentity
    /// Make the first contact; then one of the registration events.
    case register
    /// Seal and send; then ``TrackerEvent/answered(_:)``, ``TrackerEvent/unanswered`` or ``TrackerEvent/disowned``.
    case send(Uplink)
    /// Measure a position; then ``TrackerEvent/fix(_:)`` or ``TrackerEvent/fixFailed``.
    case measureFix
    /// Play a sound.
    case ring
    /// Show the claim code: an owner can claim the tracker.
    case showCode
    /// Hide the claim code: it is no longer valid.
    case hideCode
    /// Seal and send the register answer: the tracker has bound itself.
    case respondToRegistration
    /// Send the phone the reason of the refusal.
    case refuseRegistration(RegisterRefusal)
}

/// The state machine of a tracker: takes an event, returns actions. Independent of clocks, keys, files and networks, so
/// that the simulated tracker, the real one and the tests run the same code.
package struct TrackerMachine: Hashable, Sendable {
    /// The intervals and limits.
    package let plan: TrackerPlan
    /// The persistent state. The runner stores it after every event, before it performs the actions.
    package internal(set) var memory: TrackerMemory

    // The state that a power cut may lose.
    var isRegistering = false
    var isSending = false
    var isLinked = false
    /// The time of the last message requested by a phone, and of the next one.
    var nudgedAt: Instant?
    var askAt: Instant?
    var failures = 0
    var batchLimit = Limits.fixesPerMessage
    var nextTryAt: Instant?
    var nextContactAt: Instant?
    var fixDeadline: Instant?
    /// Whether a locate command requested the position being measured, and not the schedule.
    private var isFixAsked = false
    /// The current delay of the schedule: see ``patienceSeconds(at:)``.
    private var askedPatienceSeconds: Int64 = 0
    /// The time since which the tracker waits for an owner.
    var waitingSince: Instant?
    /// The time until which a message waits because data is short.
    var heldUntil: Instant?

    /// Creates the machine. Its first event must be ``TrackerEvent/started``.
    package init(plan: TrackerPlan, memory: TrackerMemory = TrackerMemory()) {
        self.plan = plan
        self.memory = memory
    }

    /// Processes an event and returns the actions that follow from it.
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
            return handleRefusal(at: now)
        case .registrationFailed:
            isRegistering = false
            if memory.phase == .unbound { retryLater(at: now) }
            return []
        case .fix(let fix):
            add(fix, at: now)
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
            return handleCommand(command, at: now)
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
        // `failures` isn't reset: a server that accepts first contacts but doesn't store them must not be flooded.
        nextTryAt = nil
        nextContactAt = nil
        memory.phase = .registering
        return [.showCode]
    }

    private mutating func handleRefusal(at now: Instant) -> [TrackerAction] {
        isRegistering = false
        guard memory.phase == .unbound else { return [] }
        let failuresSoFar = failures
        let actions = resetToNewTracker()
        failures = failuresSoFar
        retryLater(at: now)
        return actions
    }

    // MARK: Positions

    private mutating func add(_ fix: TrackerFix, at now: Instant) {
        guard memory.phase == .active, fixDeadline != nil else { return }
        fixDeadline = nil
        if isFixAsked {
            memory.nextFixAt = now.adding(seconds: fixSeconds(at: now))
            askedPatienceSeconds = patienceSeconds(at: now)
        }
        memory.spool.append(fix, capacity: plan.spoolCapacity)
        memory.commands.finishLocateCommands(.applied)
    }

    private mutating func giveUpFix() {
        guard fixDeadline != nil else { return }
        fixDeadline = nil
        memory.commands.finishLocateCommands(.failed, reason: "no position")
    }

    /// Returns the scheduled seconds between two positions.
    func fixSeconds(at now: Instant) -> Int64 {
        let usual = plan.fixSeconds ?? Int64(memory.locateMinutes) * 60
        return memory.isSought(at: now) ? min(usual, Limits.trackerLostFixSeconds) : usual
    }

    /// Returns the seconds by which the schedule delays its next position after a requested one. A tracker that gets
    /// regular requests reports once per interval, and uses its schedule only when the requests stop. A lost tracker
    /// doesn't delay.
    private func patienceSeconds(at now: Instant) -> Int64 {
        memory.isSought(at: now) ? 0 : fixSeconds(at: now) / 4
    }

    private var scheduledFixAt: Instant? { memory.nextFixAt?.adding(seconds: askedPatienceSeconds) }

    /// Returns the seconds until the next message when there is nothing to report.
    func contactSeconds(at now: Instant) -> Int64 {
        guard memory.phase == .registering, let waitingSince else { return plan.contactSeconds }
        let isFresh = now < waitingSince.adding(seconds: Limits.trackerWaitingSeconds)
        return isFresh ? plan.waitingSeconds : plan.contactSeconds
    }

    // MARK: Due work

    private mutating func due(at now: Instant) -> [TrackerAction] {
        waitingSince = memory.phase == .registering ? min(waitingSince ?? now, now) : nil
        clampToClock(at: now)
        if let fixDeadline, fixDeadline <= now { giveUpFix() }
        memory.commands.expireLocateCommands(now: now)
        var actions: [TrackerAction] = []
        if memory.phase == .active, fixDeadline == nil {
            let isScheduled = scheduledFixAt.map { $0 <= now } ?? true
            if isScheduled || !memory.commands.locating.isEmpty {
                // One position makes up for all that were missed while the power was off.
                if isScheduled {
                    memory.nextFixAt = now.adding(seconds: fixSeconds(at: now))
                    askedPatienceSeconds = 0
                }
                isFixAsked = !isScheduled
                fixDeadline = now.adding(seconds: plan.fixTimeoutSeconds)
                actions.append(.measureFix)
            }
        }
        if isLinked { memory.nearness.evaluate(distanceMetres: 0, at: now) }
        delayForBudget(at: now)
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

    private var hasNews: Bool { !memory.spool.fixes.isEmpty || !memory.commands.acknowledgements.isEmpty }

    private mutating func makeMessage(at now: Instant) {
        memory.counter += 1
        memory.budget.noteMessage(at: now)
        memory.pending = PendingMessage(
            counter: memory.counter, at: now, phase: memory.phase, mode: memory.nearness.mode,
            batteryPercent: memory.batteryPercent, droppedFixes: memory.spool.droppedCount,
            hologramDevice: memory.hologramDevice
        )
        memory.spool.takeOut(limit: batchLimit)
        memory.commands.takeOut()
    }

    // A clock that is set back must not delay due work by more than its interval.
    private mutating func clampToClock(at now: Instant) {
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

    /// The time at which to send ``TrackerEvent/woke`` unless another event comes first; `nil`: nothing is scheduled.
    package var nextWake: Instant? {
        var times: [Instant] = []
        if let fixDeadline { times.append(fixDeadline) }
        if memory.phase == .active, fixDeadline == nil, let scheduledFixAt { times.append(scheduledFixAt) }
        if let nextExpiry = memory.commands.nextExpiry { times.append(nextExpiry) }
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
