import Kernel
import TrackerProtocol

/// Writes numbers big-endian, optionals after a flag, lists and text after their length.
struct ByteWriter {
    var bytes: [UInt8] = []

    mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    mutating func write(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write<Value>(_ value: Value?, _ body: (inout ByteWriter, Value) -> Void) {
        write(value != nil)
        if let value { body(&self, value) }
    }

    mutating func write<Value>(list: [Value], _ body: (inout ByteWriter, Value) -> Void) {
        write(UInt32(list.count))
        for value in list { body(&self, value) }
    }

    mutating func write(_ text: String) {
        let utf8 = Array(text.utf8.prefix(Int(UInt8.max)))
        bytes.append(UInt8(utf8.count))
        bytes += utf8
    }

    mutating func write<Choice: RawRepresentable<String>>(_ choice: Choice) { write(choice.rawValue) }

    mutating func write(_ instant: Instant?) { write(instant) { $0.write($1.millisecondsSince1970) } }

    mutating func write<Entity>(_ id: ID<Entity>?) { write(id) { $0.write($1.description) } }

    mutating func write(_ percent: Int?) { write(percent) { $0.bytes.append(UInt8(truncatingIfNeeded: $1)) } }

    mutating func write(_ fix: TrackerFix) {
        write(fix.at.millisecondsSince1970)
        write(Int32((fix.coordinate.latitude * 1e7).rounded()))
        write(Int32((fix.coordinate.longitude * 1e7).rounded()))
        for (value, steps) in [(fix.accuracyMetres, 10.0), (fix.altitudeMetres, 10), (fix.speedMetresPerSecond, 100)] {
            write(value) { $0.write(Int32(($1 * steps).rounded())) }
        }
        write(fix.headingDegrees) { $0.write(Int32(($1 * 10).rounded())) }
        write(fix.batteryPercent)
    }

    mutating func write(_ acknowledgement: Acknowledgement) {
        write(acknowledgement.id.description)
        write(acknowledgement.result)
        write(acknowledgement.reason) { $0.write($1) }
    }

    mutating func write(_ command: TrackerCommand) {
        write(command.id.description)
        write(command.kind) { $0.write($1) }
        write(command.issuedAt.millisecondsSince1970)
        write(command.expiresAt)
    }

    mutating func appendChecksum() { write(Checksum.crc32(bytes)) }
}

/// CRC-32 as in IEEE 802.3. Detects a partly written file.
enum Checksum {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { remainder, _ in
            remainder & 1 == 1 ? remainder >> 1 ^ 0xedb8_8320 : remainder >> 1
        }
    }

    static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var remainder: UInt32 = 0xffff_ffff
        for byte in bytes { remainder = remainder >> 8 ^ table[Int(UInt8(truncatingIfNeeded: remainder) ^ byte)] }
        return ~remainder
    }
}
