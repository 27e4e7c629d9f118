import Foundation
import Kernel

/// What a tracker tells of itself to everybody near: the characteristic ``TrackerBluetooth/identityUUID``.
package struct BluetoothIdentity: Hashable, Sendable {
    /// Its id; `nil` while no server knows it.
    package let id: TrackerID?
    /// Its X25519 public key, 32 bytes.
    package let publicKey: [UInt8]
    /// ``ClaimCode/hash`` of its claim code, 32 bytes.
    package let codeHash: [UInt8]
    /// Where it is in its life.
    package let phase: TrackerPhase
    /// 16 random bytes, new for each connection and after each register request.
    package let challenge: [UInt8]

    private struct Body: Codable {
        var version: Int
        var id: TrackerID?
        var publicKey: String
        var codeHash: String
        var state: String
        var challenge: String

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(version, forKey: .version)
            try container.encode(id, forKey: .id)
            try container.encode(publicKey, forKey: .publicKey)
            try container.encode(codeHash, forKey: .codeHash)
            try container.encode(state, forKey: .state)
            try container.encode(challenge, forKey: .challenge)
        }
    }

    /// Makes the description.
    package init(id: TrackerID?, publicKey: [UInt8], codeHash: [UInt8], phase: TrackerPhase, challenge: [UInt8]) {
        self.id = id
        self.publicKey = publicKey
        self.codeHash = codeHash
        self.phase = phase
        self.challenge = challenge
    }

    /// Reads the characteristic's value; `nil` when it is none.
    package init?(_ value: [UInt8]) {
        guard
            value.count <= Limits.bluetoothIdentityBytes, let body = JSONText.decode(Body.self, from: value),
            body.version == UplinkJSON.version, let phase = TrackerPhase(rawValue: body.state),
            let publicKey = Hex.decode(body.publicKey, count: 32),
            let codeHash = Hex.decode(body.codeHash, count: 32),
            let challenge = Hex.decode(body.challenge, count: TrackerBluetooth.challengeLength)
        else { return nil }
        self.init(id: body.id, publicKey: publicKey, codeHash: codeHash, phase: phase, challenge: challenge)
    }

    /// The characteristic's value: JSON of at most ``Limits/bluetoothIdentityBytes``.
    package func encoded() -> [UInt8] {
        JSONText.encode(
            Body(
                version: UplinkJSON.version, id: id, publicKey: Hex.encode(publicKey), codeHash: Hex.encode(codeHash),
                state: phase.rawValue, challenge: Hex.encode(challenge)
            )
        )
    }
}
