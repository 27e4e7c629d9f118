import BlueZ

/// The service by which whoever finds a tracker on themselves can make it show itself (IETF DULT, accessory protocol).
/// Numbers are little-endian; each message begins with its opcode.
enum NonOwnerService {
    static let uuid = "15190001-12f4-c226-88ed-2ac5579f2a85"
    static let characteristicUUID = "8e0c0001-1d68-fb92-bf61-48377421680e"
    /// What it is advertised by, with the near-owner bit in its data.
    static let advertisedUUID = "0000fcb2-0000-1000-8000-00805f9b34fb"
    /// The network that a tracker belongs to. Homeward has no number in the registry; this one is nobody's.
    static let network: UInt8 = 0xff

    static let service = GATTService(
        uuid: uuid,
        characteristics: [GATTCharacteristic(uuid: characteristicUUID, flags: [.write, .indicate])]
    )

    /// Network, then the near-owner bit.
    static func advertisedData(isNearOwner: Bool) -> [UInt8] { [network, isNearOwner ? 1 : 0] }
}

/// What a non-owner asks.
enum NonOwnerRequest: Equatable, Sendable {
    case soundStart
    case soundStop
    case networkID
    case batteryLevel
    /// Anything else, by its opcode; `nil` when there is not even one.
    case unknown(UInt16?)

    init(_ bytes: [UInt8]) {
        guard bytes.count >= 2 else {
            self = .unknown(nil)
            return
        }
        let opcode = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
        self =
            switch opcode {
            case 0x0300: .soundStart
            case 0x0301: .soundStop
            case 0x0009: .networkID
            case 0x000c: .batteryLevel
            default: .unknown(opcode)
            }
    }

    var opcode: UInt16 {
        switch self {
        case .soundStart: 0x0300
        case .soundStop: 0x0301
        case .networkID: 0x0009
        case .batteryLevel: 0x000c
        case .unknown(let opcode): opcode ?? 0
        }
    }
}

/// What a non-owner is told.
enum NonOwnerAnswer: Equatable, Sendable {
    enum Status: UInt16, Sendable {
        case success = 0x0000
        case invalidState = 0x0001
        case invalidCommand = 0xffff
    }

    case command(UInt16, Status)
    case soundCompleted
    case networkID(UInt8)
    case batteryLevel(UInt8)

    var bytes: [UInt8] {
        switch self {
        case .command(let opcode, let status): Self.words([0x0302, opcode, status.rawValue])
        case .soundCompleted: Self.words([0x0303])
        case .networkID(let network): Self.words([0x0809]) + [network]
        case .batteryLevel(let level): Self.words([0x080c]) + [level]
        }
    }

    private static func words(_ words: [UInt16]) -> [UInt8] {
        words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    /// 0 full, 1 medium, 2 low, 3 critically low.
    static func level(ofPercent percent: Int) -> UInt8 {
        switch percent {
        case 80...: 0
        case 40..<80: 1
        case 15..<40: 2
        default: 3
        }
    }
}
