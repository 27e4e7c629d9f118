import Kernel

/// One authenticated fix in 31 bytes, for metered links.
///
/// Numbers are big-endian. The frame contains the lower 32 bits of a counter of its own series; the tag covers all 64,
/// so a frame from another epoch of the counter never verifies.
///
///     0      1  kind and version, 0xF1
///     1      4  counter, lower 32 bits
///     5      4  seconds since 2020-01-01T00:00:00Z
///     9      4  latitude, 1e-7 degrees, signed
///     13     4  longitude, 1e-7 degrees, signed
///     17     1  accuracy: metres rounded up to 0…200, then 200 + 100 m a step; 255 unknown
///     18     1  bit 7: 1 cellular, 0 Bluetooth; bits 0–6: battery in percent, 127 unknown
///     19     2  altitude, metres, signed; -32768 unknown
///     21     1  speed, 0.5 m/s a step up to 127 m/s; 255 unknown
///     22     1  heading, 1.5 degrees a step, 0…239; 255 unknown
///     23     8  first 8 bytes of HMAC-SHA256(compact uplink key, counter as 8 bytes ‖ bytes 0…22)
package struct CompactFix: Hashable, Sendable {
    /// The counter: strictly increasing from 1, in its own series.
    package let counter: Int64
    /// The fix; numbers other than time and position are rounded to the frame's steps.
    package let fix: TrackerFix
    /// The tracker's preferred radio.
    package let mode: TrackerMode

    /// The length of a frame in bytes.
    package static let length = 31
    private static let contentLength = 23
    /// The first byte of a frame.
    package static let kind: UInt8 = 0xF1
    private static let epoch: Int64 = 1_577_836_800

    /// Thrown when a frame is rejected.
    package enum Failure: Error, Hashable, Sendable {
        /// Not 31 bytes of this kind and version.
        case shape
        /// The authentication tag is wrong.
        case unauthenticated
        /// Authentic, but the coordinates are out of range.
        case place
    }

    /// Returns `nil` when the time is not within 2020 to 2156 or the counter is not positive.
    package init?(counter: Int64, fix: TrackerFix, mode: TrackerMode) {
        let seconds = fix.at.wholeSecondsSince1970 - Self.epoch
        guard counter > 0, UInt32(exactly: seconds) != nil else { return nil }
        self.counter = counter
        self.fix = fix
        self.mode = mode
    }

    /// Returns the frame with its tag.
    package func sealed(with keys: TrackerKeys) -> [UInt8] {
        var frame: [UInt8] = [Self.kind]
        frame.appendBigEndian(UInt32(truncatingIfNeeded: counter))
        frame.appendBigEndian(UInt32(truncatingIfNeeded: fix.at.wholeSecondsSince1970 - Self.epoch))
        frame.appendBigEndian(UInt32(bitPattern: Self.degreesE7(fix.coordinate.latitude)))
        frame.appendBigEndian(UInt32(bitPattern: Self.degreesE7(fix.coordinate.longitude)))
        frame.append(Steps.accuracy(fix.accuracyMetres))
        frame.append((mode == .cellular ? 0x80 : 0) | UInt8(fix.batteryPercent ?? 127))
        frame.appendBigEndian(UInt16(bitPattern: Steps.altitude(fix.altitudeMetres)))
        frame.append(Steps.speed(fix.speedMetresPerSecond))
        frame.append(Steps.heading(fix.headingDegrees))
        return frame + Self.tag(frame, counter: counter, keys: keys)
    }

    /// Verifies and reads a frame.
    /// - Parameter lastCounter: the highest counter received so far, 0 before the first. Of all counters that end in
    ///   the frame's 32 bits, the one nearest to the next counter is used.
    package init(_ frame: [UInt8], keys: TrackerKeys, lastCounter: Int64) throws(Failure) {
        guard frame.count == Self.length, frame[0] == Self.kind else { throw .shape }
        let content = Array(frame.prefix(Self.contentLength))
        let counter = Self.counter(endingIn: content.bigEndian32(at: 1), near: lastCounter)
        let tag = Array(frame.suffix(CompactTag.length))
        guard counter > 0, CompactTag.areEqual(tag, Self.tag(content, counter: counter, keys: keys)) else {
            throw .unauthenticated
        }
        let battery = Int(content[18] & 0x7f)
        let fix = try? TrackerFix(
            at: Instant(millisecondsSince1970: (Self.epoch + Int64(content.bigEndian32(at: 5))) * 1000),
            latitude: Double(Int32(bitPattern: content.bigEndian32(at: 9))) / 1e7,
            longitude: Double(Int32(bitPattern: content.bigEndian32(at: 13))) / 1e7,
            accuracyMetres: Steps.accuracyMetres(content[17]),
            altitudeMetres: Steps.altitudeMetres(Int16(bitPattern: content.bigEndian16(at: 19))),
            speedMetresPerSecond: Steps.speedMetresPerSecond(content[21]),
            headingDegrees: Steps.headingDegrees(content[22]), batteryPercent: battery > 100 ? nil : battery
        )
        guard let fix else { throw .place }
        self.counter = counter
        self.fix = fix
        mode = content[18] & 0x80 == 0 ? .bluetooth : .cellular
    }

    private static func degreesE7(_ degrees: Double) -> Int32 { Int32((degrees * 1e7).rounded()) }

    private static func tag(_ content: [UInt8], counter: Int64, keys: TrackerKeys) -> [UInt8] {
        var covered: [UInt8] = []
        covered.appendBigEndian(UInt32(truncatingIfNeeded: counter >> 32))
        covered.appendBigEndian(UInt32(truncatingIfNeeded: counter))
        covered += content
        return CompactTag.tag(covered, key: keys.compactUplink)
    }

    private static func counter(endingIn low: UInt32, near last: Int64) -> Int64 {
        let next = last &+ 1
        let distance = Int32(bitPattern: low &- UInt32(truncatingIfNeeded: next))
        return next &+ Int64(distance)
    }
}

/// The quantisation of a frame's numbers.
private enum Steps {
    private static let unknown: UInt8 = 255

    static func accuracy(_ metres: Double?) -> UInt8 {
        guard let metres else { return unknown }
        if metres <= 200 { return UInt8(metres.rounded(.up)) }
        return UInt8(min(254, 200 + ((metres - 200) / 100).rounded(.up)))
    }

    static func accuracyMetres(_ step: UInt8) -> Double? {
        if step == unknown { return nil }
        return step <= 200 ? Double(step) : 200 + Double(step - 200) * 100
    }

    static func altitude(_ metres: Double?) -> Int16 {
        guard let metres else { return .min }
        return Int16(min(32_767, max(-32_767, metres.rounded())))
    }

    static func altitudeMetres(_ metres: Int16) -> Double? { metres == .min ? nil : max(-10_000, Double(metres)) }

    static func speed(_ metresPerSecond: Double?) -> UInt8 {
        guard let metresPerSecond else { return unknown }
        return UInt8(min(254, (metresPerSecond * 2).rounded()))
    }

    static func speedMetresPerSecond(_ step: UInt8) -> Double? { step == unknown ? nil : Double(step) / 2 }

    static func heading(_ degrees: Double?) -> UInt8 {
        guard let degrees else { return unknown }
        return UInt8(Int((degrees / 1.5).rounded()) % 240)
    }

    static func headingDegrees(_ step: UInt8) -> Double? { step < 240 ? Double(step) * 1.5 : nil }
}
