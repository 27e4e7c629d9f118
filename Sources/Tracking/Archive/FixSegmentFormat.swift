import Crypto
import Kernel

/// The binary format of segments, version 1 (docs/fix-archive.md). Numbers are big-endian.
enum FixSegmentFormat {
    /// The reason that bytes aren't a valid segment.
    enum Flaw: Error, Equatable {
        case magic
        case version(UInt16)
        case checksum
        /// The checksum is right, but the content is invalid.
        case content
    }

    private static let magic = Array("HWFIXSEG".utf8)
    private static let version: UInt16 = 1
    private static let digestBytes = 32
    private static let unknownBattery: UInt8 = 0xff
    // The bit pattern of an unknown number: a NaN.
    private static let unknown: UInt64 = 0x7ff8_0000_0000_0000

    static func bytes(_ segment: FixSegment) -> [UInt8] {
        var writer = ByteWriter()
        writer.bytes += magic
        writer.append(version)
        writer.bytes += segment.id.bytes + segment.item.bytes
        writer.append(UInt32(bitPattern: Int32(truncatingIfNeeded: segment.day)))
        writer.append(text: segment.source.rawValue)
        writer.append(text: segment.device)
        writer.append(UInt32(segment.fixes.count))
        for fix in segment.fixes {
            writer.append(UInt64(bitPattern: fix.at.millisecondsSince1970))
            let numbers: [Double?] = [
                fix.coordinate.latitude, fix.coordinate.longitude, fix.accuracyMetres, fix.altitudeMetres,
                fix.speedMetresPerSecond, fix.headingDegrees,
            ]
            for number in numbers { writer.append(number?.bitPattern ?? unknown) }
            writer.bytes.append(fix.batteryPercent.map { UInt8(clamping: $0) } ?? unknownBattery)
        }
        return writer.bytes + digest(writer.bytes[...])
    }

    static func segment(_ bytes: [UInt8]) throws(Flaw) -> FixSegment {
        guard bytes.starts(with: magic) else { throw .magic }
        guard bytes.count > magic.count + digestBytes, bytes.count <= Limits.segmentBytes else { throw .checksum }
        let signed = bytes.dropLast(digestBytes)
        guard Array(bytes.suffix(digestBytes)) == digest(signed) else { throw .checksum }
        var reader = ByteReader(rest: signed.dropFirst(magic.count))
        guard let version: UInt16 = reader.number() else { throw .content }
        guard version == Self.version else { throw .version(version) }
        guard let segment = content(&reader), reader.rest.isEmpty else { throw .content }
        return segment
    }

    private static func content(_ reader: inout ByteReader) -> FixSegment? {
        guard let id = ID<FixSegment>(bytes: reader.read(16)), let item = ID<Item>(bytes: reader.read(16)),
            let day: UInt32 = reader.number(), let source = reader.text().flatMap(FixSource.init),
            let device = reader.text(), let count: UInt32 = reader.number(), count > 0
        else { return nil }
        let dayNumber = Int64(Int32(bitPattern: day))
        var fixes: [ArchivedFix] = []
        for _ in 0..<count {
            guard let fix = fix(&reader), fixes.last.map({ $0.at < fix.at }) ?? true,
                ArchiveDay.day(of: fix.at) == dayNumber
            else { return nil }
            fixes.append(fix)
        }
        return FixSegment(id: id, item: item, day: dayNumber, device: device, source: source, fixes: fixes)
    }

    private static func fix(_ reader: inout ByteReader) -> ArchivedFix? {
        guard let at: UInt64 = reader.number() else { return nil }
        var numbers: [Double?] = []
        for _ in 0..<6 {
            guard let bits: UInt64 = reader.number() else { return nil }
            let number = bits == unknown ? nil : Double(bitPattern: bits)
            guard number?.isFinite ?? true else { return nil }
            numbers.append(number)
        }
        guard let battery = reader.read(1).first, battery == unknownBattery || battery <= 100,
            let latitude = numbers[0], let longitude = numbers[1],
            let place = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        return ArchivedFix(
            at: Instant(millisecondsSince1970: Int64(bitPattern: at)), coordinate: place, accuracyMetres: numbers[2],
            altitudeMetres: numbers[3], speedMetresPerSecond: numbers[4], headingDegrees: numbers[5],
            batteryPercent: battery == unknownBattery ? nil : Int(battery)
        )
    }

    static func digest(_ bytes: ArraySlice<UInt8>) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
}

private struct ByteWriter {
    var bytes: [UInt8] = []

    mutating func append(_ number: some FixedWidthInteger & UnsignedInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(text: String) {
        append(UInt16(text.utf8.count))
        bytes += text.utf8
    }
}

private struct ByteReader {
    var rest: ArraySlice<UInt8>

    /// Returns fewer than `count` bytes at the end.
    mutating func read(_ count: Int) -> ArraySlice<UInt8> {
        let taken = rest.prefix(count)
        rest = rest.dropFirst(count)
        return taken
    }

    mutating func number<Number: FixedWidthInteger & UnsignedInteger>() -> Number? {
        let count = Number.bitWidth / 8
        guard rest.count >= count else { return nil }
        return read(count).reduce(0) { $0 << 8 | Number($1) }
    }

    mutating func text() -> String? {
        guard let count: UInt16 = number(), Int(count) <= Limits.segmentDeviceBytes, rest.count >= count else {
            return nil
        }
        return String(validating: read(Int(count)), as: UTF8.self)
    }
}
