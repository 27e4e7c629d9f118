import Foundation
import Kernel
import Logging
import TrackerCore
import TrackerProtocol

/// Runs the machine: waits for events, stores the memory, performs the actions.
struct TrackerRunner {
    /// An input of the runner.
    enum Signal: Sendable {
        case event(TrackerEvent)
        case registration(ServerClient.Registration)
        case sent(UplinkRouter.Outcome)
        case bluetooth(BluetoothSession.Signal)
        /// Compact frames delivered by a cloud service.
        case cloud([UInt8])
        case soundEnded(number: Int)
        case buttonHeld
        case finderKey(ServerClient.Registration)
        case stop
    }

    typealias Sender = AsyncStream<Signal>.Continuation

    /// The runner's dependencies.
    struct Parts {
        let folder: StateFolder
        let uplinks: UplinkRouter
        let hardware: any TrackerHardware
        let clock: any WallClock
        let random: any RandomSource
        let logger: Logger
    }

    let parts: Parts
    var machine: TrackerMachine
    var record: TrackerRecord
    var safety: SafetyRule
    var sounding: SafetyRule.Sound?
    var soundNumber = 0
    private var saved: TrackerMemory?
    private var shown: Shown?

    /// A verified register request and the central that delivered it.
    struct VerifiedRegistration {
        let request: VerifiedRegisterRequest
        let central: String
    }

    /// The tracker's public data over Bluetooth.
    private struct Shown: Equatable {
        let identity: BluetoothSession.Identity
        let serviceData: [String: [UInt8]]
    }

    var logger: Logger { parts.logger }

    init(parts: Parts, record: TrackerRecord, plan: TrackerPlan) {
        self.parts = parts
        self.record = record
        machine = TrackerMachine(plan: plan, memory: record.memory)
        safety = SafetyRule(memory: record.safety)
    }

    /// Runs until ``Signal/stop``. By then the effects of all earlier signals are stored.
    mutating func run(
        _ signals: AsyncStream<Signal>, _ sender: Sender, hologramDevice: Int64? = nil
    ) async throws {
        let tasks = RunnerTasks(sender: sender)
        defer { tasks.cancelAll() }
        try handle(.started, tasks)
        if machine.memory.hologramDevice != hologramDevice { try handle(.hologramDevice(hologramDevice), tasks) }
        parts.uplinks.bluetooth?.start()
        watchButton(tasks)
        for await signal in signals {
            switch signal {
            case .stop: return
            case .event(let event): try handle(event, tasks)
            case .registration(let registration): try registered(registration, tasks)
            case .sent(let outcome): try sent(outcome, tasks)
            case .bluetooth(let signal): try bluetooth(signal, tasks)
            case .cloud(let bytes): try cloud(bytes, tasks)
            case .soundEnded(let number): soundEnded(number: number)
            case .buttonHeld: buttonHeld(tasks)
            case .finderKey(let registration): try finderKey(registration)
            }
        }
    }

    private mutating func sent(_ outcome: UplinkRouter.Outcome, _ tasks: RunnerTasks) throws {
        if case .answered(.accepted(let downlink)) = outcome.event,
            let distance = downlink.settings.distanceMetres, distance < SafetyRule.nearMetres
        {
            safety.recordOwnerNear(at: parts.clock.now)
        }
        if outcome.bytes > 0, machine.plan.monthlyBytes != nil { try handle(.used(bytes: Int64(outcome.bytes)), tasks) }
        try handle(outcome.event, tasks)
    }

    mutating func registered(_ registration: ServerClient.Registration, _ tasks: RunnerTasks) throws {
        switch registration {
        case .failed: try handle(.registrationFailed, tasks)
        case .refused: try handle(.registrationRefused, tasks)
        case .answered(let answer):
            // A phone may have registered the tracker first.
            guard machine.memory.phase == .unbound else { return try handle(.registered, tasks) }
            record.server = answer
            guard record.conversation != nil else {
                logger.warning("first contact: unusable key")
                record.server = nil
                return try handle(.registrationFailed, tasks)
            }
            try handle(.registered, tasks)
        }
    }

    private mutating func cloud(_ bytes: [UInt8], _ tasks: RunnerTasks) throws {
        guard let conversation = record.conversation, let frames = CompactFrames.split(bytes) else {
            logger.warning("a cloud's message is unreadable", metadata: ["bytes": "\(bytes.count)"])
            return
        }
        for frame in frames {
            do throws(CompactCommand.Failure) {
                let command = try CompactCommand(frame, keys: conversation.keys)
                try? handle(.command(command.command), tasks)
            } catch {
                logger.warning("a cloud's command is not ours", metadata: ["failure": "\(error)"])
            }
        }
    }

    /// Passes an event to the machine and performs everything that follows.
    /// - Parameter believed: the register request of the event.
    mutating func handle(_ event: TrackerEvent, _ tasks: RunnerTasks, believed: VerifiedRegistration? = nil) throws {
        let now = parts.clock.now
        var waiting: [TrackerEvent] = [event]
        let battery = parts.hardware.batteryPercent(at: now)
        if machine.memory.batteryPercent != battery { waiting.insert(.battery(battery), at: 0) }
        while !waiting.isEmpty {
            let before = machine.memory
            let next = waiting.removeFirst()
            let actions = machine.handle(next, at: parts.clock.now)
            log(before, machine.memory)
            if let believed, actions.contains(.respondToRegistration) { record.server = believed.request.server }
            record(next, tasks)
            try save()
            if before.spool.lastAt != machine.memory.spool.lastAt, let at = machine.memory.spool.lastAt {
                logger.debug("a position is kept", metadata: ["at": "\(at.rfc3339)"])
            }
            show()
            for action in actions { waiting += try execute(action, tasks, believed: believed) }
        }
        show()
        let wakes = [machine.nextWake, safety.separation(after: now)].compactMap { $0 }
        tasks.wake(at: wakes.min(), now: parts.clock.now)
    }

    private mutating func save() throws {
        record.memory = machine.memory
        guard saved != machine.memory || record.safety != safety.memory else { return }
        record.safety = safety.memory
        try parts.folder.save(record)
        saved = machine.memory
    }

    private mutating func show() {
        guard let bluetooth = parts.uplinks.bluetooth else { return }
        let identity = BluetoothSession.Identity(
            id: record.server?.id, publicKey: record.identity.keyPair.publicKey,
            codeHash: record.identity.claimCode.hash, phase: machine.memory.phase
        )
        let isNear = !safety.isSeparated(at: parts.clock.now)
        let data = [NonOwnerService.advertisedUUID: NonOwnerService.advertisedData(isNearOwner: isNear)]
        let new = Shown(identity: identity, serviceData: safety.hasOwner ? data : [:])
        guard new != shown else { return }
        let isAnother = shown.map { $0.identity.publicKey != new.identity.publicKey } ?? false
        shown = new
        bluetooth.become(new.identity, serviceData: new.serviceData)
        if isAnother { bluetooth.send(.freed, []) }
    }

    /// Performs an action. Immediate results are returned as events; later ones arrive as signals.
    private mutating func execute(
        _ action: TrackerAction, _ tasks: RunnerTasks, believed: VerifiedRegistration?
    ) throws -> [TrackerEvent] {
        switch action {
        case .makeIdentity:
            record.identity = try TrackerIdentity(random: parts.random)
            record.server = nil
            try parts.folder.save(record)
            return [.identityMade]
        case .register:
            let (internet, identity) = (parts.uplinks.internet, record.identity)
            tasks.converse { .registration(await internet.register(identity)) }
        case .send(let uplink):
            guard let conversation = record.conversation else { return [.disowned] }
            let uplinks = parts.uplinks
            tasks.converse { .sent(await uplinks.send(uplink, over: conversation)) }
        case .measureFix:
            let hardware = parts.hardware
            tasks.locate {
                guard let fix = await hardware.locate() else { return .event(.fixFailed) }
                return .event(.fix(fix))
            }
        case .ring:
            logger.notice("ring")
            makeSound(.own, tasks)
        case .showCode:
            StandardOutput.writeLine("claim-code \(record.identity.claimCode)")
        case .hideCode:
            break
        case .respondToRegistration:
            guard let believed, let bluetooth = parts.uplinks.bluetooth else { break }
            // Before the next message: the server must receive the pairing first, and the phone ensures this order.
            bluetooth.session.believe(believed.central)
            let answer = RegisterResponse(to: believed.request.request, at: parts.clock.now)
            bluetooth.send(.registerResponse, believed.request.channel.seal(answer))
        case .refuseRegistration(let reason):
            refuse(reason)
        }
        return []
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
