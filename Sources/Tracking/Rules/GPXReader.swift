import Kernel

/// Reads the histories that ``HistoryWriter`` writes as GPX, line by line. Other GPX files are refused.
struct GPXReader {
    /// One position with the kind of its source.
    struct Point: Equatable, Sendable {
        let source: FixSource
        let at: Instant
        let report: Report
    }

    /// The line isn't one of ours.
    struct Failure: Error, Equatable {}

    private enum Part {
        case declaration, head, name, points, tail, end
    }

    private var part = Part.declaration

    /// Whether the file is complete.
    var isComplete: Bool { part == .end }

    /// Reads the next line.
    /// - Returns: the position of the line; `nil` for a line without one.
    mutating func read(_ line: ArraySlice<UInt8>) throws(Failure) -> Point? {
        switch part {
        case .declaration: try expect(line, "<?xml version=", next: .head)
        case .head: try expect(line, "<gpx version=\"1.1\" creator=\"Homeward\"", next: .name)
        case .name: try expect(line, "<trk><name>", next: .points)
        case .points:
            guard line.starts(with: "</trkseg></trk>".utf8) else { return try Self.point(line) }
            part = .tail
        case .tail: try expect(line, "</gpx>", next: .end)
        case .end: guard line.isEmpty else { throw Failure() }
        }
        return nil
    }

    /// Whether a line is that of a position, which may be invalid.
    static func isPoint(_ line: ArraySlice<UInt8>) -> Bool { line.starts(with: pointStart.utf8) }

    private static let pointStart = "<trkpt lat=\""

    private mutating func expect(_ line: ArraySlice<UInt8>, _ start: String, next: Part) throws(Failure) {
        guard line.starts(with: start.utf8) else { throw Failure() }
        part = next
    }

    private static func point(_ line: ArraySlice<UInt8>) throws(Failure) -> Point {
        var rest = line
        let latitude = try take("<trkpt lat=\"", "\"", &rest)
        let longitude = try take(" lon=\"", "\">", &rest)
        let altitude = try takeOptional("<ele>", "</ele>", &rest)
        let time = try take("<time>", "</time>", &rest)
        let source = try take("<src>", "</src>", &rest)
        var (accuracy, speed, heading, battery): (String?, String?, String?, String?)
        if skip("<extensions>", &rest) {
            accuracy = try takeOptional("<homeward:accuracy>", "</homeward:accuracy>", &rest)
            speed = try takeOptional("<homeward:speed>", "</homeward:speed>", &rest)
            heading = try takeOptional("<homeward:heading>", "</homeward:heading>", &rest)
            battery = try takeOptional("<homeward:battery>", "</homeward:battery>", &rest)
            guard skip("</extensions>", &rest) else { throw Failure() }
        }
        guard skip("</trkpt>", &rest), rest.isEmpty, let at = Instant(rfc3339: time),
            let source = FixSource(rawValue: source)
        else { throw Failure() }
        return Point(
            source: source, at: at,
            report: try report(latitude, longitude, altitude, accuracy, speed, heading, battery, at: at))
    }

    /// Applies the rules of reported positions.
    private static func report(
        _ latitude: String, _ longitude: String, _ altitude: String?, _ accuracy: String?, _ speed: String?,
        _ heading: String?, _ battery: String?, at: Instant
    ) throws(Failure) -> Report {
        do {
            let place = try FixAcceptance.place(latitude: try number(latitude), longitude: try number(longitude))
            guard let place else { throw Failure() }
            return Report(
                at: at, coordinate: place, accuracyMetres: try FixAcceptance.accuracy(try number(accuracy)),
                altitudeMetres: try FixAcceptance.altitude(try number(altitude)),
                speedMetresPerSecond: try FixAcceptance.speed(try number(speed)),
                headingDegrees: try FixAcceptance.heading(try number(heading)),
                batteryPercent: try FixAcceptance.battery(percent: try number(battery)))
        } catch {
            throw Failure()
        }
    }

    private static func number(_ text: String?) throws(Failure) -> Double? {
        guard let text else { return nil }
        guard let value = Double(text), value.isFinite else { throw Failure() }
        return value
    }

    private static func skip(_ mark: StaticString, _ rest: inout ArraySlice<UInt8>) -> Bool {
        let bytes = UnsafeBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount)
        guard rest.starts(with: bytes) else { return false }
        rest = rest.dropFirst(bytes.count)
        return true
    }

    private static func take(
        _ start: StaticString, _ end: StaticString, _ rest: inout ArraySlice<UInt8>
    ) throws(Failure) -> String {
        guard let text = try takeOptional(start, end, &rest) else { throw Failure() }
        return text
    }

    private static func takeOptional(
        _ start: StaticString, _ end: StaticString, _ rest: inout ArraySlice<UInt8>
    ) throws(Failure) -> String? {
        guard skip(start, &rest) else { return nil }
        let text = rest.prefix { $0 != end.utf8Start[0] }
        rest = rest.dropFirst(text.count)
        guard skip(end, &rest), text.count <= Limits.gpxValueBytes, text.allSatisfy({ $0 < 0x80 }) else {
            throw Failure()
        }
        return String(decoding: text, as: UTF8.self)
    }
}
