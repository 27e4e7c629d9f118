import Kernel

/// A position measurement of a device, converted to our units, before it is accepted or rejected.
struct Report: Sendable, Equatable {
    /// `nil` when the device sent no time; the time of receipt applies.
    var at: Instant?
    var coordinate: Coordinate
    var accuracyMetres: Double?
    var altitudeMetres: Double?
    var speedMetresPerSecond: Double?
    var headingDegrees: Double?
    var batteryPercent: Int?
}

extension PositionSample {
    init(_ report: Report, at: Instant) {
        self.init(
            at: at, coordinate: report.coordinate, accuracyMetres: report.accuracyMetres,
            speedMetresPerSecond: report.speedMetresPerSecond)
    }
}

/// The result of decoding a device's message.
enum DecodedMessage: Sendable, Equatable {
    /// The body doesn't have the protocol's syntax.
    case malformed
    /// The message is valid but holds no position.
    case nothing
    case unusable(QuarantineReason)
    case report(Report)
}

/// The rules for accepting fixes and for normalizing their numbers.
enum FixAcceptance {
    /// 2000-01-01T00:00:00Z.
    static let earliest = Instant(millisecondsSince1970: 946_684_800_000)

    static func isAcceptable(_ at: Instant, now: Instant) -> Bool {
        at >= earliest && at <= now.adding(seconds: Limits.fixFutureSeconds)
    }

    /// Checks a report of a device, and returns the time of the measurement.
    ///
    /// Receivers whose week counter rolled over date positions 1,024 or 2,048 weeks back. Such a time is corrected if
    /// that leads to the days before the receipt, and refused if that leads to the year before: it may be either wrong
    /// or right then.
    /// - Parameter now: The time of the receipt.
    /// - Throws: `noFix`, `timeOutOfRange`.
    static func time(of report: Report, receivedAt now: Instant) throws(QuarantineReason) -> Instant {
        guard !report.coordinate.isNullIsland else { throw .noFix }
        guard let time = time(report.at ?? now, receivedAt: now) else { throw .timeOutOfRange }
        return time
    }

    static func time(_ at: Instant, receivedAt now: Instant) -> Instant? {
        for corrected in at.afterWeekRollovers {
            let age = now.seconds(since: corrected)
            if age < -Double(Limits.fixFutureSeconds) { break }
            if age <= Limits.rolloverCorrectedSeconds { return corrected }
            if age <= Limits.rolloverSuspectedSeconds { return nil }
        }
        return isAcceptable(at, now: now) ? at : nil
    }

    /// Only a newer fix moves the last position.
    static func movesLastPosition(_ at: Instant, last: Instant?) -> Bool { last.map { at > $0 } ?? true }

    /// Makes a coordinate from the sent numbers.
    /// - Returns: `nil` when both numbers are absent.
    /// - Throws: `unreadableNumber` when only one number is present.
    static func place(latitude: Double?, longitude: Double?) throws(QuarantineReason) -> Coordinate? {
        switch (latitude, longitude) {
        case (nil, nil): return nil
        case (let latitude?, let longitude?):
            guard latitude.isFinite, longitude.isFinite else { throw .unreadableNumber }
            guard let place = Coordinate(latitude: latitude, longitude: longitude) else { throw .placeOutOfRange }
            return place
        default: throw .unreadableNumber
        }
    }

    /// The instant for seconds with a fraction; `nil` outside the range of `Instant`.
    static func instant(secondsSince1970: Double) -> Instant? {
        let milliseconds = (secondsSince1970 * 1_000).rounded()
        // Doubles of this size are exact, and calendar dates are far below it.
        guard milliseconds.magnitude < 9e15 else { return nil }
        return Instant(millisecondsSince1970: Int64(milliseconds))
    }

    /// Metres; devices send −1 for unknown.
    static func accuracy(_ metres: Double?) throws(QuarantineReason) -> Double? {
        try number(metres, in: Limits.accuracyMetres) { $0 == -1 }
    }

    static func altitude(_ metres: Double?) throws(QuarantineReason) -> Double? {
        try number(metres, in: Limits.altitudeMetres) { _ in false }
    }

    /// Converts a speed to metres per second.
    ///
    /// Devices send −1 m/s for unknown. Some convert it to their unit first and some don't, so −3.6 km/h is the lowest
    /// possible value.
    /// - Parameter metresPerSecond: The factor from the device's unit to metres per second.
    static func speed(_ value: Double?, metresPerSecond: Double = 1) throws(QuarantineReason) -> Double? {
        let speed = try number(value, in: -Double.infinity...Double.infinity) { (-3.7..<0).contains($0) }
        return try number(speed.map { $0 * metresPerSecond }, in: Limits.speedMetresPerSecond) { _ in false }
    }

    /// Degrees; 360 becomes 0, and devices send −1 for unknown.
    static func heading(_ degrees: Double?) throws(QuarantineReason) -> Double? {
        let heading = try number(degrees, in: 0...360) { $0 == -1 }
        return heading == 360 ? 0 : heading
    }

    /// Whole percent. Devices send −1 for unknown, which becomes −100 for a device that counts from 0 to 1.
    static func battery(percent: Double?) throws(QuarantineReason) -> Int? {
        try number(percent, in: 0...100) { $0 == -1 || $0 == -100 }.map { Int($0.rounded()) }
    }

    private static func number(
        _ value: Double?, in range: ClosedRange<Double>, isUnknown: (Double) -> Bool
    ) throws(QuarantineReason) -> Double? {
        guard let value, !isUnknown(value) else { return nil }
        guard range.contains(value) else { throw .numberOutOfRange }
        return value
    }
}
