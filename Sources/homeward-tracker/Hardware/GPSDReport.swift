import Foundation
import Kernel
import TrackerProtocol

/// A line of gpsd (`gpsd_json(5)`), as far as it concerns us. Keys that gpsd doesn't know the value of are absent.
enum GPSDReport: Equatable, Sendable {
    /// The greeting.
    case version(String)
    /// How many receivers gpsd knows.
    case devices(Int)
    /// Where the receiver is.
    case position(GPSDPosition)
    /// gpsd complains.
    case error(String)
    /// Anything else that is well-formed.
    case other

    private struct Line: Decodable {
        var `class`: String
        var release: String?
        var message: String?
        var devices: [Device]?
    }

    private struct Device: Decodable {}

    /// Reads a line; `nil` when it is none of gpsd's.
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

/// gpsd's *time, position, velocity*.
struct GPSDPosition: Decodable, Equatable, Sendable {
    /// 0 and 1: no fix; 2: without altitude; 3: with.
    var mode: Int?
    /// By the receiver's clock.
    var time: String?
    var lat: Double?
    var lon: Double?
    /// Estimated horizontal error in metres; of east and north alone in older receivers.
    var eph: Double?
    var epx: Double?
    var epy: Double?
    var altMSL: Double?
    var altHAE: Double?
    /// What gpsd before 3.20 had instead of the two above.
    var alt: Double?
    var speed: Double?
    var track: Double?

    /// Metres; `nil` when gpsd can't tell.
    var accuracyMetres: Double? {
        if let eph, eph > 0 { return eph }
        guard let epx, let epy, epx > 0 || epy > 0 else { return nil }
        return (epx * epx + epy * epy).squareRoot()
    }

    /// Whether it says where the receiver is, or was.
    var hasPlace: Bool { (mode ?? 0) >= 2 && lat != nil && lon != nil }

    /// The position as a fix; `nil` when there is none, or an old one.
    /// - Parameters:
    ///   - now: the clock of the board, which may not have been set yet: a fix that seems to come from the future is
    ///     believed, one that is old is not, since gpsd and some receivers repeat what they knew last.
    ///   - maximumAgeSeconds: older than this is old.
    func fix(at now: Instant, maximumAgeSeconds: Int64, batteryPercent: Int?) -> TrackerFix? {
        guard let mode, mode >= 2, let lat, let lon else { return nil }
        let at = time.flatMap { Instant(rfc3339: $0) } ?? now
        guard at >= now.adding(seconds: -maximumAgeSeconds) else { return nil }
        let altitude = mode >= 3 ? altMSL ?? alt ?? altHAE : nil
        // One number out of range must not cost the position.
        return try? TrackerFix(
            at: at, latitude: lat, longitude: lon,
            accuracyMetres: accuracyMetres.flatMap { (0...1_000_000).contains($0) ? $0 : nil },
            altitudeMetres: altitude.flatMap { (-10_000...100_000).contains($0) ? $0 : nil },
            speedMetresPerSecond: speed.flatMap { (0...1_000).contains($0) ? $0 : nil },
            headingDegrees: track.flatMap { (0...360).contains($0) ? $0 : nil }, batteryPercent: batteryPercent
        )
    }
}

/// Which of the positions that come in is taken: the first good one, or the best after a while.
struct FixChoice: Sendable {
    private var best: TrackerFix?
    private var firstAt: Instant?

    /// A position as good as this is taken at once.
    static let goodMetres = 20.0
    /// How long a better one is waited for.
    static let patienceSeconds: Int64 = 8

    /// Takes in a position; returns the one to keep as soon as that is settled.
    mutating func take(_ fix: TrackerFix, at now: Instant) -> TrackerFix? {
        if let accuracy = fix.accuracyMetres, accuracy <= Self.goodMetres { return fix }
        let since = min(firstAt ?? now, now)
        firstAt = since
        if error(of: fix) <= best.map(error) ?? .infinity { best = fix }
        return now >= since.adding(seconds: Self.patienceSeconds) ? best : nil
    }

    /// What there is when time is up.
    var atLast: TrackerFix? { best }

    private func error(of fix: TrackerFix) -> Double { fix.accuracyMetres ?? .greatestFiniteMagnitude }
}
