import Foundation
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

    private struct Line: Decodable {
        var `class`: String
        var release: String?
        var message: String?
        var devices: [Device]?
    }

    private struct Device: Decodable {}

    /// Parses a line; returns `nil` when it is not a report of gpsd.
    init?(_ line: [UInt8]) {
        guard JSONSyntax.isValid(line) else { return nil }
        let data = Data(line)
        guard let head = try? JSONDecoder().decode(Line.self, from: data) else { return nil }
        switch head.class {
        case "VERSION": self = .version(head.release ?? "")
        case "DEVICES": self = .devices(head.devices?.count ?? 0)
        case "ERROR": self = .error(head.message ?? "")
        case "TPV":
            guard let position = try? JSONDecoder().decode(GPSDPosition.self, from: data) else { return nil }
            self = .position(position)
        default: self = .other
        }
    }
}

/// A *time, position, velocity* report of gpsd.
struct GPSDPosition: Decodable, Equatable, Sendable {
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

    /// The accuracy in metres; `nil` when gpsd doesn't report it.
    var accuracyMetres: Double? {
        if let eph, eph > 0 { return eph }
        guard let epx, let epy, epx > 0 || epy > 0 else { return nil }
        return (epx * epx + epy * epy).squareRoot()
    }

    /// Whether the report contains a current or earlier position.
    var hasPlace: Bool { (mode ?? 0) >= 2 && lat != nil && lon != nil }

    /// Returns the position as a fix; `nil` when there is none or it is too old.
    /// - Parameters:
    ///   - now: the board's clock, which may not be set yet. A fix from the future is accepted; an old one is rejected,
    ///     because gpsd and some receivers repeat their last position.
    ///   - maximumAgeSeconds: the maximum age of the position.
    func fix(at now: Instant, maximumAgeSeconds: Int64, batteryPercent: Int?) -> TrackerFix? {
        guard let mode, mode >= 2, let lat, let lon else { return nil }
        let at = time.flatMap { Instant(rfc3339: $0) } ?? now
        guard at >= now.adding(seconds: -maximumAgeSeconds) else { return nil }
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
