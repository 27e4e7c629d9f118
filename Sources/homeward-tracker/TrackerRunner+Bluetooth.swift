import BlueZ
import Kernel
import Logging
import TrackerCore
import TrackerProtocol

extension TrackerRunner {
    mutating func bluetooth(_ signal: BluetoothDesk.Signal, _ tasks: RunnerTasks) throws {
        switch signal {
        case .radio(let state):
            logger.notice("bluetooth", metadata: ["state": "\(state)"])
        case .link(let isUp):
            logger.notice("bluetooth link", metadata: ["isUp": "\(isUp)"])
            safety.noteOwnerNear(at: parts.clock.now)
            try handle(.bluetoothLink(isUp), tasks)
        case .firstContact(let answer):
            guard machine.memory.phase == .unbound else { return }
            try registered(.answered(answer), tasks)
        case .registerRequest(let content, let challenge, let central):
            try registerRequest(content, challenge: challenge, central: central, tasks)
        case .nudge:
            try handle(.nudged, tasks)
        case .nonOwner(let request):
            answer(request, tasks)
        }
    }

    private mutating func registerRequest(
        _ content: [UInt8], challenge: [UInt8]?, central: String, _ tasks: RunnerTasks
    ) throws {
        let believed: BelievedRequest
        do throws(RegisterRefusal) {
            believed = try RegisterRequest.open(
                content, keyPair: record.identity.keyPair, server: record.server, challenge: challenge,
                now: parts.clock.now
            )
        } catch {
            return refuse(error)
        }
        let binding = believed.request.binding
        try handle(.registerRequest(binding), tasks, believed: Believed(request: believed, central: central))
    }

    func refuse(_ reason: RegisterRefusal) {
        logger.notice("register request refused", metadata: ["reason": "\(reason)"])
        parts.roads.bluetooth?.send(.refusal, Array(reason.rawValue.utf8))
    }
}

// MARK: - For the sake of others

extension TrackerRunner {
    /// Keeps the safety rule up to date with what the machine was told.
    mutating func note(_ event: TrackerEvent, _ tasks: RunnerTasks) {
        let now = parts.clock.now
        safety.note(hasOwner: machine.memory.binding != nil, at: now)
        if parts.roads.bluetooth?.desk.isLinked == true { safety.noteOwnerNear(at: now) }
        safety.note(at: now, random: parts.random)
        if case .fix(let fix) = event, safety.noteFix(fix, at: now) {
            logger.notice("moved away from its owner: it sounds")
            sound(tasks, isAsked: false)
        }
    }

    mutating func answer(_ request: NonOwnerRequest, _ tasks: RunnerTasks) {
        let (answer, effect) = safety.answer(
            request, isSounding: isSounding, batteryPercent: machine.memory.batteryPercent, at: parts.clock.now
        )
        logger.notice("non-owner", metadata: ["request": "\(request)", "answer": "\(answer)"])
        parts.roads.bluetooth?.answerNonOwner(answer.bytes)
        switch effect {
        case .start: sound(tasks, isAsked: true)
        case .stop: tasks.silence()
        case nil: break
        }
    }

    mutating func sound(_ tasks: RunnerTasks, isAsked: Bool) {
        isSounding = true
        soundNumber += 1
        let (hardware, number) = (parts.hardware, soundNumber)
        tasks.sound {
            await hardware.sound(seconds: SafetyRule.soundSeconds)
            return .soundEnded(number: number, isAsked: isAsked)
        }
    }

    mutating func soundEnded(number: Int, isAsked: Bool) {
        guard number == soundNumber else { return }
        isSounding = false
        if isAsked { parts.roads.bluetooth?.answerNonOwner(NonOwnerAnswer.soundCompleted.bytes) }
    }
}
