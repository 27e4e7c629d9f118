import Kernel

/// OsmAnd's wire format: a query string, or the same as a form.
struct OsmAndQuery {
    private var fields: [String: String] = [:]
    /// What the device calls itself: the source's secret.
    let deviceID: String?

    /// Takes the decoded pairs; of a name that comes twice the last counts, and an empty value is none.
    init(_ pairs: [(name: String, value: String)]) {
        for pair in pairs where !pair.value.isEmpty { fields[pair.name] = pair.value }
        deviceID = fields["id"] ?? fields["deviceid"]
    }

    func decoded(speedUnit: SpeedUnit) -> DecodedMessage {
        do throws(QuarantineReason) {
            guard let coordinate = try place() else { return .nothing }
            guard isValid else { return .unusable(.markedInvalid) }
            let speed = FixAcceptance.notNegative(try number("speed"))
            // Ten times the dilution of precision is no accuracy in metres: it is only checked.
            _ = try number("hdop")
            let report = Report(
                at: try time(),
                coordinate: coordinate,
                accuracyMetres: FixAcceptance.notNegative(try number("accuracy")),
                altitudeMetres: try number("altitude"),
                speedMetresPerSecond: speed.map { $0 * speedUnit.metresPerSecond },
                headingDegrees: FixAcceptance.heading(try bearing()),
                batteryPercent: FixAcceptance.battery(percent: try number("batt"))
            )
            return .report(report)
        } catch {
            return .unusable(error)
        }
    }

    private var isValid: Bool {
        guard let valid = fields["valid"] else { return true }
        return valid == "1" || valid.lowercased() == "true"
    }

    private func place() throws(QuarantineReason) -> Coordinate? {
        if fields["lat"] == nil, fields["lon"] == nil, let location = fields["location"] {
            let parts = location.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count == 2, let latitude = NumberText.value(parts[0].trimmed),
                let longitude = NumberText.value(parts[1].trimmed)
            else { throw .unreadableNumber }
            return try FixAcceptance.place(latitude: latitude, longitude: longitude)
        }
        return try FixAcceptance.place(latitude: number("lat"), longitude: number("lon"))
    }

    private func time() throws(QuarantineReason) -> Instant? {
        guard let text = fields["timestamp"] else { return nil }
        guard let instant = TimestampText.instant(text) else { throw .unreadableTime }
        return instant
    }

    private func bearing() throws(QuarantineReason) -> Double? {
        if let bearing = try number("bearing") { return bearing }
        return try number("heading")
    }

    private func number(_ name: String) throws(QuarantineReason) -> Double? {
        guard let text = fields[name] else { return nil }
        guard let value = NumberText.value(text) else { throw .unreadableNumber }
        return value
    }
}

extension SpeedUnit {
    /// How many metres per second one of it is.
    var metresPerSecond: Double {
        switch self {
        case .knots: 1_852.0 / 3_600
        case .kmh: 1 / 3.6
        case .mps: 1
        case .mph: 0.44704
        }
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        drop { $0 == " " }
    }
}
