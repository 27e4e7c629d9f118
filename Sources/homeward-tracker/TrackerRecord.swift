import Foundation
import Kernel
import TrackerCore
import TrackerProtocol

/// The tracker's secrets. They stay the same until it is released.
struct TrackerIdentity: Sendable {
    let keyPair: KeyPair
    let claimCode: ClaimCode

    init(keyPair: KeyPair, claimCode: ClaimCode) {
        self.keyPair = keyPair
        self.claimCode = claimCode
    }

    /// Generates new secrets.
    init(random: any RandomSource) throws(KeyFailure) {
        self.init(keyPair: try KeyPair(random: random), claimCode: ClaimCode(random: random))
    }
}

/// The tracker's persistent state, stored as a whole so that its parts are always consistent.
struct TrackerRecord: Sendable {
    var identity: TrackerIdentity
    /// The server's response to the first contact.
    var server: FirstContactResponse?
    var memory: TrackerMemory
    /// The time at which the simulated walk began.
    var beganAt: Instant
    /// The battery level at that time, in percent.
    var batteryAtBeginning: Int

    /// The persistent state of the safety rule, which protects non-owners.
    var safety = SafetyMemory()

    /// The channel to the server; `nil` before the first contact.
    var conversation: Conversation? {
        guard
            let server, let keys = try? TrackerKeys(tracker: identity.keyPair, serverPublicKey: server.publicKey)
        else { return nil }
        let channel = TrackerChannel(tracker: server.id, keys: keys)
        return Conversation(tracker: server.id, keys: keys, channel: channel)
    }
}

extension TrackerRecord: Codable {
    private enum CodingKeys: CodingKey {
        case version, privateKey, claimCode, id, serverPublicKey, finderKey, memory, beganAt, batteryAtBeginning, safety
    }

    private static let version = 1

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func damaged(_ key: CodingKeys) -> DecodingError {
            .dataCorruptedError(forKey: key, in: container, debugDescription: "unreadable")
        }
        guard try container.decode(Int.self, forKey: .version) == Self.version else { throw damaged(.version) }
        let privateKey = Hexadecimal.decoded(try container.decode(String.self, forKey: .privateKey), count: 32)
        guard let privateKey, let keyPair = try? KeyPair(privateKey: privateKey) else { throw damaged(.privateKey) }
        guard let claimCode = ClaimCode(try container.decode(String.self, forKey: .claimCode)) else {
            throw damaged(.claimCode)
        }
        identity = TrackerIdentity(keyPair: keyPair, claimCode: claimCode)
        if let id = try container.decodeIfPresent(TrackerID.self, forKey: .id) {
            let publicKey = Hexadecimal.decoded(try container.decode(String.self, forKey: .serverPublicKey), count: 32)
            guard let publicKey else { throw damaged(.serverPublicKey) }
            let finderKey = try container.decodeIfPresent(String.self, forKey: .finderKey)
            server = FirstContactResponse(
                id: id, publicKey: publicKey, finderKey: finderKey.flatMap { Hexadecimal.decoded($0, count: 32) }
            )
        }
        guard let memory = TrackerMemory(bytes: Array(try container.decode(Data.self, forKey: .memory))) else {
            throw damaged(.memory)
        }
        self.memory = memory
        beganAt = try container.decode(Instant.self, forKey: .beganAt)
        batteryAtBeginning = try container.decode(Int.self, forKey: .batteryAtBeginning)
        safety = try container.decodeIfPresent(SafetyMemory.self, forKey: .safety) ?? SafetyMemory()
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.version, forKey: .version)
        try container.encode(Hexadecimal.encoded(identity.keyPair.privateKey), forKey: .privateKey)
        try container.encode(identity.claimCode.description, forKey: .claimCode)
        try container.encodeIfPresent(server?.id, forKey: .id)
        try container.encodeIfPresent((server?.publicKey).map { Hexadecimal.encoded($0) }, forKey: .serverPublicKey)
        try container.encodeIfPresent(server?.finderKey.map { Hexadecimal.encoded($0) }, forKey: .finderKey)
        try container.encode(Data(memory.bytes), forKey: .memory)
        try container.encode(beganAt, forKey: .beganAt)
        try container.encode(batteryAtBeginning, forKey: .batteryAtBeginning)
        try container.encode(safety, forKey: .safety)
    }
}
