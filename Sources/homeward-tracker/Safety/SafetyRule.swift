import Kernel
import TrackerProtocol

/// The state that must survive a restart, so that switching the tracker off and on doesn't conceal it.
struct SafetyMemory: Codable, Equatable, Sendable {
    /// The time at which the owner was last known to be near; `nil` without an owner.
    var ownerNearAt: Instant?
    /// The earliest time of an alarm on movement; drawn at random for each separation.
    var alarmFrom: Instant?
    /// Sounds since the last pause.
    var alarmCount = 0
}

/// The rule that makes a tracker detectable by non-owners (draft-ietf-dult-accessory-protocol-00). Pure: it receives
/// events and returns decisions.
///
/// After more than half an hour away from its owner the tracker is *separated* (3.4.4): its advertisement says so, and
/// any person nearby can make it sound and identify it. After a further random 8 to 24 hours it sounds on movement: up
/// to ten times, followed by a pause of six hours (3.13.2.1). A person who holds its button can request how to reach
/// its owner (3.13.4.1). No setting turns this off.
struct SafetyRule: Equatable, Sendable {
    private(set) var memory: SafetyMemory
    private var anchor: TrackerFix?
    /// The time until which the identifier can be read. Not stored: after a restart the button must be held again.
    private var readableUntil: Instant?

    /// Section 3.4.4.
    static let separationSeconds: Int64 = 30 * 60
    /// T_SEPARATED_UT_TIMEOUT, ten sounds, and T_SEPARATED_UT_BACKOFF of 3.13.2.1.
    static let alarmHours: ClosedRange<Int64> = 8...24
    static let alarmSounds = 10
    static let pauseSeconds: Int64 = 6 * 60 * 60
    /// The duration of a requested sound; 3.13.4 allows 5 to 30 seconds.
    static let soundSeconds: Int64 = 12
    /// The identifier read state of 3.13.4.1.
    static let readableSeconds: Int64 = 5 * 60
    /// The duration of the sound that confirms that the button was held long enough.
    static let buttonSoundSeconds: Int64 = 1
    /// A distance greater than any receiver's error.
    static let movedMetres = 50.0
    /// The distance reported by the server that counts as near, as in the choice of radio.
    static let nearMetres = 30.0

    init(memory: SafetyMemory = SafetyMemory()) { self.memory = memory }

    var hasOwner: Bool { memory.ownerNearAt != nil }

    func isSeparated(at now: Instant) -> Bool {
        guard let nearAt = memory.ownerNearAt else { return false }
        return now > nearAt.adding(seconds: Self.separationSeconds)
    }

    /// Returns the time at which the tracker becomes separated if the owner stays away; `nil` when it already is, or
    /// has no owner.
    func separation(after now: Instant) -> Instant? {
        guard let nearAt = memory.ownerNearAt, !isSeparated(at: now) else { return nil }
        return Instant(millisecondsSince1970: nearAt.adding(seconds: Self.separationSeconds).millisecondsSince1970 + 1)
    }

    /// Records that the tracker has an owner or has none.
    mutating func update(hasOwner: Bool, at now: Instant) {
        guard hasOwner != self.hasOwner else { return }
        memory = SafetyMemory(ownerNearAt: hasOwner ? now : nil)
        anchor = nil
    }

    /// Records that the owner is near: a phone of theirs is linked, or the server reports it.
    mutating func recordOwnerNear(at now: Instant) {
        guard let nearAt = memory.ownerNearAt else { return }
        // A precision of one minute is enough, because each change is stored.
        guard isSeparated(at: now) || !(nearAt...nearAt.adding(seconds: 60)).contains(now) else { return }
        memory = SafetyMemory(ownerNearAt: now)
        anchor = nil
    }

    /// Records the passing of time.
    mutating func advance(to now: Instant, random: any RandomSource) {
        guard let nearAt = memory.ownerNearAt else { return }
        // A clock that is set back must not place the owner's presence in the future.
        if nearAt > now { memory.ownerNearAt = now }
        guard isSeparated(at: now), memory.alarmFrom == nil else { return }
        let hours = Self.alarmHours
        let span = UInt64(hours.upperBound - hours.lowerBound) * 3_600
        let seconds = hours.lowerBound * 3_600 + Int64(random.uint64() % (span + 1))
        memory.alarmFrom = now.adding(seconds: seconds)
    }

    /// Records a position. Returns `true` when the tracker was moved and has to sound.
    mutating func recordFix(_ fix: TrackerFix, at now: Instant) -> Bool {
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

    /// Records that the button was held.
    /// - Returns: whether the identifier can be read from now on.
    mutating func noteButton(at now: Instant) -> Bool {
        guard isSeparated(at: now) else { return false }
        readableUntil = now.adding(seconds: Self.readableSeconds)
        return true
    }

    private func isReadable(at now: Instant) -> Bool {
        guard let readableUntil else { return false }
        // A clock that is set back must not extend the time in which the identifier can be read.
        return (readableUntil.adding(seconds: -Self.readableSeconds)..<readableUntil).contains(now)
    }

    enum SoundEffect: Equatable, Sendable { case start, stop }

    /// The origin of the current sound.
    enum Sound: Equatable, Sendable {
        /// A non-owner's request.
        case asked
        /// The owner's request, or the tracker's own alarm.
        case own
    }

    /// Returns the response to a non-owner and its effect. While the owner is near, no other person needs a warning, so
    /// the tracker gives no information (3.12.1, 3.13.4).
    /// - Parameter identifier: creates the identifier, which leads to the finder page; each is used for one response.
    func respond(
        to request: NonOwnerRequest, sound: Sound?, facts: NonOwnerFacts, at now: Instant,
        identifier: () -> [UInt8]?
    ) -> (answer: NonOwnerResponse, effect: SoundEffect?) {
        let opcode = request.opcode
        let refusal = NonOwnerResponse.command(opcode, .invalidCommand)
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
