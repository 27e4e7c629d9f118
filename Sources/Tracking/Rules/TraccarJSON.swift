import Kernel

/// Traccar Client's JSON: metres per second always, −1 for unknown, battery from 0 to 1.
struct TraccarJSON {
    private let fields: LooseFields

    /// What the device calls itself: the source's secret.
    var deviceID: String? { fields.string("device_id") }

    /// - Throws: what the body is instead of a JSON object.
    init(_ body: [UInt8]) throws(LooseFields.Failure) { fields = try LooseFields.read(body) }

    func decoded() -> DecodedMessage {
        do throws(QuarantineReason) {
            guard let location = try fields.object("location"), let coords = try location.object("coords") else {
                return .nothing
            }
            let latitude = try coords.number("latitude")
            let longitude = try coords.number("longitude")
            guard let coordinate = try FixAcceptance.place(latitude: latitude, longitude: longitude) else {
                return .nothing
            }
            let level = try location.object("battery")?.number("level")
            let report = Report(
                at: try time(location),
                coordinate: coordinate,
                accuracyMetres: FixAcceptance.notNegative(try coords.number("accuracy")),
                altitudeMetres: FixAcceptance.finite(try coords.number("altitude")),
                speedMetresPerSecond: FixAcceptance.notNegative(try coords.number("speed")),
                headingDegrees: FixAcceptance.heading(try coords.number("heading")),
                batteryPercent: FixAcceptance.battery(percent: level.map { $0 * 100 })
            )
            return .report(report)
        } catch {
            return .unusable(error)
        }
    }

    private func time(_ location: LooseFields) throws(QuarantineReason) -> Instant? {
        guard location.isPresent("timestamp") else { return nil }
        if let text = location.string("timestamp"), let instant = TimestampText.instant(text) { return instant }
        if let number = try? location.number("timestamp"), let instant = TimestampText.instant(String(number)) {
            return instant
        }
        throw .unreadableTime
    }
}
