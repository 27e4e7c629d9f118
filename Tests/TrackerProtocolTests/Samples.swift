import Foundation
import Kernel
import TrackerProtocol

struct MissingSample: Error {}

func unwrap<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw MissingSample() }
    return value
}

/// The two ends of one channel, with fixed keys.
struct ChannelPairFixture {
    let id: TrackerID
    let keys: TrackerKeys
    let tracker: TrackerChannel
    let server: ServerChannel

    init(seed: UInt8 = 1) throws {
        id = try unwrap(TrackerID("019c0000-0000-7000-8000-0000000000\(seed < 10 ? "0" : "")\(seed)"))
        let own = try KeyPair(privateKey: [UInt8](repeating: seed, count: 32))
        let other = try KeyPair(privateKey: [UInt8](repeating: seed &+ 100, count: 32))
        keys = try TrackerKeys(server: other, trackerPublicKey: own.publicKey)
        tracker = TrackerChannel(tracker: id, keys: try TrackerKeys(tracker: own, serverPublicKey: other.publicKey))
        server = ServerChannel(tracker: id, keys: keys)
    }
}

let noon = Instant(millisecondsSince1970: 1_772_366_400_000)

func sampleUplink(counter: Int64 = 7) throws -> Uplink {
    Uplink(
        counter: counter, at: Instant(millisecondsSince1970: noon.millisecondsSince1970 + 5_250), phase: .active,
        mode: .cellular, batteryPercent: 87, fixes: [try sampleFix()],
        acknowledgements: [
            Acknowledgement(id: try unwrap(TrackerCommandID("019c0000-0000-7000-8000-0000000000c1")), result: .applied)
        ]
    )
}

func sampleFix() throws -> TrackerFix {
    try TrackerFix(
        at: noon, latitude: 48.137154, longitude: 11.576124, accuracyMetres: 4.5, altitudeMetres: 519,
        speedMetresPerSecond: 1.35, headingDegrees: 271.5, batteryPercent: 87
    )
}

func sampleDownlink(counter: Int64 = 7) throws -> Downlink {
    Downlink(
        counter: counter, at: noon.adding(seconds: 6),
        binding: try unwrap(TrackerBindingID("019c0000-0000-7000-8000-0000000000b1")),
        settings: TrackerSettings(locateMinutes: 10, distanceMetres: 12.5),
        commands: [
            TrackerCommand(
                id: try unwrap(TrackerCommandID("019c0000-0000-7000-8000-0000000000c2")), kind: .locate,
                issuedAt: noon.adding(seconds: 1), expiresAt: noon.adding(seconds: 1_200)
            ),
            TrackerCommand(
                id: try unwrap(TrackerCommandID("019c0000-0000-7000-8000-0000000000c3")), kind: .releaseOff,
                issuedAt: noon.adding(seconds: 2), expiresAt: nil
            ),
        ]
    )
}

/// Repeatable random bits (SplitMix64 over a counter).
struct FixedRandom: RandomSource {
    let seed: UInt64

    func uint64() -> UInt64 {
        var mixed = seed &+ 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
