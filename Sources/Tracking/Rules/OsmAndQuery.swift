import Kernel

/// OsmAnd's wire format: a query string, or the same pairs as a form.
struct OsmAndQuery {
    // An array, because a linear search over so few pairs is faster than a dictionary.
    private let pairs: [(name: String, value: String)]
    /// The device id in the message, which is the source's secret.
    let deviceID: String?

    /// Creates a query from decoded pairs. The last of several equal names counts, and an empty value counts as absent.
    init(_ pairs: [(name: String, value: String)]) {
        self.pairs = pairs
        deviceID = Self.value(of: "id", in: pairs) ?? Self.value(of: "deviceid", in: pairs)
    }

    private func value(_ name: String) -> String? { Self.value(of: name, in: pairs) }

    private static func value(of name: String, in pairs: [(name: String, value: String)]) -> String? {
        pairs.last { $0.name.utf8.elementsEqual(name.utf8) && !$0.value.isEmpty }?.value
    }

    func decoded(speedUnit: SpeedUnit) -> DecodedMessage {
        do throws(QuarantineReason) {
            guard let coordinate = try place() else { return .nothing }
            guard isValid else { return .unusable(.markedInvalid) }
            // Ten times the dilution of precision isn't an accuracy in metres. Receivers report 99.99 without a fix.
            if let dilution = try number("hdop"), dilution >= Limits.noFixDilution { throw .noFix }
            let report = Report(
                at: try time(),
                coordinate: coordinate,
                accuracyMetres: try FixAcceptance.accuracy(number("accuracy")),
                altitudeMetres: try FixAcceptance.altitude(number("altitude")),
                speedMetresPerSecond: try FixAcceptance.speed(
                    number("speed"), metresPerSecond: speedUnit.metresPerSecond),
                headingDegrees: try FixAcceptance.heading(bearing()),
                batteryPercent: try FixAcceptance.battery(percent: number("batt"))
            )
            return .report(report)
        } catch {
            return .unusable(error)
        }
    }

    private var isValid: Bool {
        guard let valid = value("valid") else { return true }
        return valid == "1" || valid.lowercased() == "true"
    }

    private func place() throws(QuarantineReason) -> Coordinate? {
        if value("lat") == nil, value("lon") == nil, let location = value("location") {
            let parts = location.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count == 2, let latitude = NumberText.value(parts[0].trimmed),
                let longitude = NumberText.value(parts[1].trimmed)
            else { throw .unreadableNumber }
            return try FixAcceptance.place(latitude: latitude, longitude: longitude)
        }
        return try FixAcceptance.place(latitude: number("lat"), longitude: number("lon"))
    }

    private func time() throws(QuarantineReason) -> Instant? {
        guard let text = value("timestamp") else { return nil }
        guard let instant = TimestampText.instant(text) else { throw .unreadableTime }
        return instant
    }

    private func bearing() throws(QuarantineReason) -> Double? {
        if let bearing = try number("bearing") { return bearing }
        return try number("heading")
    }

    private func number(_ name: String) throws(QuarantineReason) -> Double? {
        guard let text = value(name) else { return nil }
        guard let value = NumberText.value(text) else { throw .unreadableNumber }
        return value
    }
}

extension SpeedUnit {
    /// The speed in metres per second of one unit.
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
