import Kernel
import TrackerProtocol

/// The supported reports of gpsd (`gpsd_json(5)`). gpsd omits keys with unknown values.
enum GPSDReport: Equatable, Sendable {
    /// The greeting with gpsd's release.
    case version(String)
    /// The number of receivers known to gpsd.
    case devices(Int)
    case position(GPSDPosition)
    /// An error message from gpsd.
    case error(String)
    /// Any other well-formed report.
    case other

    /// Parses a line; returns `nil` when it is not a report of gpsd.
    init?(_ line: [UInt8]) {
        guard let json = JSONReader.value(of: line), let report = try? Self(json) else { return nil }
        self = report
    }

    private init(_ json: JSONValue) throws(JSONTypeMismatch) {
        let release = try json.optional("release", \.text)
        let message = try json.optional("message", \.text)
        let devices = try json.optional("devices", \.list) ?? []
        switch try json.required("class", \.text) {
        case "VERSION": self = .version(release ?? "")
        case "DEVICES": self = .devices(devices.count)
        case "ERROR": self = .error(message ?? "")
        case "TPV": self = .position(try GPSDPosition(json))
        default: self = .other
        }
    }
}

/// A *time, position, velocity* report of gpsd.
struct GPSDPosition: Equatable, Sendable {
    /// 0 and 1: no fix; 2: fix without altitude; 3: fix with altitude.
    var mode: Int?
    /// The time of the receiver's clock.
    var time: String?
    var lat: Double?
    var lon: Double?
    /// The estimated horizontal error in metres. Older receivers report only the east and north errors, `epx` and
    /// `epy`.
    var eph: Double?
    var epx: Double?
    var epy: Double?
    var altMSL: Double?
    var altHAE: Double?
    /// The altitude in gpsd before 3.20, instead of the two above.
    var alt: Double?
    var speed: Double?
    var track: Double?

    init(_ json: JSONValue) throws(JSONTypeMismatch) {
        mode = try json.optional("mode", \.integer)
        time = try json.optional("time", \.text)
        lat = try json.optional("lat", \.double)
        lon = try json.optional("lon", \.double)
        eph = try json.optional("eph", \.double)
        epx = try json.optional("epx", \.double)
        epy = try json.optional("epy", \.double)
        altMSL = try json.optional("altMSL", \.double)
        altHAE = try json.optional("altHAE", \.double)
        alt = try json.optional("alt", \.double)
        speed = try json.optional("speed", \.double)
        track = try json.optional("track", \.double)
    }

    /// The accuracy in metres; `nil` when gpsd doesn't report it.
    var accuracyMetres: Double? {
        if let eph, eph > 0 { return eph }
        guard let epx, let epy, epx > 0 || epy > 0 else { return nil }
        return (epx * epx + epy * epy).squareRoot()
    }

    /// Whether the report contains a current or earlier position.
    var hasPlace: Bool { (mode ?? 0) >= 2 && lat != nil && lon != nil }

    /// Returns the position as a fix; `nil` when there is none or it is too old. A time before a rollover of the
    /// receiver's week counter is corrected.
    /// - Parameters:
    ///   - now: the board's clock, which may not be set yet. A fix from the future is accepted; an old one is rejected,
    ///     because gpsd and some receivers repeat their last position.
    ///   - maximumAgeSeconds: the maximum age of the position.
    func fix(at now: Instant, maximumAgeSeconds: Int64, batteryPercent: Int?) -> TrackerFix? {
        guard let mode, mode >= 2, let lat, let lon else { return nil }
        let measured = time.flatMap { Instant(rfc3339: $0) } ?? now
        let oldest = now.adding(seconds: -maximumAgeSeconds)
        let newest = now.adding(seconds: maximumAgeSeconds)
        let at = measured >= oldest ? measured : measured.afterWeekRollovers.first { (oldest...newest).contains($0) }
        guard let at, Coordinate(latitude: lat, longitude: lon)?.isNullIsland != true else { return nil }
        let altitude = mode >= 3 ? altMSL ?? alt ?? altHAE : nil
        // One number out of range must not discard the position.
        return try? TrackerFix(
            at: at, latitude: lat, longitude: lon,
            accuracyMetres: accuracyMetres.flatMap { (0...1_000_000).contains($0) ? $0 : nil },
            altitudeMetres: altitude.flatMap { (-10_000...100_000).contains($0) ? $0 : nil },
            speedMetresPerSecond: speed.flatMap { (0...1_000).contains($0) ? $0 : nil },
            headingDegrees: track.flatMap { (0...360).contains($0) ? $0 : nil }, batteryPercent: batteryPercent
        )
    }
}

/// Selects one of the incoming positions: the first accurate one, or the best of the first seconds.
struct FixChoice: Sendable {
    private var best: TrackerFix?
    private var firstAt: Instant?

    /// The accuracy in metres that is accepted at once.
    static let goodMetres = 20.0
    /// The time in seconds to wait for a better position.
    static let patienceSeconds: Int64 = 8

    /// Adds a position; returns the selected one as soon as the choice is final.
    mutating func add(_ fix: TrackerFix, at now: Instant) -> TrackerFix? {
        if let accuracy = fix.accuracyMetres, accuracy <= Self.goodMetres { return fix }
        let since = min(firstAt ?? now, now)
        firstAt = since
        if error(of: fix) <= best.map(error) ?? .infinity { best = fix }
        return now >= since.adding(seconds: Self.patienceSeconds) ? best : nil
    }

    /// The best position so far, for use after the timeout.
    var atLast: TrackerFix? { best }

    private func error(of fix: TrackerFix) -> Double { fix.accuracyMetres ?? .greatestFiniteMagnitude }
}
