import Kernel
import TrackerProtocol

/// Reads the format of ``ByteWriter`` and validates every value.
struct ByteReader {
    enum Damaged: Error { case damaged }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// Returns the bytes before the checksum; `nil` when the checksum doesn't match.
    static func checked(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard bytes.count >= 4 else { return nil }
        let content = bytes.dropLast(4)
        var reader = ByteReader(bytes.suffix(4))
        return (try? reader.number(UInt32.self)) == Checksum.crc32(content) ? content : nil
    }

    private mutating func read(_ count: Int) throws(Damaged) -> ArraySlice<UInt8> {
        guard rest.count >= count else { throw .damaged }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type) throws(Damaged) -> Number {
        try read(Number.bitWidth / 8).withUnsafeBytes { Number(bigEndian: $0.loadUnaligned(as: Number.self)) }
    }

    mutating func integer() throws(Damaged) -> Int64 {
        let value = try number(Int64.self)
        guard value >= 0 else { throw .damaged }
        return value
    }

    mutating func count(in range: ClosedRange<Int>) throws(Damaged) -> Int {
        guard let value = Int(exactly: try integer()), range.contains(value) else { throw .damaged }
        return value
    }

    mutating func flag() throws(Damaged) -> Bool {
        switch try number(UInt8.self) {
        case 0: return false
        case 1: return true
        default: throw .damaged
        }
    }

    mutating func text() throws(Damaged) -> String {
        String(decoding: try read(Int(try number(UInt8.self))), as: UTF8.self)
    }

    mutating func choice<Choice: RawRepresentable<String>>() throws(Damaged) -> Choice {
        guard let choice = Choice(rawValue: try text()) else { throw .damaged }
        return choice
    }

    mutating func instant() throws(Damaged) -> Instant {
        Instant(millisecondsSince1970: try number(Int64.self))
    }

    mutating func optionalInstant() throws(Damaged) -> Instant? { try flag() ? try instant() : nil }

    mutating func id<Entity>() throws(Damaged) -> ID<Entity> {
        guard let id = ID<Entity>(try text()) else { throw .damaged }
        return id
    }

    mutating func optionalID<Entity>() throws(Damaged) -> ID<Entity>? { try flag() ? try id() : nil }

    mutating func optionalPercent() throws(Damaged) -> Int? {
        guard try flag() else { return nil }
        let percent = Int(try number(UInt8.self))
        guard percent <= 100 else { throw .damaged }
        return percent
    }

    mutating func list<Value>(
        of value: (inout ByteReader) throws(Damaged) -> Value
    ) throws(Damaged) -> [Value] {
        let count = try number(UInt32.self)
        var values: [Value] = []
        for _ in 0..<count { values.append(try value(&self)) }
        return values
    }

    mutating func fix() throws(Damaged) -> TrackerFix {
        let at = try instant()
        let latitude = Double(try number(Int32.self)) / 1e7
        let longitude = Double(try number(Int32.self)) / 1e7
        let accuracy = try measure(steps: 10)
        let altitude = try measure(steps: 10)
        let speed = try measure(steps: 100)
        let heading = try measure(steps: 10)
        let battery = try optionalPercent()
        do throws(TrackerFix.Failure) {
            return try TrackerFix(
                at: at, latitude: latitude, longitude: longitude, accuracyMetres: accuracy, altitudeMetres: altitude,
                speedMetresPerSecond: speed, headingDegrees: heading, batteryPercent: battery
            )
        } catch {
            throw .damaged
        }
    }

    private mutating func measure(steps: Double) throws(Damaged) -> Double? {
        try flag() ? Double(try number(Int32.self)) / steps : nil
    }

    mutating func acknowledgement() throws(Damaged) -> Acknowledgement {
        let id: TrackerCommandID = try id()
        let result: TrackerCommandResult = try choice()
        return Acknowledgement(id: id, result: result, reason: try flag() ? try text() : nil)
    }

    mutating func command() throws(Damaged) -> TrackerCommand {
        let id: TrackerCommandID = try id()
        let kind: TrackerCommandKind? = try flag() ? try choice() : nil
        return TrackerCommand(id: id, kind: kind, issuedAt: try instant(), expiresAt: try optionalInstant())
    }
}
