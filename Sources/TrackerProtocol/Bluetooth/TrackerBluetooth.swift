import Kernel

/// The GATT service of a tracker for phones.
package enum TrackerBluetooth {
    /// The advertised service.
    package static let serviceUUID = "7e5a0001-6b1c-4c1f-9a53-686f6d657764"
    /// Read: ``BluetoothIdentity``.
    package static let identityUUID = "7e5a0002-6b1c-4c1f-9a53-686f6d657764"
    /// Written by the phone, with or without response: frames of messages to the tracker.
    package static let inboxUUID = "7e5a0003-6b1c-4c1f-9a53-686f6d657764"
    /// Notified by the tracker: frames of messages to the phone.
    package static let outboxUUID = "7e5a0004-6b1c-4c1f-9a53-686f6d657764"
    /// Bytes of a challenge.
    package static let challengeLength = 16

    /// Returns the advertised name: `Homeward` and the first four digits of the public key, which distinguish two
    /// nearby trackers. It changes with the key when the tracker is released.
    package static func localName(publicKey: [UInt8]) -> String {
        "Homeward \(Hexadecimal.encoded(publicKey.prefix(2)).uppercased())"
    }
}

/// The kind of a message; its byte precedes the content.
package enum BluetoothMessageKind: UInt8, CaseIterable, Sendable {
    /// Phone to tracker: the server's ``FirstContactResponse``, for a tracker that can't reach the server itself.
    case firstContact = 0x43  // C
    /// Phone to tracker: a packed ``RegisterRequest``.
    case registerRequest = 0x52  // R
    /// Phone to tracker: the server's packed answer to an uplink.
    case answer = 0x44  // D
    /// Phone to tracker, without content: the server may have data for the tracker.
    case nudge = 0x4E  // N
    /// Phone to tracker: a ``CompactCommand`` from the server, for a tracker that can't fetch it itself.
    case command = 0x4B  // K
    /// Tracker to phone: a packed ``RegisterResponse``.
    case registerResponse = 0x41  // A
    /// Tracker to phone: a packed uplink, to be posted to the server.
    case uplink = 0x55  // U
    /// Tracker to phone: the reason for refusing a register request; content: ``RegisterRefusal`` in ASCII.
    case refusal = 0x45  // E
    /// Tracker to phone, without content: the tracker was released and has new keys and a new code.
    case freed = 0x46  // F
}

/// One complete message over Bluetooth.
package struct BluetoothMessage: Hashable, Sendable {
    package let kind: BluetoothMessageKind
    /// The content, at most ``Limits/bluetoothMessageBytes``.
    package let content: [UInt8]

    package init(_ kind: BluetoothMessageKind, _ content: [UInt8]) {
        self.kind = kind
        self.content = content
    }
}
