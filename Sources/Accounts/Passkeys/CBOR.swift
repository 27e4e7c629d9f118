import Kernel

/// A CBOR value (RFC 8949) of the kinds that authenticators write.
enum CBOR: Hashable, Sendable {
    /// The key of a map entry.
    enum Key: Hashable, Sendable {
        case integer(Int64)
        case text(String)
    }

    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    case list([CBOR])
    case map([Key: CBOR])
    case boolean(Bool)
    case null

    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    var map: [Key: CBOR]? { if case .map(let map) = self { map } else { nil } }
}

/// The reason why CBOR is refused.
enum CBORError: Error, Hashable, Sendable {
    /// The input ends inside a value.
    case truncated
    case trailingBytes
    /// Lists or maps are nested deeper than ``Limits/cborDepth``.
    case tooDeep
    /// More than ``Limits/cborValues``.
    case tooManyValues
    /// A length or number that isn't encoded in the shortest form.
    case notShortest
    /// An indefinite length.
    case indefinite
    case duplicateKey
    /// A tag, fraction, other kind of key, number beyond 64 bits, or text that isn't UTF-8.
    case unsupported
}

/// Reads CBOR in the canonical form of CTAP2. WebAuthn Level 2, 2.1 asks decoders to reject any other form, and
/// duplicate keys. The order of keys isn't checked, because some passkey managers get it wrong and nothing depends on
/// it.
struct CBORReader {
    private let input: [UInt8]
    private(set) var position: Int
    private var values = 0

    init(_ input: [UInt8], at position: Int = 0) {
        self.input = input
        self.position = position
    }

    /// Returns the single value of `input`.
    static func value(of input: [UInt8]) throws(CBORError) -> CBOR {
        var reader = CBORReader(input)
        let value = try reader.value()
        guard reader.isAtEnd else { throw .trailingBytes }
        return value
    }

    var isAtEnd: Bool { position == input.count }

    /// Reads the next value, and leaves the bytes behind it unread.
    mutating func value() throws(CBORError) -> CBOR { try value(depth: Limits.cborDepth) }

    private mutating func value(depth: Int) throws(CBORError) -> CBOR {
        values += 1
        guard values <= Limits.cborValues else { throw .tooManyValues }
        let first = try byte()
        let argument = first & 0x1f
        switch first >> 5 {
        case 0: return .integer(try whole(argument))
        case 1: return .integer(-1 - (try whole(argument)))
        case 2: return .bytes(try bytes(argument))
        case 3: return .text(try text(argument))
        case 4: return .list(try list(argument, depth: depth))
        case 5: return .map(try map(argument, depth: depth))
        case 7: return try simple(argument)
        default: throw .unsupported
        }
    }

    private func simple(_ argument: UInt8) throws(CBORError) -> CBOR {
        switch argument {
        case 20: return .boolean(false)
        case 21: return .boolean(true)
        case 22: return .null
        case 31: throw .indefinite
        default: throw .unsupported
        }
    }

    private mutating func list(_ argument: UInt8, depth: Int) throws(CBORError) -> [CBOR] {
        let count = try count(argument, depth: depth)
        var list: [CBOR] = []
        for _ in 0..<count { list.append(try value(depth: depth - 1)) }
        return list
    }

    private mutating func map(_ argument: UInt8, depth: Int) throws(CBORError) -> [CBOR.Key: CBOR] {
        let count = try count(argument, depth: depth)
        var map: [CBOR.Key: CBOR] = [:]
        for _ in 0..<count {
            let key: CBOR.Key
            switch try value(depth: depth - 1) {
            case .integer(let integer): key = .integer(integer)
            case .text(let text): key = .text(text)
            default: throw .unsupported
            }
            guard map[key] == nil else { throw .duplicateKey }
            map[key] = try value(depth: depth - 1)
        }
        return map
    }

    /// Reads the number of entries. The number isn't trusted: no memory is reserved for it.
    private mutating func count(_ argument: UInt8, depth: Int) throws(CBORError) -> Int {
        guard depth > 0 else { throw .tooDeep }
        let count = try whole(argument)
        guard count <= Limits.cborValues else { throw .tooManyValues }
        return Int(count)
    }

    private mutating func text(_ argument: UInt8) throws(CBORError) -> String {
        let bytes = try bytes(argument)
        guard StreamSafeText.isValid(bytes), let text = String(validating: bytes, as: UTF8.self) else {
            throw .unsupported
        }
        return text
    }

    private mutating func bytes(_ argument: UInt8) throws(CBORError) -> [UInt8] {
        let length = try whole(argument)
        guard length <= input.count - position else { throw .truncated }
        defer { position += Int(length) }
        return Array(input[position..<position + Int(length)])
    }

    /// Reads a number: the argument itself, or the bytes that follow (RFC 8949, 3).
    private mutating func whole(_ argument: UInt8) throws(CBORError) -> Int64 {
        let width: Int
        switch argument {
        case 0..<24: return Int64(argument)
        case 24: width = 1
        case 25: width = 2
        case 26: width = 4
        case 27: width = 8
        case 31: throw .indefinite
        default: throw .unsupported
        }
        var number: UInt64 = 0
        for _ in 0..<width { number = number << 8 | UInt64(try byte()) }
        let fewest: UInt64 = width == 1 ? 24 : 1 << (UInt64(width) * 4)
        guard number >= fewest else { throw .notShortest }
        guard let whole = Int64(exactly: number) else { throw .unsupported }
        return whole
    }

    private mutating func byte() throws(CBORError) -> UInt8 {
        guard position < input.count else { throw .truncated }
        defer { position += 1 }
        return input[position]
    }
}
