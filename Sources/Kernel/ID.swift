/// A typed identifier: an `ID<Item>` can't be passed where an `ID<Account>` is expected.
///
/// The value is a UUID, version 7 (RFC 9562, 5.7): 48 bits of Unix milliseconds, then randomness, so that ids sort by
/// creation time. Written in lower case with hyphens.
package struct ID<Entity>: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Creates an id for an entity created at `instant`.
    /// - Parameter random: supplies the 74 random bits; injected so that tests can repeat a run.
    package init(at instant: Instant, random: some RandomSource) {
        self.init(at: instant, tail: random.uint64(), low: random.uint64())
    }

    /// Creates the same id each time for the same instant and series, for rows whose key is already unique.
    /// - Parameter series: distinguishes two rows of the same millisecond; only the 62 lower bits are kept.
    package init(at instant: Instant, series: Int64) {
        self.init(at: instant, tail: 0, low: UInt64(bitPattern: series))
    }

    /// Reads the 36-character form; `nil` unless it is a UUID of version 7 in lower case.
    package init?(_ text: some StringProtocol) { self.init(String(text)) }

    /// The overload for `String`, which avoids a copy: each row that is read contains several ids.
    package init?(_ text: String) {
        var text = text
        guard let uuid = text.withUTF8({ UUIDText.parse($0) }), uuid.high >> 12 & 0xf == 7, uuid.low >> 62 == 0b10
        else {
            return nil
        }
        (high, low) = uuid
    }

    private init(at instant: Instant, tail: UInt64, low: UInt64) {
        let milliseconds = UInt64(max(0, instant.millisecondsSince1970)) & 0xffff_ffff_ffff
        high = milliseconds << 16 | 0x7000 | tail & 0x0fff
        self.low = low & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    }

    /// Reads the 16 bytes of ``bytes``; `nil` unless they are a UUID of version 7.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        let high = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let low = bytes.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard high >> 12 & 0xf == 7, low >> 62 == 0b10 else { return nil }
        self.init(high: high, low: low)
    }

    /// The UUID's 16 bytes in the order of RFC 9562, for compact messages.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        for half in [high, low] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: half >> UInt64(shift)))
            }
        }
        return bytes
    }

    /// The creation time, to the millisecond.
    package var instant: Instant { Instant(millisecondsSince1970: Int64(high >> 16)) }

    /// The series passed to ``init(at:series:)``, without its two highest bits.
    package var series: Int64 { Int64(low & 0x3fff_ffff_ffff_ffff) }

    /// Returns the same bits as the identifier of another entity, where two entities share their ids by design.
    package func cast<Other>(to _: Other.Type) -> ID<Other> { ID<Other>(high: high, low: low) }

    fileprivate init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

extension ID: CustomStringConvertible {
    /// The 36-character form, in lower case.
    package var description: String { UUIDText.format(high: high, low: low) }
}

extension ID: Comparable {
    /// Orders by creation time, then by the random bits.
    package static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

private enum UUIDText {
    private static let length = 36

    static func format(high: UInt64, low: UInt64) -> String {
        String(unsafeUninitializedCapacity: length) { buffer in
            // 8-4-4-4-12: each middle hyphen separates the two halves of 32 bits.
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            bytes.storeBytes(of: digits(of: high >> 32).bigEndian, toByteOffset: 0, as: UInt64.self)
            storeHalves(of: digits(of: high), in: bytes, at: 9)
            storeHalves(of: digits(of: low >> 32), in: bytes, at: 19)
            bytes.storeBytes(of: digits(of: low).bigEndian, toByteOffset: 28, as: UInt64.self)
            for position in stride(from: 8, through: 23, by: 5) { bytes[position] = UInt8(ascii: "-") }
            return length
        }
    }

    private static func storeHalves(of digits: UInt64, in bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
        let first = UInt32(truncatingIfNeeded: digits >> 32)
        let second = UInt32(truncatingIfNeeded: digits)
        bytes.storeBytes(of: first.bigEndian, toByteOffset: offset, as: UInt32.self)
        bytes.storeBytes(of: second.bigEndian, toByteOffset: offset + 5, as: UInt32.self)
    }

    /// Returns the hexadecimal digits of the lower 32 bits, one per byte, the first in the highest. Computes all eight
    /// at once because it runs several times for each stored fix.
    private static func digits(of bits: UInt64) -> UInt64 {
        var nibbles = bits & 0xffff_ffff
        nibbles = (nibbles << 16 | nibbles) & 0x0000_ffff_0000_ffff
        nibbles = (nibbles << 8 | nibbles) & 0x00ff_00ff_00ff_00ff
        nibbles = (nibbles << 4 | nibbles) & 0x0f0f_0f0f_0f0f_0f0f
        // 1 in each byte that is 10 or more and becomes a letter.
        let letters = (nibbles + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return nibbles + 0x3030_3030_3030_3030 + letters * UInt64(UInt8(ascii: "a") - 10 - UInt8(ascii: "0"))
    }

    static func parse(_ text: UnsafeBufferPointer<UInt8>) -> (high: UInt64, low: UInt64)? {
        guard text.count == length else { return nil }
        var halves: (high: UInt64, low: UInt64) = (0, 0)
        for position in 0..<length {
            let byte = text[position]
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            let nibble: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): nibble = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): nibble = byte - UInt8(ascii: "a") + 10
            default: return nil
            }
            if position < 18 {
                halves.high = halves.high << 4 | UInt64(nibble)
            } else {
                halves.low = halves.low << 4 | UInt64(nibble)
            }
        }
        return halves
    }
}
