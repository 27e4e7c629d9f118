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

    /// Devices write −1 for unknown.
    static func notNegative(_ value: Double?) -> Double? {
        guard let value, value.isFinite, value >= 0 else { return nil }
        return value
    }

    static func finite(_ value: Double?) -> Double? {
        guard let value, value.isFinite else { return nil }
        return value
    }

    /// A full circle is north again; anything else outside is unknown.
    static func heading(_ degrees: Double?) -> Double? {
        guard let degrees, (0.0...360.0).contains(degrees) else { return nil }
        return degrees == 360 ? 0 : degrees
    }

    static func battery(percent: Double?) -> Int? {
        guard let percent, (0.0...100.0).contains(percent) else { return nil }
        return Int(percent.rounded())
    }
}
