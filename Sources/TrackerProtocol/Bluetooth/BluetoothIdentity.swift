import Foundation
import Kernel

/// The public identity of a tracker, readable by any device nearby: the characteristic
/// ``TrackerBluetooth/identityUUID``.
package struct BluetoothIdentity: Hashable, Sendable {
    /// The tracker's id; `nil` before the server has assigned one.
    package let id: TrackerID?
    /// The tracker's X25519 public key, 32 bytes.
    package let publicKey: [UInt8]
    /// ``ClaimCode/hash`` of the tracker's claim code, 32 bytes.
    package let codeHash: [UInt8]
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

    package init(id: TrackerID?, publicKey: [UInt8], codeHash: [UInt8], phase: TrackerPhase, challenge: [UInt8]) {
        self.id = id
        self.publicKey = publicKey
        self.codeHash = codeHash
        self.phase = phase
        self.challenge = challenge
    }

    /// Reads the characteristic's value; returns `nil` for an invalid one.
    package init?(_ value: [UInt8]) {
        guard
            value.count <= Limits.bluetoothIdentityBytes, let body = JSONText.decode(Body.self, from: value),
            body.version == UplinkJSON.version, let phase = TrackerPhase(rawValue: body.state),
            let publicKey = Hexadecimal.decoded(body.publicKey, count: 32),
            let codeHash = Hexadecimal.decoded(body.codeHash, count: 32),
            let challenge = Hexadecimal.decoded(body.challenge, count: TrackerBluetooth.challengeLength)
        else { return nil }
        self.init(id: body.id, publicKey: publicKey, codeHash: codeHash, phase: phase, challenge: challenge)
    }

    /// Returns the characteristic's value: JSON of at most ``Limits/bluetoothIdentityBytes``.
    package func encoded() -> [UInt8] {
        JSONText.encode(
            Body(
                version: UplinkJSON.version, id: id, publicKey: Hexadecimal.encoded(publicKey),
                codeHash: Hexadecimal.encoded(codeHash),
                state: phase.rawValue, challenge: Hexadecimal.encoded(challenge)
            )
        )
    }
}
