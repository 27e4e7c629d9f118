import BlueZ
import Kernel
import Logging
import TrackerCore
import TrackerProtocol

extension TrackerRunner {
    mutating func bluetooth(_ signal: BluetoothSession.Signal, _ tasks: RunnerTasks) throws {
        switch signal {
        case .radio(let state):
            // The name that a phone's list of devices shows.
            let name = TrackerBluetooth.localName(publicKey: record.identity.keyPair.publicKey)
            logger.notice("bluetooth", metadata: ["state": "\(state)", "name": "\(name)"])
        case .link(let isUp):
            logger.notice("bluetooth link", metadata: ["isUp": "\(isUp)"])
            safety.recordOwnerNear(at: parts.clock.now)
            try handle(.bluetoothLink(isUp), tasks)
        case .firstContact(let answer):
            guard machine.memory.phase == .unbound else { return }
            try registered(.answered(answer), tasks)
        case .registerRequest(let content, let challenge, let central):
            try registerRequest(content, challenge: challenge, central: central, tasks)
        case .nudge:
            guard hasPhoneTransport else { return }
            try handle(.nudged, tasks)
        case .command(let frame):
            try command(frame, tasks)
        case .forgotten:
            // The tracker already holds a verified release, so an unsigned report that the server has deleted it can be
            // trusted.
            guard machine.memory.phase == .releasing, hasPhoneTransport else { return }
            try handle(.disowned, tasks)
        case .nonOwner(let request):
            respond(to: request, tasks)
        }
    }

    private mutating func registerRequest(
        _ content: [UInt8], challenge: [UInt8]?, central: String, _ tasks: RunnerTasks
    ) throws {
        let believed: VerifiedRegisterRequest
        do throws(RegisterRefusal) {
            believed = try RegisterRequest.open(
                content, keyPair: record.identity.keyPair, server: record.server, challenge: challenge,
                now: parts.clock.now
            )
        } catch {
            return refuse(error)
        }
        let binding = believed.request.binding
        try handle(
            .registerRequest(binding), tasks, believed: VerifiedRegistration(request: believed, central: central))
    }

    /// Whether the tracker's next message would be sent over a phone.
    private var hasPhoneTransport: Bool { parts.uplinks.bluetooth?.session.canSend(in: machine.memory.phase) ?? false }

    private mutating func command(_ frame: [UInt8], _ tasks: RunnerTasks) throws {
        guard let conversation = record.conversation,
            let command = try? CompactCommand(frame, keys: conversation.keys).command
        else {
            logger.notice("bluetooth: a command is not ours")
            return
        }
        try handle(.command(command), tasks)
    }

    func refuse(_ reason: RegisterRefusal) {
        logger.notice("register request refused", metadata: ["reason": "\(reason)"])
        parts.uplinks.bluetooth?.send(.refusal, Array(reason.rawValue.utf8))
    }
}

// MARK: - Protection of non-owners

extension TrackerRunner {
    /// Updates the safety rule after an event of the machine.
    mutating func record(_ event: TrackerEvent, _ tasks: RunnerTasks) {
        let now = parts.clock.now
        safety.update(hasOwner: machine.memory.binding != nil, at: now)
        if parts.uplinks.bluetooth?.session.isLinked == true { safety.recordOwnerNear(at: now) }
        safety.advance(to: now, random: parts.random)
        if case .fix(let fix) = event, safety.recordFix(fix, at: now) {
            logger.notice("moved away from its owner: it sounds")
            makeSound(.own, tasks)
        }
    }

    mutating func respond(to request: NonOwnerRequest, _ tasks: RunnerTasks) {
        let now = parts.clock.now
        let (hardware, uplinks, record) = (parts.hardware, parts.uplinks, record)
        let facts = NonOwnerFacts(
            hasSounder: hardware.hasSounder, hasButton: hardware.hasButton,
            batteryPercent: machine.memory.batteryPercent, firmware: HomewardTracker.version
        )
        let (answer, effect) = safety.respond(to: request, sound: sounding, facts: facts, at: now) {
            guard let finderKey = record.server?.finderKey else { return nil }
            let address = record.conversation?.channel.finderAddress(
                at: now, server: uplinks.internet.baseURL, finderKey: finderKey
            )
            return address.map { Array($0.utf8) }
        }
        // The log must not contain the response: only the person who holds the tracker may learn the identifier.
        logger.notice("non-owner", metadata: ["opcode": "\(String(request.opcode, radix: 16))"])
        uplinks.bluetooth?.respondToNonOwner(answer.bytes)
        switch effect {
        case .start: makeSound(.asked, tasks)
        case .stop: tasks.silence()
        case nil: break
        }
    }

    /// Handles a held button: a finder has pressed it if the owner is away.
    mutating func buttonHeld(_ tasks: RunnerTasks) {
        watchButton(tasks)
        guard safety.noteButton(at: parts.clock.now) else { return }
        logger.notice("its button was held: its identifier can be read")
        makeSound(.own, seconds: SafetyRule.buttonSoundSeconds, tasks)
        let (internet, identity) = (parts.uplinks.internet, record.identity)
        tasks.inquire { .finderKey(await internet.register(identity)) }
    }

    func watchButton(_ tasks: RunnerTasks) {
        guard parts.hardware.hasButton else { return }
        let hardware = parts.hardware
        tasks.watch {
            await hardware.buttonHeld()
            return .buttonHeld
        }
    }

    /// Handles a repeated response to the first contact. A tracker that was paired by a phone or by an older server
    /// learns the server's finder key only in this way.
    mutating func finderKey(_ registration: ServerClient.Registration) throws {
        guard case .answered(let answer) = registration, let server = record.server,
            answer.id == server.id, answer.publicKey == server.publicKey, answer != server
        else { return }
        record.server = answer
        try parts.folder.save(record)
    }

    mutating func makeSound(_ sound: SafetyRule.Sound, seconds: Int64 = SafetyRule.soundSeconds, _ tasks: RunnerTasks) {
        sounding = sound
        soundNumber += 1
        let (hardware, number) = (parts.hardware, soundNumber)
        tasks.sound {
            await hardware.sound(seconds: seconds)
            return .soundEnded(number: number)
        }
    }

    mutating func soundEnded(number: Int) {
        guard number == soundNumber, let sound = sounding else { return }
        sounding = nil
        if sound == .asked { parts.uplinks.bluetooth?.respondToNonOwner(NonOwnerResponse.soundCompleted.bytes) }
    }
}
