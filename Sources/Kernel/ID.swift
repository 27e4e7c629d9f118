/// An identifier that says what it identifies: an `ID<Item>` can't be handed in where an `ID<Account>` is wanted.
///
/// The value is a UUID, version 7 (RFC 9562, 5.7): 48 bits of Unix milliseconds, then randomness, so that ids sort
/// by the time they were made. Written in lower case with hyphens.
package struct ID<Entity>: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Makes an id for something that came to be at `instant`.
    /// - Parameter random: supplies the 74 random bits; injected so that tests can repeat a run.
    package init(at instant: Instant, random: some RandomSource) {
        self.init(at: instant, tail: random.uint64(), low: random.uint64())
    }

    /// Makes the same id each time for the same instant and series, for rows whose key is already unique.
    /// - Parameter series: what tells apart two rows of the same millisecond; its 62 lower bits are kept.
    package init(at instant: Instant, series: Int64) {
        self.init(at: instant, tail: 0, low: UInt64(bitPattern: series))
    }

    /// Reads the 36-character form; `nil` unless it is a UUID of version 7 in lower case.
    package init?(_ text: some StringProtocol) {
        guard let uuid = UUIDText.parse(text.utf8), uuid.high >> 12 & 0xf == 7, uuid.low >> 62 == 0b10 else {
            return nil
        }
        (high, low) = uuid
    }

    private init(at instant: Instant, tail: UInt64, low: UInt64) {
        let milliseconds = UInt64(max(0, instant.millisecondsSince1970)) & 0xffff_ffff_ffff
        high = milliseconds << 16 | 0x7000 | tail & 0x0fff
        self.low = low & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    }

    /// When the identified thing was made, to the millisecond.
    package var instant: Instant { Instant(millisecondsSince1970: Int64(high >> 16)) }

    /// The series that ``init(at:series:)`` was given, without its two highest bits.
    package var series: Int64 { Int64(low & 0x3fff_ffff_ffff_ffff) }

    /// The same bits read as the identifier of another kind of thing, where two kinds share their ids on purpose.
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
    /// Orders by the time of making, then by the random bits.
    package static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

extension ID: Codable {
    /// Reads the 36-character form.
    /// - Throws: `DecodingError.dataCorrupted` unless it is a UUID of version 7.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a version 7 UUID")
        }
        self = id
    }

    /// Writes the 36-character form.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

private enum UUIDText {
    private static let length = 36

    static func format(high: UInt64, low: UInt64) -> String {
        String(unsafeUninitializedCapacity: length) { buffer in
            var position = 0
            for nibble: UInt64 in 0..<32 {
                if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
                    buffer[position] = UInt8(ascii: "-")
                    position += 1
                }
                let half = nibble < 16 ? high : low
                let value = UInt8(truncatingIfNeeded: half >> ((15 - nibble & 15) * 4) & 0xf)
                buffer[position] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
                position += 1
            }
            return length
        }
    }

    static func parse(_ text: some Sequence<UInt8>) -> (high: UInt64, low: UInt64)? {
        var halves: (high: UInt64, low: UInt64) = (0, 0)
        var position = 0
        for byte in text {
            defer { position += 1 }
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
            guard position < length else { return nil }
            if position < 18 {
                halves.high = halves.high << 4 | UInt64(nibble)
            } else {
                halves.low = halves.low << 4 | UInt64(nibble)
            }
        }
        return position == length ? halves : nil
    }
}
