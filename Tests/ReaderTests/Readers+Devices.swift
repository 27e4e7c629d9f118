@testable import Hologram
@testable import Kernel
@testable import TrackerProtocol
@testable import Tracking
import WebCore

/// Messages of trackers, of apps that report positions, and of Hologram.
extension OutsideReader {
    private static let sealed = "{\"_type\":\"encrypted\",\"data\":\""
    private static let location = "{\"_type\":\"location\",\"lat\":1,\"lon\":1,\"tst\":"

    static let devices: [OutsideReader] = [
        OutsideReader(
            "OwnTracks", "Tracking/Rules/OwnTracksJSON.swift", "Tracking/Rules/LooseFields.swift",
            "Tracking/Rules/SecretBoxMessage.swift", limit: Limits.ingestBytes,
            frames: [("", ""), (sealed, "\"}"), (location, "}"), (location + "1,\"a\":\"", "\"}")]
        ) { bytes in _ = OwnTracksJSON.decoded(bytes, passphrase: "secret") },
        OutsideReader(
            "OsmAnd", "Tracking/Rules/OsmAndQuery.swift", "Tracking/Rules/TimestampText.swift",
            limit: Limits.ingestBytes,
            frames: [
                ("", ""), ("id=a&lat=1&lon=1&timestamp=", ""), ("id=a&lat=1&lon=", ""), ("id=a&location=", ""),
                ("id=a&lat=1&lon=1&timestamp=2026-01-01T", ""),
            ]
        ) { bytes in
            guard let pairs = URLEncodedForm.pairs(of: bytes, lenient: true) else { return }
            _ = OsmAndQuery(pairs).decoded(speedUnit: .knots)
        },
        OutsideReader(
            "Traccar's JSON", "Tracking/Rules/TraccarJSON.swift", limit: Limits.ingestBytes,
            frames: [
                ("", ""), ("{\"location\":[", "{}]}"),
                ("{\"location\":{\"coords\":{\"latitude\":1,\"longitude\":1},\"timestamp\":\"", "\"}}"),
            ]
        ) { bytes in _ = try TraccarJSON(bytes).decoded() },
        OutsideReader(
            "tracker's message", "TrackerProtocol/JSON/UplinkJSON.swift", "TrackerProtocol/Sealing/PackedMessage.swift",
            limit: Limits.ingestBytes,
            frames: [("", ""), ("{\"version\":1,\"counter\":1,\"fixes\":[", "{}]}"), ("{\"counter\":", "}")]
        ) { bytes in
            _ = PackedMessage(bytes)
            _ = try UplinkJSON.decode(bytes)
        },
        OutsideReader("tracker's frames", "TrackerProtocol/Compact/CompactFrames.swift", limit: Limits.ingestBytes) {
            _ = CompactFrames.split($0)
        },
        OutsideReader(
            "first contact of a tracker", "TrackerProtocol/JSON/FirstContact.swift", limit: Limits.ingestBytes,
            frames: [("", ""), ("{\"publicKey\":\"", "\"}")]
        ) { bytes in
            _ = FirstContactResponse(bytes)
            _ = try FirstContact.read(bytes)
        },
        OutsideReader(
            "server's message to a tracker", "TrackerProtocol/JSON/DownlinkJSON.swift",
            "TrackerProtocol/Bluetooth/RegisterRequest.swift", limit: Limits.ingestBytes,
            frames: [("", ""), ("{\"version\":1,\"commands\":[", "{}]}")]
        ) { bytes in
            _ = RegisterRequest(bytes)
            _ = try DownlinkJSON.decode(bytes, counter: 1)
        },
        OutsideReader(
            "Bluetooth frames", fed: "TrackerProtocol/Bluetooth/BluetoothFrames.swift", limit: Limits.ingestBytes
        ) { bytes, pieceBytes in
            var assembler = BluetoothAssembler()
            var rest = bytes[...]
            var number: UInt8 = 0
            while !rest.isEmpty {
                let piece = rest.prefix(min(pieceBytes, Limits.bluetoothFrameBytes - 1))
                rest = rest.dropFirst(piece.count)
                _ = try? assembler.add([number == 0 ? 0x80 : number] + piece)
                number = (number + 1) & 0x3f
            }
        },
        OutsideReader(
            "Hologram's webhook", "Hologram/HologramRecord.swift", limit: Limits.ingestBytes,
            frames: [("", ""), ("{\"device_id\":1,\"data\":\"", "\"}"), ("{\"device_id\":1,\"received\":\"", "\"}")]
        ) { bytes in _ = HologramDelivery(routed: bytes) },
        OutsideReader(
            "Hologram's log", "Hologram/HologramRecord.swift", limit: Limits.hologramResponseBytes,
            frames: [
                ("", ""), ("{\"success\":true,\"data\":[", "{}]}"),
                ("{\"success\":true,\"data\":[{\"id\":1,\"data\":\"", "\"}]}"),
            ]
        ) { bytes in _ = HologramPage(bytes) },
    ]
}
