import Kernel
import TrackerProtocol

extension TrackerMachine {
    mutating func answered(_ answer: DownlinkAnswer, at now: Instant) -> [TrackerAction] {
        guard let pending = memory.pending else {
            isSending = false
            return []
        }
        // The late answer to a message that was taken back says nothing about the one that is under way.
        if case .accepted(let downlink) = answer, downlink.counter != pending.counter { return [] }
        isSending = false
        switch answer {
        case .accepted(let downlink):
            return accepted(downlink, at: now)
        case .stale(let last):
            // The server has seen higher counters than this memory knows: go on from there with the same content.
            memory.counter = max(memory.counter, last)
            takeBack()
            retrySoon(at: now)
            return []
        case .malformed:
            shrink()
            retrySoon(at: now)
            return []
        }
    }

    private mutating func accepted(_ downlink: Downlink, at now: Instant) -> [TrackerAction] {
        confirmPending()
        memory.disownedSince = nil
        // Only the message that confirms the release is made in this phase.
        if memory.phase == .releasing { return startOver() }
        // A server that lets go of a tracker names no owner any more; that is not yet an invitation to the next one.
        let isLetGo = downlink.commands.contains { $0.kind == .releaseOff }
        var actions = isLetGo ? [] : bind(to: downlink.binding, at: now)
        memory.locateMinutes = downlink.settings.locateMinutes
        // Who is connected is near, whatever two satellite receivers make of it.
        let distanceMetres = isLinked ? 0 : downlink.settings.distanceMetres
        memory.note(isLost: downlink.settings.isLost && !isLinked, distanceMetres: distanceMetres, at: now)
        memory.nearness.evaluate(distanceMetres: distanceMetres, at: now)
        // Whichever clock is ahead: a command that may be too late is not carried out.
        for command in memory.desk.sort(downlink.commands, now: max(now, downlink.at)) {
            actions += carryOut(command)
        }
        let hasMore = downlink.commands.count == Limits.commandsPerMessage
        nextContactAt = hasMore ? now : now.adding(seconds: contactSeconds(at: now))
        return actions
    }

    private mutating func confirmPending() {
        memory.pending = nil
        memory.spool.confirmOut()
        memory.desk.confirmOut()
        failures = 0
        nextTryAt = nil
        batchLimit = Limits.fixesPerMessage
    }

    /// A cloud took the message: what it says counts as delivered, and what an answer would say stays unknown.
    mutating func forwarded(at now: Instant) -> [TrackerAction] {
        guard memory.pending != nil else { return [] }
        confirmPending()
        if memory.phase == .releasing { return startOver() }
        nextContactAt = now.adding(seconds: plan.contactSeconds)
        return []
    }

    // MARK: Owners

    mutating func bind(to binding: TrackerBindingID?, at now: Instant) -> [TrackerAction] {
        guard binding != memory.binding else { return [] }
        // What one owner's tracker saw is none of the next one's business.
        memory.spool.wipe()
        memory.desk.wipe()
        memory.nextFixAt = nil
        memory.note(isLost: false, distanceMetres: 0, at: now)
        fixDeadline = nil
        memory.binding = binding
        memory.phase = binding == nil ? .registering : .bound
        return [binding == nil ? .showCode : .hideCode]
    }

    /// Forgets owner, server and keys, and begins as a new tracker.
    mutating func startOver() -> [TrackerAction] {
        // These are the device's, whoever owns it.
        let (battery, device, budget) = (memory.batteryPercent, memory.hologramDevice, memory.budget)
        self = TrackerMachine(plan: plan)
        memory.batteryPercent = battery
        memory.hologramDevice = device
        memory.budget = budget
        memory.needsIdentity = true
        return [.hideCode, .makeIdentity]
    }

    mutating func disowned(at now: Instant) -> [TrackerAction] {
        switch memory.phase {
        case .unbound:
            return []
        case .releasing:
            // The server heard the confirmation, forgot the tracker, and the answer was lost.
            return startOver()
        case .registering:
            // Nobody claimed it for long and the server forgot it; the code still holds.
            takeBack()
            memory.phase = .unbound
            retryLater(at: now)
            return [.hideCode]
        case .bound, .active, .off:
            let since = min(memory.disownedSince ?? now, now)
            memory.disownedSince = since
            if now >= since.adding(seconds: Limits.trackerDisownedSeconds) { return startOver() }
            retryLater(at: now)
            return []
        }
    }

    // MARK: Commands

    mutating func carryOut(_ command: TrackerCommand) -> [TrackerAction] {
        guard let kind = command.kind else { return [] }
        guard memory.binding != nil || kind == .releaseOff else {
            memory.desk.finish(command, .failed, reason: "not bound")
            return []
        }
        // In the batch that releases the tracker nothing else counts any more.
        guard memory.phase != .releasing else { return [] }
        switch kind {
        case .activate, .on:
            memory.phase = .active
            memory.desk.finish(command, .applied)
        case .off:
            stopLocating(reason: "off")
            memory.phase = .off
            memory.desk.finish(command, .applied)
        case .locate:
            locate(command)
        case .ring:
            memory.desk.finish(command, .applied)
            return [.ring]
        case .releaseOff:
            // By a side road it may come while a message is under way, which then confirms nothing.
            if memory.pending != nil { takeBack() }
            stopLocating(reason: "off")
            memory.spool.wipe()
            memory.desk.wipe()
            memory.phase = .releasing
            memory.desk.finish(command, .applied)
        }
        return []
    }

    private mutating func locate(_ command: TrackerCommand) {
        if memory.phase != .active {
            memory.desk.finish(command, .failed, reason: memory.phase == .off ? "off" : "not active")
        } else if memory.desk.locating.count >= Limits.commandsPerMessage {
            memory.desk.finish(command, .failed, reason: "too many requests")
        } else {
            memory.desk.wait(command)
        }
    }

    private mutating func stopLocating(reason: String) {
        fixDeadline = nil
        memory.nextFixAt = nil
        memory.desk.finishLocating(.failed, reason: reason)
    }

    // MARK: Messages that did not get through

    mutating func takeBack() {
        memory.pending = nil
        memory.spool.returnOut()
        memory.desk.returnOut()
    }

    /// The server can't read the message: leave out more and more of it, so that one bad entry doesn't hold up the
    /// rest for ever.
    private mutating func shrink() {
        let fixCount = memory.spool.outCount
        memory.pending = nil
        if memory.desk.outCount > 0 {
            // The server asks again for what it doesn't know, so acknowledgements can be spared first.
            memory.desk.confirmOut()
            memory.spool.returnOut()
        } else if fixCount > 1 {
            batchLimit = fixCount / 2
            memory.spool.returnOut()
        } else {
            memory.spool.dropOut()
        }
    }

    // The first time at once, since the cause has been mended; if that doesn't help, with growing patience.
    private mutating func retrySoon(at now: Instant) {
        if failures == 0 {
            failures = 1
            nextTryAt = nil
        } else {
            retryLater(at: now)
        }
    }
}
