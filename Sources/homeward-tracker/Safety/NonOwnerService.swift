import BlueZ

/// The GATT service with which a person who discovers an unknown tracker nearby makes it sound and identifies it
/// (draft-ietf-dult-accessory-protocol-00 of 4 November 2024, 3.11 to 3.13). Numbers are little-endian; each message
/// begins with its opcode.
enum NonOwnerService {
    /// Section 3.11.
    static let uuid = "15190001-12f4-c226-88ed-2ac5579f2a85"
    static let characteristicUUID = "8e0c0001-1d68-fb92-bf61-48377421680e"
    /// The advertised UUID; its service data contains the near-owner bit (3.6).
    static let advertisedUUID = "0000fcb2-0000-1000-8000-00805f9b34fb"
    /// The network that a tracker belongs to. Homeward has no number in the registry; this one is unassigned.
    static let network: UInt8 = 0xff

    static let service = GATTService(
        uuid: uuid,
        characteristics: [GATTCharacteristic(uuid: characteristicUUID, flags: [.write, .indicate])]
    )

    /// Returns the network, then the near-owner bit (3.4.2, 3.9).
    static func advertisedData(isNearOwner: Bool) -> [UInt8] { [network, isNearOwner ? 1 : 0] }
}

/// The opcodes of a non-owner's requests (3.12.1, 3.13.4).
enum NonOwnerCommand: UInt16, Sendable {
    case productData = 0x0003
    case manufacturerName = 0x0004
    case modelName = 0x0005
    case accessoryCategory = 0x0006
    case protocolVersion = 0x0007
    case capabilities = 0x0008
    case networkID = 0x0009
    case firmwareVersion = 0x000a
    case batteryLevel = 0x000c
    case soundStart = 0x0300
    case soundStop = 0x0301
    case identifier = 0x0404
}

/// A request from a non-owner.
struct NonOwnerRequest: Equatable, Sendable {
    /// The opcode; 0, which is unassigned, when the request is too short.
    let opcode: UInt16

    init(_ bytes: [UInt8]) {
        opcode = bytes.count < 2 ? 0 : UInt16(bytes[0]) | UInt16(bytes[1]) << 8
    }
}

/// A response to a non-owner.
enum NonOwnerResponse: Equatable, Sendable {
    /// The status of a Command Response (3.13.4).
    enum Status: UInt16, Sendable {
        case success = 0x0000
        case invalidState = 0x0001
        case invalidCommand = 0xffff
    }

    case command(UInt16, Status)
    case soundCompleted
    case information(NonOwnerCommand, [UInt8])
    case identifier([UInt8])

    var bytes: [UInt8] {
        switch self {
        case .command(let opcode, let status): Self.words([0x0302, opcode, status.rawValue])
        case .soundCompleted: Self.words([0x0303])
        case .information(let command, let operand): Self.words([0x0800 | command.rawValue]) + operand
        case .identifier(let payload): Self.words([0x0405]) + payload
        }
    }

    private static func words(_ words: [UInt16]) -> [UInt8] {
        words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }
}

/// The tracker's public information (3.12.1). The same for all trackers of one model, except the battery level.
struct NonOwnerFacts: Equatable, Sendable {
    var hasSounder: Bool
    /// Whether the tracker has a button. Without one its identifier can't be requested.
    var hasButton: Bool
    var batteryPercent: Int?
    /// The firmware version in the form `x.y.z`.
    var firmware: String

    /// Returns the value that responds to a command; `nil` for commands that don't request information, and for unknown
    /// values.
    func operand(of command: NonOwnerCommand) -> [UInt8]? {
        switch command {
        // Eight bytes that identify the product.
        case .productData: Array("Homeward".utf8)
        case .manufacturerName: Array("Homeward".utf8)
        case .modelName: Array("homeward-tracker".utf8)
        // A location tracker; the other bytes are reserved (4).
        case .accessoryCategory: [1, 0, 0, 0, 0, 0, 0, 0]
        // 1.0.0, the version of the draft.
        case .protocolVersion: Self.version("1.0.0")
        // Bit 0: sound, bit 3: identifier by Bluetooth. There is no motion detector (bit 1) and no NFC (bit 2).
        case .capabilities: [(hasSounder ? 1 : 0) | (hasButton ? 8 : 0), 0, 0, 0]
        case .networkID: [NonOwnerService.network]
        case .firmwareVersion: Self.version(firmware)
        case .batteryLevel: batteryPercent.map { [Self.level(ofPercent: $0)] }
        case .soundStart, .soundStop, .identifier: nil
        }
    }

    /// Returns revision, minor, and major, the latter in two bytes.
    private static func version(_ text: String) -> [UInt8] {
        let parts = text.split(separator: ".").map { UInt16($0) ?? 0 } + [0, 0, 0]
        return [
            UInt8(truncatingIfNeeded: parts[2]), UInt8(truncatingIfNeeded: parts[1]),
            UInt8(truncatingIfNeeded: parts[0]), UInt8(truncatingIfNeeded: parts[0] >> 8),
        ]
    }

    /// Returns 0 for full, 1 medium, 2 low, 3 critically low.
    private static func level(ofPercent percent: Int) -> UInt8 {
        switch percent {
        case 80...: 0
        case 40..<80: 1
        case 15..<40: 2
        default: 3
        }
    }
}
