import Foundation
import Kernel
import Logging
import TrackerCore
import TrackerProtocol

/// Runs the machine: waits for what happens, writes the memory down, carries out the actions.
struct TrackerRunner {
    /// What can wake the runner.
    enum Signal: Sendable {
        case event(TrackerEvent)
        case registration(ServerLink.Registration)
        case stop
    }

    private let folder: StateFolder
    private let link: ServerLink
    private let hardware: SimulatedHardware
    private let clock: any WallClock
    private let random: any RandomSource
    private let logger: Logger
    private var machine: TrackerMachine
    private var record: TrackerRecord

    init(
        folder: StateFolder, record: TrackerRecord, plan: TrackerPlan, link: ServerLink, hardware: SimulatedHardware,
        clock: any WallClock, random: any RandomSource, logger: Logger
    ) {
        self.folder = folder
        self.record = record
        self.link = link
        self.hardware = hardware
        self.clock = clock
        self.random = random
        self.logger = logger
        machine = TrackerMachine(plan: plan, memory: record.memory)
    }

    /// Runs until ``Signal/stop``. All that happened before is on disk by then.
    mutating func run(
        _ signals: AsyncStream<Signal>, _ sender: AsyncStream<Signal>.Continuation
    ) async throws {
        let tasks = RunnerTasks(sender: sender)
        defer { tasks.cancelAll() }
        try handle(.started, tasks)
        for await signal in signals {
            switch signal {
            case .stop:
                return
            case .event(let event):
                try handle(event, tasks)
            case .registration(.answered(let answer)):
                try registered(answer, tasks)
            case .registration(.refused):
                try handle(.registrationRefused, tasks)
            case .registration(.failed):
                try handle(.registrationFailed, tasks)
            }
        }
    }

    private mutating func registered(_ answer: FirstContactAnswer, _ tasks: RunnerTasks) throws {
        record.server = answer
        guard record.channel != nil else {
            logger.warning("first contact: unusable key")
            record.server = nil
            return try handle(.registrationFailed, tasks)
        }
        try handle(.registered, tasks)
    }

    private mutating func handle(_ event: TrackerEvent, _ tasks: RunnerTasks) throws {
        var waiting: [TrackerEvent] = [event]
        let battery = hardware.batteryPercent(at: clock.now)
        if machine.memory.batteryPercent != battery { waiting.insert(.battery(battery), at: 0) }
        while !waiting.isEmpty {
            let before = machine.memory
            let actions = machine.handle(waiting.removeFirst(), at: clock.now)
            log(before, machine.memory)
            record.memory = machine.memory
            try folder.save(record)
            for action in actions { waiting += try carryOut(action, tasks) }
        }
        tasks.wake(at: machine.nextWake, now: clock.now)
    }

    /// Carries out an action; what is done at once gives its events, the rest signals later.
    private mutating func carryOut(_ action: TrackerAction, _ tasks: RunnerTasks) throws -> [TrackerEvent] {
        switch action {
        case .makeIdentity:
            record.identity = try TrackerIdentity(random: random)
            record.server = nil
            try folder.save(record)
            return [.identityMade]
        case .register:
            let (link, identity) = (link, record.identity)
            tasks.start { .registration(await link.register(identity)) }
            return []
        case .send(let uplink):
            guard let (id, channel) = record.channel else { return [.disowned] }
            let link = link
            tasks.start { .event(await link.send(uplink, over: channel, of: id)) }
            return []
        case .takeFix:
            guard let fix = try? hardware.fix(at: clock.now) else { return [.fixFailed] }
            return [.fix(fix)]
        case .ring:
            logger.notice("ring")
            return []
        case .showCode:
            StandardOutput.writeLine("claim-code \(record.identity.claimCode)")
            return []
        case .hideCode:
            return []
        }
    }

    private func log(_ before: TrackerMemory, _ after: TrackerMemory) {
        if before.phase != after.phase {
            logger.notice("state", metadata: ["from": "\(before.phase)", "to": "\(after.phase)"])
        }
        if before.nearness.mode != after.nearness.mode {
            logger.notice("mode", metadata: ["mode": "\(after.nearness.mode)"])
        }
    }
}

/// The work that goes on beside the runner; all of it ends in a signal.
final class RunnerTasks {
    private let sender: AsyncStream<TrackerRunner.Signal>.Continuation
    private var alarm: Task<Void, Never>?
    // The machine has one conversation at a time, so one place is enough.
    private var conversation: Task<Void, Never>?

    init(sender: AsyncStream<TrackerRunner.Signal>.Continuation) { self.sender = sender }

    func start(_ work: @escaping @Sendable () async -> TrackerRunner.Signal) {
        let sender = sender
        conversation = Task { _ = sender.yield(await work()) }
    }

    func wake(at instant: Instant?, now: Instant) {
        alarm?.cancel()
        guard let instant else { return }
        let milliseconds = max(1, instant.millisecondsSince1970 - now.millisecondsSince1970)
        let sender = sender
        alarm = Task {
            guard (try? await Task.sleep(for: .milliseconds(milliseconds))) != nil else { return }
            sender.yield(.event(.woke))
        }
    }

    func cancelAll() {
        alarm?.cancel()
        conversation?.cancel()
    }
}
