import Kernel
import Testing
import TrackerCore
import TrackerProtocol

struct MissingValue: Error {}

func unwrap<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw MissingValue() }
    return value
}

let noon = Instant(millisecondsSince1970: 1_772_366_400_000)

func commandID(_ number: Int64) -> TrackerCommandID { TrackerCommandID(at: noon, series: number) }

func bindingID(_ number: Int64) -> TrackerBindingID { TrackerBindingID(at: noon, series: number) }

func fix(at instant: Instant) throws -> TrackerFix {
    try TrackerFix(
        at: instant, latitude: 48.1, longitude: 11.5, accuracyMetres: 4.5, altitudeMetres: -12.3,
        speedMetresPerSecond: 1.35, headingDegrees: 271.5, batteryPercent: 87
    )
}

extension [TrackerAction] {
    var uplinks: [Uplink] {
        compactMap { action in
            if case .send(let uplink) = action { uplink } else { nil }
        }
    }
}

/// A machine with a clock and short helpers to respond to it. The memory is encoded and decoded after every event, or
/// only after every nth event in long tests.
struct Bench {
    var eventsPerMemoryCheck = 1
    private var events = 0
    var machine: TrackerMachine
    var now = noon
    var sent: Uplink?
    var binding: TrackerBindingID?
    var locateMinutes = 10
    var isLost = false

    init(plan: TrackerPlan = TrackerPlan(contactSeconds: 60), memory: TrackerMemory = TrackerMemory()) {
        machine = TrackerMachine(plan: plan, memory: memory)
    }

    @discardableResult
    mutating func handle(_ event: TrackerEvent) throws -> [TrackerAction] {
        let actions = machine.handle(event, at: now)
        events += 1
        if events.isMultiple(of: eventsPerMemoryCheck) {
            #expect(TrackerMemory(bytes: machine.memory.bytes) == machine.memory)
        }
        if let uplink = actions.uplinks.last { sent = uplink }
        return actions
    }

    @discardableResult
    mutating func after(seconds: Int64) throws -> [TrackerAction] {
        now = now.adding(seconds: seconds)
        return try handle(.woke)
    }

    /// Responds to the last sent message.
    @discardableResult
    mutating func respond(_ commands: [TrackerCommand] = [], distanceMetres: Double? = nil) throws -> [TrackerAction] {
        let uplink = try unwrap(sent)
        sent = nil
        return try handle(
            .answered(
                .accepted(
                    Downlink(
                        counter: uplink.counter, at: now, binding: binding,
                        settings: TrackerSettings(
                            locateMinutes: locateMinutes, distanceMetres: distanceMetres, isLost: isLost
                        ),
                        commands: commands
                    )
                )
            )
        )
    }

    /// Responds until the tracker sends nothing more; returns the sent messages.
    @discardableResult
    mutating func answerAll() throws -> [Uplink] {
        var uplinks: [Uplink] = []
        while let uplink = sent {
            uplinks.append(uplink)
            // A tracker that never stops sending must fail its test, not block it.
            guard uplinks.count < 100 else { throw MissingValue() }
            try respond()
        }
        return uplinks
    }

    func command(
        _ number: Int64, _ kind: TrackerCommandKind?, issuedSecondsAgo: Int64 = 0, expiresInSeconds: Int64? = 1_200
    ) -> TrackerCommand {
        TrackerCommand(
            id: commandID(number), kind: kind, issuedAt: now.adding(seconds: -issuedSecondsAgo),
            expiresAt: expiresInSeconds.map { now.adding(seconds: $0) }
        )
    }

    /// Discards the state that a power cut loses.
    @discardableResult
    mutating func cutPower() throws -> [TrackerAction] {
        machine = TrackerMachine(plan: machine.plan, memory: try unwrap(TrackerMemory(bytes: machine.memory.bytes)))
        sent = nil
        return try handle(.started)
    }

    /// Returns a tracker that has an owner and is active, with its first fix delivered and no message under way.
    static func active(plan: TrackerPlan = TrackerPlan(contactSeconds: 60)) throws -> Bench {
        var bench = try bound(plan: plan)
        try bench.after(seconds: plan.contactSeconds)
        try bench.respond([bench.command(900, .activate)])
        try bench.handle(.fix(try fix(at: bench.now)))
        try bench.answerAll()
        return bench
    }

    /// Measures the next scheduled position; the message with it stays under way.
    mutating func takeScheduledFix() throws {
        now = try unwrap(machine.memory.nextFixAt)
        try handle(.woke)
        if sent != nil { try respond() }
        try handle(.fix(try fix(at: now)))
    }

    /// Returns a tracker that has an owner but is not activated.
    static func bound(plan: TrackerPlan = TrackerPlan(contactSeconds: 60)) throws -> Bench {
        var bench = Bench(plan: plan)
        try bench.handle(.started)
        try bench.handle(.registered)
        bench.binding = bindingID(1)
        try bench.respond()
        return bench
    }
}
