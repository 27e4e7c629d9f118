import Kernel

/// What a device says of a moment, in our units, before it is known whether it can be taken.
struct Report: Sendable, Equatable {
    /// `nil`: the device didn't say, it means now.
    var at: Instant?
    var coordinate: Coordinate
    var accuracyMetres: Double?
    var altitudeMetres: Double?
    var speedMetresPerSecond: Double?
    var headingDegrees: Double?
    var batteryPercent: Int?
}

/// What became of a device's message.
enum DecodedMessage: Sendable, Equatable {
    /// Not of the protocol's syntax at all.
    case malformed
    /// Understood, and nothing for us in it.
    case nothing
    case unusable(QuarantineReason)
    case report(Report)
}

/// Which fixes are taken, and how their numbers are tidied.
enum FixAcceptance {
    /// 2000-01-01T00:00:00Z.
    static let earliest = Instant(millisecondsSince1970: 946_684_800_000)

    static func isAcceptable(_ at: Instant, now: Instant) -> Bool {
        at >= earliest && at <= now.adding(seconds: Limits.fixFutureSeconds)
    }

    /// Only a newer fix moves the last position.
    static func movesLastPosition(_ at: Instant, last: Instant?) -> Bool { last.map { at > $0 } ?? true }

    /// A place from what was sent. Absent altogether: `nil`. Half a place can't be read.
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

    /// Milliseconds from seconds with a fraction; `nil` beyond what an instant can hold.
    static func instant(secondsSince1970: Double) -> Instant? {
        let milliseconds = (secondsSince1970 * 1_000).rounded()
        // Doubles of this size are exact, and every date of a calendar is far below it.
        guard milliseconds.magnitude < 9e15 else { return nil }
        return Instant(millisecondsSince1970: Int64(milliseconds))
    }

    /// Metres; −1 is what devices write for unknown.
    static func accuracy(_ metres: Double?) throws(QuarantineReason) -> Double? {
        try number(metres, in: Limits.accuracyMetres) { $0 == -1 }
    }

    static func altitude(_ metres: Double?) throws(QuarantineReason) -> Double? {
        try number(metres, in: Limits.altitudeMetres) { _ in false }
    }

    /// - Parameter metresPerSecond: how many of them one of the device's units is. Devices write −1 m/s for unknown,
    ///   some before and some after they reckoned it in their unit: −3.6 km/h is the least that can be.
    static func speed(_ value: Double?, metresPerSecond: Double = 1) throws(QuarantineReason) -> Double? {
        let speed = try number(value, in: -Double.infinity...Double.infinity) { (-3.7..<0).contains($0) }
        return try number(speed.map { $0 * metresPerSecond }, in: Limits.speedMetresPerSecond) { _ in false }
    }

    /// Degrees; a full circle is north again, and −1 unknown.
    static func heading(_ degrees: Double?) throws(QuarantineReason) -> Double? {
        let heading = try number(degrees, in: 0...360) { $0 == -1 }
        return heading == 360 ? 0 : heading
    }

    /// −1 is unknown, and so is −100: that is −1 of the whole, in percent.
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
