import Kernel
import TrackerProtocol

/// What a tracker must remember so that switching it off and on doesn't hide it.
struct SafetyMemory: Codable, Equatable, Sendable {
    /// When the owner was last known to be near; `nil` without an owner.
    var ownerNearAt: Instant?
    /// When it may begin to sound on being moved; drawn at each separation.
    var alarmFrom: Instant?
    /// Sounds since the last pause.
    var alarmCount = 0
}

/// When a tracker makes itself noticed (draft-ietf-dult-accessory-protocol-00): a pure rule, told of what happens and
/// asked what holds.
///
/// Away from its owner for more than half an hour it is *separated* (3.4.4): its advertisement says so, and whoever is near
/// may make it sound and ask what it is. From a random 8 to 24 hours later on it sounds by itself when it is moved: up to
/// ten times, then it pauses for six hours (3.13.2.1). Who holds its button can ask how to reach its owner (3.13.4.1).
/// There is no way to switch this off.
struct SafetyRule: Equatable, Sendable {
    private(set) var memory: SafetyMemory
    private var anchor: TrackerFix?
    /// Until when its identifier may be read. Not remembered: after a restart the button is asked for again.
    private var readableUntil: Instant?

    /// 3.4.4.
    static let separationSeconds: Int64 = 30 * 60
    /// T_SEPARATED_UT_TIMEOUT, ten sounds, and T_SEPARATED_UT_BACKOFF of 3.13.2.1.
    static let alarmHours: ClosedRange<Int64> = 8...24
    static let alarmSounds = 10
    static let pauseSeconds: Int64 = 6 * 60 * 60
    /// Sounds on request last this long, of the 5 to 30 seconds allowed (3.13.4).
    static let soundSeconds: Int64 = 12
    /// The identifier read state of 3.13.4.1.
    static let readableSeconds: Int64 = 5 * 60
    /// How long the button's sound is: somebody has to hear that it was long enough.
    static let buttonSoundSeconds: Int64 = 1
    /// A move that no receiver's error explains.
    static let movedMetres = 50.0
    /// Near by the server's word, as for the choice of radio.
    static let nearMetres = 30.0

    init(memory: SafetyMemory = SafetyMemory()) { self.memory = memory }

    var hasOwner: Bool { memory.ownerNearAt != nil }

    func isSeparated(at now: Instant) -> Bool {
        guard let nearAt = memory.ownerNearAt else { return false }
        return now > nearAt.adding(seconds: Self.separationSeconds)
    }

    /// When it will be separated if the owner doesn't come back; `nil` when it is, or has no owner.
    func separation(after now: Instant) -> Instant? {
        guard let nearAt = memory.ownerNearAt, !isSeparated(at: now) else { return nil }
        return Instant(millisecondsSince1970: nearAt.adding(seconds: Self.separationSeconds).millisecondsSince1970 + 1)
    }

    /// It got an owner, or lost one.
    mutating func note(hasOwner: Bool, at now: Instant) {
        guard hasOwner != self.hasOwner else { return }
        memory = SafetyMemory(ownerNearAt: hasOwner ? now : nil)
        anchor = nil
    }

    /// The owner is near: a phone of theirs is linked, or the server says so.
    mutating func noteOwnerNear(at now: Instant) {
        guard let nearAt = memory.ownerNearAt else { return }
        // To the minute is enough; each change is written down.
        guard isSeparated(at: now) || !(nearAt...nearAt.adding(seconds: 60)).contains(now) else { return }
        memory = SafetyMemory(ownerNearAt: now)
        anchor = nil
    }

    /// Time went by.
    mutating func note(at now: Instant, random: any RandomSource) {
        guard let nearAt = memory.ownerNearAt else { return }
        // A clock that was set back must not make the owner near in the future.
        if nearAt > now { memory.ownerNearAt = now }
        guard isSeparated(at: now), memory.alarmFrom == nil else { return }
        let hours = Self.alarmHours
        let span = UInt64(hours.upperBound - hours.lowerBound) * 3_600
        let seconds = hours.lowerBound * 3_600 + Int64(random.uint64() % (span + 1))
        memory.alarmFrom = now.adding(seconds: seconds)
    }

    /// A position was taken. True: it was moved, and has to sound.
    mutating func noteFix(_ fix: TrackerFix, at now: Instant) -> Bool {
        guard isSeparated(at: now), let alarmFrom = memory.alarmFrom, now >= alarmFrom else {
            anchor = nil
            return false
        }
        guard let before = anchor else {
            anchor = fix
            return false
        }
        let error = (before.accuracyMetres ?? 0) + (fix.accuracyMetres ?? 0)
        guard fix.coordinate.distanceMetres(to: before.coordinate) > max(Self.movedMetres, error) else { return false }
        anchor = fix
        memory.alarmCount += 1
        if memory.alarmCount >= Self.alarmSounds {
            memory.alarmCount = 0
            memory.alarmFrom = now.adding(seconds: Self.pauseSeconds)
            anchor = nil
        }
        return true
    }

    /// Its button was held.
    /// - Returns: whether its identifier can be read from now on.
    mutating func noteButton(at now: Instant) -> Bool {
        guard isSeparated(at: now) else { return false }
        readableUntil = now.adding(seconds: Self.readableSeconds)
        return true
    }

    private func isReadable(at now: Instant) -> Bool {
        guard let readableUntil else { return false }
        // A clock that was set back must not keep the door open.
        return (readableUntil.adding(seconds: -Self.readableSeconds)..<readableUntil).contains(now)
    }

    enum SoundEffect: Equatable, Sendable { case start, stop }

    /// Who wanted the noise that is being made.
    enum Sound: Equatable, Sendable {
        /// A non-owner.
        case asked
        /// The owner, or the tracker itself.
        case own
    }

    /// What a non-owner is answered, and what is done about it. With the owner beside it there is nobody to be warned, and
    /// nothing is told (3.12.1, 3.13.4).
    /// - Parameter identifier: makes what leads to the page for finders; each is good for one answer.
    func answer(
        _ request: NonOwnerRequest, sound: Sound?, facts: NonOwnerFacts, at now: Instant,
        identifier: () -> [UInt8]?
    ) -> (answer: NonOwnerAnswer, effect: SoundEffect?) {
        let opcode = request.opcode
        let refusal = NonOwnerAnswer.command(opcode, .invalidCommand)
        guard isSeparated(at: now), let command = NonOwnerCommand(rawValue: opcode) else { return (refusal, nil) }
        switch command {
        case .soundStart:
            guard facts.hasSounder else { return (refusal, nil) }
            return sound == nil ? (.command(opcode, .success), .start) : (.command(opcode, .invalidState), nil)
        case .soundStop:
            guard facts.hasSounder else { return (refusal, nil) }
            return sound == .asked ? (.command(opcode, .success), .stop) : (.command(opcode, .invalidState), nil)
        case .identifier:
            guard isReadable(at: now), let payload = identifier() else { return (refusal, nil) }
            return (.identifier(payload), nil)
        default:
            return (facts.operand(of: command).map { .information(command, $0) } ?? refusal, nil)
        }
    }
}
