import Kernel
import TrackerCore
import TrackerProtocol

struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}

/// A server that implements the documented protocol, with real sealing between it and the tracker.
struct ModelServer {
    let channel: ServerChannel
    let keys: TrackerKeys
    var mark: UplinkMark?
    var binding: TrackerBindingID?
    var waiting: [TrackerCommand] = []
    var results: [TrackerCommandID: TrackerCommandResult] = [:]
    var fixes: [TrackerFix] = []
    var reportedPhase: TrackerPhase?
    var freshCounters: [Int64] = []

    mutating func receive(_ message: SealedMessage, at now: Instant) -> SealedMessage? {
        do throws(UplinkRefusal) {
            let receipt = try channel.receive(message.body, signature: message.signature, last: mark)
            let uplink: Uplink
            switch receipt {
            case .fresh(let fresh, let newMark):
                uplink = fresh
                mark = newMark
                freshCounters.append(fresh.counter)
                fresh.fixes.forEach { store($0) }
                reportedPhase = fresh.phase
                fresh.acknowledgements.forEach { finish($0) }
            case .repeated(let again):
                uplink = again
            }
            return channel.seal(
                Downlink(
                    counter: uplink.counter, at: now, binding: binding,
                    settings: TrackerSettings(locateMinutes: 1, distanceMetres: nil),
                    commands: Array(waiting.prefix(Limits.commandsPerMessage))
                )
            )
        } catch {
            return channel.seal(refusing: error, at: now)
        }
    }

    /// Accepts the frames that a cloud service delivers.
    mutating func receive(frames bytes: [UInt8]) throws {
        for frame in try unwrap(CompactFrames.split(bytes)) {
            if let fix = try? CompactFix(frame, keys: keys, lastCounter: (mark?.counter ?? 0) << 8) {
                store(fix.fix)
            } else {
                finish(try CompactAcknowledgement(frame, keys: keys).acknowledgement)
            }
        }
    }

    // The same fix may arrive twice over different transports; its time identifies it.
    private mutating func store(_ fix: TrackerFix) {
        if !fixes.contains(where: { $0.at == fix.at }) { fixes.append(fix) }
    }

    private mutating func finish(_ acknowledgement: Acknowledgement) {
        if results[acknowledgement.id] == nil { results[acknowledgement.id] = acknowledgement.result }
        waiting.removeAll { $0.id == acknowledgement.id }
    }
}

/// A tracker, its server and every possible failure between them; the seed determines every choice.
struct World {
    var generator: SeededGenerator
    var machine: TrackerMachine
    var written: [UInt8]
    var server: ModelServer
    let channel: TrackerChannel
    var now = noon
    var inFlight: Uplink?
    var isReceiverBusy = false
    var recorded: [TrackerFix] = []
    var rings: [Instant] = []
    var commandCount: Int64 = 0
    var issued: [TrackerCommandID: TrackerCommand] = [:]
    var isCalm = false

    init(seed: UInt64) throws {
        generator = SeededGenerator(state: seed)
        let own = try KeyPair(privateKey: [UInt8](repeating: 7, count: 32))
        let other = try KeyPair(privateKey: [UInt8](repeating: 9, count: 32))
        let id = TrackerID(at: noon, series: 1)
        let keys = try TrackerKeys(server: other, trackerPublicKey: own.publicKey)
        server = ModelServer(channel: ServerChannel(tracker: id, keys: keys), keys: keys)
        channel = TrackerChannel(tracker: id, keys: try TrackerKeys(tracker: own, serverPublicKey: other.publicKey))
        let monthlyBytes: Int64? = seed.isMultiple(of: 3) ? 20_000_000 : nil
        let plan = TrackerPlan(contactSeconds: 30, monthlyBytes: monthlyBytes, jitterSeed: seed)
        machine = TrackerMachine(plan: plan)
        written = machine.memory.bytes
    }

    mutating func chance(_ percent: Int) -> Bool {
        !isCalm && Int.random(in: 0..<100, using: &generator) < percent
    }

    /// Processes an event as the runner does: compute, store, act. The power may fail in between.
    mutating func handle(_ event: TrackerEvent) throws {
        let before = machine.memory
        let actions = machine.handle(event, at: now)
        if chance(4) { return try restart() }
        written = machine.memory.bytes
        if case .fix(let fix) = event, machine.memory.spool.fixes.count > before.spool.fixes.count {
            recorded.append(fix)
        }
        if chance(4) { return try restart() }
        for action in actions {
            switch action {
            case .register: try handle(chance(30) ? .registrationFailed : .registered)
            case .send(let uplink): inFlight = uplink
            case .measureFix: isReceiverBusy = true
            case .ring: rings.append(now)
            case .makeIdentity, .showCode, .hideCode, .respondToRegistration, .refuseRegistration: break
            }
        }
    }

    mutating func restart() throws {
        machine = TrackerMachine(plan: machine.plan, memory: try unwrap(TrackerMemory(bytes: written)))
        inFlight = nil
        isReceiverBusy = false
        try handle(.started)
    }

    mutating func deliver() throws {
        guard let uplink = inFlight else { return }
        inFlight = nil
        if chance(25) { return try handle(.unanswered) }
        if chance(20) {
            // A cloud service accepts the message and delivers it once or twice.
            let frames = CompactFrames.frames(of: uplink, keys: server.keys).flatMap { $0 }
            try server.receive(frames: frames)
            if chance(20) { try server.receive(frames: frames) }
            return try handle(chance(20) ? .unanswered : .forwarded)
        }
        let message = channel.seal(uplink)
        try handle(.used(bytes: Int64(message.body.count)))
        let reply = server.receive(message, at: now)
        if chance(10) { _ = server.receive(message, at: now) }
        guard let reply, !chance(25) else { return try handle(.unanswered) }
        let answer = try channel.open(reply.body, signature: reply.signature, counter: uplink.counter)
        try handle(.answered(answer))
    }

    mutating func issueCommand() {
        commandCount += 1
        let kinds: [TrackerCommandKind] = [.on, .off, .locate, .ring, .activate]
        let command = TrackerCommand(
            id: commandID(commandCount), kind: kinds.randomElement(using: &generator), issuedAt: now,
            expiresAt: chance(50) ? now.adding(seconds: Int64.random(in: 0...90, using: &generator)) : nil
        )
        issued[command.id] = command
        server.waiting.append(command)
    }

    mutating func step() throws {
        if chance(3) { issueCommand() }
        if chance(2) { return try restart() }
        if chance(3) { try handle(.bluetoothLink(Bool.random(using: &generator))) }
        if chance(3), let command = server.waiting.first, let sealed = CompactCommand(command) {
            let frame = sealed.sealed(with: server.keys)
            try handle(.command(CompactCommand(frame, keys: server.keys).command))
        }
        if isReceiverBusy, chance(60) || isCalm {
            isReceiverBusy = false
            try handle(chance(20) ? .fixFailed : .fix(try fix(at: now)))
        } else if inFlight != nil {
            try deliver()
        } else {
            now = now.adding(seconds: isCalm ? 15 : Int64.random(in: 0...40, using: &generator))
            try handle(.woke)
        }
    }
}
