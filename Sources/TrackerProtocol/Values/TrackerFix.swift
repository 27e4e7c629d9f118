package import Kernel

/// One position fix in the protocol's precision.
///
/// The initializer rounds every number (time to the second, degrees to 1e-7, and so on), so that the JSON form, the
/// compact form and the tracker's storage hold the same fix, and equal fixes compare equal.
package struct TrackerFix: Hashable, Sendable {
    /// The time of the measurement in whole seconds, so that two transports with the same fix agree on its time.
    package let at: Instant
    /// The position, to 1e-7 degrees (about a centimetre).
    package let coordinate: Coordinate
    /// The radius of 68 % confidence, 0 to 1,000,000 m, in steps of 0.1 m; `nil` when unknown.
    package let accuracyMetres: Double?
    /// The height above the WGS 84 ellipsoid or mean sea level, depending on the receiver, -10,000 to 100,000 m, in
    /// steps of 0.1 m.
    package let altitudeMetres: Double?
    /// The speed, 0 to 1,000 m/s, in steps of 0.01 m/s.
    package let speedMetresPerSecond: Double?
    /// The heading in degrees clockwise from true north, 0 to below 360, in steps of 0.1.
    package let headingDegrees: Double?
    /// The battery level, 0 to 100; `nil` when unknown.
    package let batteryPercent: Int?

    /// The field that makes a fix unusable.
    package enum Failure: String, Error, Sendable {
        /// The time is missing or can't be read.
        case at
        /// Missing, not a number, or outside -90 to 90.
        case latitude
        /// Missing, not a number, or outside -180 to 180.
        case longitude
        /// Not within 0 to 1,000,000 m.
        case accuracy
        /// Not within -10,000 to 100,000 m.
        case altitude
        /// Not within 0 to 1,000 m/s.
        case speed
        /// Not within 0 to 360 degrees.
        case heading
        /// Not within 0 to 100.
        case battery
        /// The entry is not an object with the right types.
        case shape
    }

    /// Checks the ranges and rounds. The time is rounded down to the second; a heading of 360 becomes 0.
    package init(
        at: Instant, latitude: Double, longitude: Double, accuracyMetres: Double? = nil, altitudeMetres: Double? = nil,
        speedMetresPerSecond: Double? = nil, headingDegrees: Double? = nil, batteryPercent: Int? = nil
    ) throws(Failure) {
        guard (-90.0...90.0).contains(latitude) else { throw .latitude }
        guard (-180.0...180.0).contains(longitude) else { throw .longitude }
        let place = Coordinate(latitude: Self.round(latitude, 1e7), longitude: Self.round(longitude, 1e7))
        guard let place else { throw .latitude }
        self.at = at.wholeSeconds
        coordinate = place
        self.accuracyMetres = try Self.check(accuracyMetres, within: 0...1_000_000, steps: 10, or: .accuracy)
        self.altitudeMetres = try Self.check(altitudeMetres, within: -10_000...100_000, steps: 10, or: .altitude)
        self.speedMetresPerSecond = try Self.check(speedMetresPerSecond, within: 0...1_000, steps: 100, or: .speed)
        let heading = try Self.check(headingDegrees, within: 0...360, steps: 10, or: .heading)
        self.headingDegrees = heading == 360 ? 0 : heading
        if let batteryPercent, !(0...100).contains(batteryPercent) { throw .battery }
        self.batteryPercent = batteryPercent
    }

    private static func check(
        _ value: Double?, within range: ClosedRange<Double>, steps: Double, or failure: Failure
    ) throws(Failure) -> Double? {
        guard let value else { return nil }
        guard range.contains(value) else { throw failure }
        return round(value, steps)
    }

    private static func round(_ value: Double, _ steps: Double) -> Double {
        let rounded = (value * steps).rounded() / steps
        // A negative zero would be encoded as "-0" and differ from the fix restored from integers.
        return rounded == 0 ? 0 : rounded
    }
}

extension Instant {
    /// This instant without its milliseconds, rounded down.
    package var wholeSeconds: Instant {
        let remainder = millisecondsSince1970 % 1000
        let whole = millisecondsSince1970 - remainder
        return Instant(millisecondsSince1970: remainder < 0 ? whole - 1000 : whole)
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    package var wholeSecondsSince1970: Int64 { wholeSeconds.millisecondsSince1970 / 1000 }
}
