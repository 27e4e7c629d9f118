import Kernel
import TrackerProtocol

extension TrackerMachine {
    mutating func answered(_ answer: DownlinkResponse, at now: Instant) -> [TrackerAction] {
        guard let pending = memory.pending else {
            isSending = false
            return []
        }
        // A late response to an abandoned message says nothing about the current one.
        if case .accepted(let downlink) = answer, downlink.counter != pending.counter { return [] }
        isSending = false
        switch answer {
        case .accepted(let downlink):
            return accepted(downlink, at: now)
        case .stale(let last):
            // The server knows a higher counter than this memory: continue from it with the same content.
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
        memory.unknownSince = nil
        // Only the message that confirms the release is created in this phase.
        if memory.phase == .releasing { return resetToNewTracker() }
        // A server that releases a tracker no longer sends its binding; this must not show the claim code yet.
        let isLetGo = downlink.commands.contains { $0.kind == .releaseOff }
        var actions = isLetGo ? [] : bind(to: downlink.binding, at: now)
        memory.locateMinutes = downlink.settings.locateMinutes
        // A connected phone is near, whatever the distance between the two measured positions.
        let distanceMetres = isLinked ? 0 : downlink.settings.distanceMetres
        memory.recordSeparation(isLost: downlink.settings.isLost && !isLinked, distanceMetres: distanceMetres, at: now)
        memory.nearness.evaluate(distanceMetres: distanceMetres, at: now)
        // Uses the later of the two clocks: a command that may have expired doesn't run.
        for command in memory.commands.sort(downlink.commands, now: max(now, downlink.at)) {
            actions += execute(command)
        }
        let hasMore = downlink.commands.count == Limits.commandsPerMessage
        nextContactAt = hasMore ? now : now.adding(seconds: contactSeconds(at: now))
        return actions
    }

    private mutating func confirmPending() {
        memory.pending = nil
        memory.spool.confirmOut()
        memory.commands.confirmOut()
        failures = 0
        nextTryAt = nil
        batchLimit = Limits.fixesPerMessage
    }

    /// Handles a message that a cloud service accepted: its content counts as delivered; there will be no response.
    mutating func forwarded(at now: Instant) -> [TrackerAction] {
        guard memory.pending != nil else { return [] }
        confirmPending()
        if memory.phase == .releasing { return resetToNewTracker() }
        nextContactAt = now.adding(seconds: plan.contactSeconds)
        return []
    }

    // MARK: Owners

    mutating func bind(to binding: TrackerBindingID?, at now: Instant) -> [TrackerAction] {
        guard binding != memory.binding else { return [] }
        // A new owner must not receive data of the previous one.
        memory.spool.wipe()
        memory.commands.wipe()
        memory.nextFixAt = nil
        memory.recordSeparation(isLost: false, distanceMetres: 0, at: now)
        fixDeadline = nil
        memory.binding = binding
        memory.phase = binding == nil ? .registering : .bound
        return [binding == nil ? .showCode : .hideCode]
    }

    /// Resets binding, server and keys to those of a new tracker.
    mutating func resetToNewTracker() -> [TrackerAction] {
        // These belong to the device, not to its owner.
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
            // The server received the confirmation and deleted the tracker; its response was lost.
            return resetToNewTracker()
        case .registering:
            // No owner claimed the tracker, so the server deleted it. The claim code stays valid.
            takeBack()
            memory.phase = .unbound
            retryLater(at: now)
            return [.hideCode]
        case .bound, .active, .off:
            let since = min(memory.unknownSince ?? now, now)
            memory.unknownSince = since
            if now >= since.adding(seconds: Limits.trackerUnknownSeconds) { return resetToNewTracker() }
            retryLater(at: now)
            return []
        }
    }

    // MARK: Commands

    mutating func execute(_ command: TrackerCommand) -> [TrackerAction] {
        guard let kind = command.kind else { return [] }
        guard memory.binding != nil || kind == .releaseOff else {
            memory.commands.finish(command, .failed, reason: "not bound")
            return []
        }
        // The release overrides all other commands of its batch.
        guard memory.phase != .releasing else { return [] }
        switch kind {
        case .activate, .on:
            memory.phase = .active
            memory.commands.finish(command, .applied)
        case .off:
            stopLocating(reason: "off")
            memory.phase = .off
            memory.commands.finish(command, .applied)
        case .locate:
            locate(command)
        case .ring:
            memory.commands.finish(command, .applied)
            return [.ring]
        case .releaseOff:
            // It may arrive outside a response while a message is under way; that message then confirms nothing.
            if memory.pending != nil { takeBack() }
            stopLocating(reason: "off")
            memory.spool.wipe()
            memory.commands.wipe()
            memory.phase = .releasing
            memory.commands.finish(command, .applied)
        }
        return []
    }

    private mutating func locate(_ command: TrackerCommand) {
        if memory.phase != .active {
            memory.commands.finish(command, .failed, reason: memory.phase == .off ? "off" : "not active")
        } else if memory.commands.locating.count >= Limits.commandsPerMessage {
            memory.commands.finish(command, .failed, reason: "too many requests")
        } else {
            memory.commands.wait(command)
        }
    }

    private mutating func stopLocating(reason: String) {
        fixDeadline = nil
        memory.nextFixAt = nil
        memory.commands.finishLocateCommands(.failed, reason: reason)
    }

    // MARK: Undelivered messages

    mutating func takeBack() {
        memory.pending = nil
        memory.spool.returnOut()
        memory.commands.returnOut()
    }

    /// Shrinks a message that the server can't read step by step, so that one invalid entry doesn't block the others
    /// for ever.
    private mutating func shrink() {
        let fixCount = memory.spool.outCount
        memory.pending = nil
        if memory.commands.outCount > 0 {
            // Acknowledgements are dropped first: the server repeats commands that it has no acknowledgement for.
            memory.commands.confirmOut()
            memory.spool.returnOut()
        } else if fixCount > 1 {
            batchLimit = fixCount / 2
            memory.spool.returnOut()
        } else {
            memory.spool.dropOut()
        }
    }

    // The first retry is immediate because the cause has been corrected; further ones wait increasingly long.
    private mutating func retrySoon(at now: Instant) {
        if failures == 0 {
            failures = 1
            nextTryAt = nil
        } else {
            retryLater(at: now)
        }
    }
}
