import BlueZ

/// The service by which whoever finds a tracker on themselves can make it show itself and learn what it is
/// (draft-ietf-dult-accessory-protocol-00 of 4 November 2024, 3.11 to 3.13). Numbers are little-endian; each message
/// begins with its opcode.
enum NonOwnerService {
    /// 3.11.
    static let uuid = "15190001-12f4-c226-88ed-2ac5579f2a85"
    static let characteristicUUID = "8e0c0001-1d68-fb92-bf61-48377421680e"
    /// What it is advertised by, with the near-owner bit in its data (3.6).
    static let advertisedUUID = "0000fcb2-0000-1000-8000-00805f9b34fb"
    /// The network that a tracker belongs to. Homeward has no number in the registry; this one is nobody's.
    static let network: UInt8 = 0xff

    static let service = GATTService(
        uuid: uuid,
        characteristics: [GATTCharacteristic(uuid: characteristicUUID, flags: [.write, .indicate])]
    )

    /// Network, then the near-owner bit (3.4.2, 3.9).
    static func advertisedData(isNearOwner: Bool) -> [UInt8] { [network, isNearOwner ? 1 : 0] }
}

/// What a non-owner can ask, by its opcode (3.12.1, 3.13.4).
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

/// What came from a non-owner.
struct NonOwnerRequest: Equatable, Sendable {
    /// 0, which is none, when there is not even one.
    let opcode: UInt16

    init(_ bytes: [UInt8]) {
        opcode = bytes.count < 2 ? 0 : UInt16(bytes[0]) | UInt16(bytes[1]) << 8
    }
}

/// What a non-owner is told.
enum NonOwnerAnswer: Equatable, Sendable {
    /// 3.13.4, Command Response.
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

/// What a tracker tells of itself (3.12.1); the same for all of a kind, but for the battery.
struct NonOwnerFacts: Equatable, Sendable {
    var hasSounder: Bool
    /// Without one nobody can ask for its identifier.
    var hasButton: Bool
    var batteryPercent: Int?
    /// `x.y.z`.
    var firmware: String

    /// The value that answers a command; `nil` for what isn't a fact, or not known.
    func operand(of command: NonOwnerCommand) -> [UInt8]? {
        switch command {
        // Eight bytes that name make and model.
        case .productData: Array("Homeward".utf8)
        case .manufacturerName: Array("Homeward".utf8)
        case .modelName: Array("homeward-tracker".utf8)
        // A location tracker; the rest is reserved (4).
        case .accessoryCategory: [1, 0, 0, 0, 0, 0, 0, 0]
        // 1.0.0, that of the draft.
        case .protocolVersion: Self.version("1.0.0")
        // Bit 0: sound, bit 3: identifier by Bluetooth. There is no motion detector (bit 1) and no NFC (bit 2).
        case .capabilities: [(hasSounder ? 1 : 0) | (hasButton ? 8 : 0), 0, 0, 0]
        case .networkID: [NonOwnerService.network]
        case .firmwareVersion: Self.version(firmware)
        case .batteryLevel: batteryPercent.map { [Self.level(ofPercent: $0)] }
        case .soundStart, .soundStop, .identifier: nil
        }
    }

    /// Revision, minor, and major in two bytes.
    private static func version(_ text: String) -> [UInt8] {
        let parts = text.split(separator: ".").map { UInt16($0) ?? 0 } + [0, 0, 0]
        return [
            UInt8(truncatingIfNeeded: parts[2]), UInt8(truncatingIfNeeded: parts[1]),
            UInt8(truncatingIfNeeded: parts[0]), UInt8(truncatingIfNeeded: parts[0] >> 8),
        ]
    }

    /// 0 full, 1 medium, 2 low, 3 critically low.
    private static func level(ofPercent percent: Int) -> UInt8 {
        switch percent {
        case 80...: 0
        case 40..<80: 1
        case 15..<40: 2
        default: 3
        }
    }
}
