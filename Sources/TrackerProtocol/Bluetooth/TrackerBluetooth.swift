/// The GATT service by which a phone meets a tracker.
package enum TrackerBluetooth {
    /// The service, advertised.
    package static let serviceUUID = "7e5a0001-6b1c-4c1f-9a53-686f6d657764"
    /// Read: ``BluetoothIdentity``.
    package static let identityUUID = "7e5a0002-6b1c-4c1f-9a53-686f6d657764"
    /// Written by the phone, with or without response: frames of messages to the tracker.
    package static let inboxUUID = "7e5a0003-6b1c-4c1f-9a53-686f6d657764"
    /// Notified by the tracker: frames of messages to the phone.
    package static let outboxUUID = "7e5a0004-6b1c-4c1f-9a53-686f6d657764"
    /// Bytes of a challenge.
    package static let challengeLength = 16

    /// The advertised name: `Homeward` and the first four digits of the public key, so that two trackers on a table
    /// can be told apart. It changes with the key, when the tracker is released.
    package static func localName(publicKey: [UInt8]) -> String {
        "Homeward \(Hex.encode(publicKey.prefix(2)).uppercased())"
    }
}

/// Which message it is. The byte stands in front of its content.
package enum BluetoothMessageKind: UInt8, CaseIterable, Sendable {
    /// Phone to tracker: the server's ``FirstContactAnswer``, for a tracker that can't reach the server itself.
    case firstContact = 0x43  // C
    /// Phone to tracker: a packed ``RegisterRequest``.
    case registerRequest = 0x52  // R
    /// Phone to tracker: the server's packed answer to an uplink.
    case answer = 0x44  // D
    /// Phone to tracker, without content: the server may have something for it.
    case nudge = 0x4E  // N
    /// Phone to tracker: a ``CompactCommand`` of the server's, for a tracker that can't fetch it itself.
    case command = 0x4B  // K
    /// Tracker to phone: a packed ``RegisterAnswer``.
    case registerAnswer = 0x41  // A
    /// Tracker to phone: a packed uplink, to be posted to the server.
    case uplink = 0x55  // U
    /// Tracker to phone: why a register request is refused; content: ``RegisterRefusal`` in ASCII.
    case refusal = 0x45  // E
    /// Tracker to phone, without content: it was let go, and is another one now, with new keys and a new code.
    case freed = 0x46  // F
}

/// One message over Bluetooth, whole.
package struct BluetoothMessage: Hashable, Sendable {
    /// Which one it is.
    package let kind: BluetoothMessageKind
    /// Its content, at most ``Limits/bluetoothMessageBytes``.
    package let content: [UInt8]

    /// Makes a message.
    package init(_ kind: BluetoothMessageKind, _ content: [UInt8]) {
        self.kind = kind
        self.content = content
    }
}
