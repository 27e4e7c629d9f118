import Crypto

/// The authentication of compact frames: the first 8 bytes of an HMAC-SHA256.
enum CompactTag {
    static let length = 8

    static func tag(_ covered: [UInt8], key: SymmetricKey) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: covered, using: key).prefix(length))
    }

    // Constant time: a comparison that stops at the first difference would reveal how many bytes of a forged tag are
    // right.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension [UInt8] {
    mutating func appendBigEndian(_ value: some FixedWidthInteger) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Appends the lower 48 bits.
    mutating func appendBigEndian48(_ value: UInt64) {
        appendBigEndian(UInt16(truncatingIfNeeded: value >> 32))
        appendBigEndian(UInt32(truncatingIfNeeded: value))
    }

    func bigEndian16(at index: Int) -> UInt16 { UInt16(self[index]) << 8 | UInt16(self[index + 1]) }

    func bigEndian32(at index: Int) -> UInt32 {
        UInt32(bigEndian16(at: index)) << 16 | UInt32(bigEndian16(at: index + 2))
    }

    func bigEndian48(at index: Int) -> UInt64 {
        UInt64(bigEndian16(at: index)) << 32 | UInt64(bigEndian32(at: index + 2))
    }
}
