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
            value.count <= Limits.bluetoothIdentityBytes, let json = JSONReader.value(of: value),
            json["version"]?.whole == UplinkJSON.version, let phase = json["state"]?.text.flatMap(TrackerPhase.init),
            let publicKey = json["publicKey"]?.key, let codeHash = json["codeHash"]?.key,
            let challenge = json["challenge"]?.challenge
        else { return nil }
        let id: TrackerID?
        do { id = try json.optional("id") { $0.id() } } catch { return nil }
        self.init(id: id, publicKey: publicKey, codeHash: codeHash, phase: phase, challenge: challenge)
    }

    /// Returns the characteristic's value: JSON of at most ``Limits/bluetoothIdentityBytes``.
    package func encoded() -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.member("challenge", Hexadecimal.encoded(challenge))
            json.member("codeHash", Hexadecimal.encoded(codeHash))
            json.member("id", id)
            json.member("publicKey", Hexadecimal.encoded(publicKey))
            json.member("state", phase.rawValue)
            json.member("version", UplinkJSON.version)
        }
        return json.bytes
    }
}
