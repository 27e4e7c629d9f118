import Kernel
import TrackerProtocol

/// Traccar Client's JSON: speed always in metres per second, −1 for unknown, battery from 0 to 1. The app's library can
/// put several positions into one message; `location` is an array then.
struct TraccarJSON {
    private let fields: LooseFields

    /// The device id in the message, which is the source's secret.
    var deviceID: String? { fields.string("device_id") }

    /// - Throws: The reason that the body isn't a JSON object.
    init(_ body: [UInt8]) throws(LooseFields.Failure) { fields = try LooseFields.read(body) }

    /// The content of the message: one position, or each of several.
    func decoded() -> [DecodedMessage] {
        if let locations = fields.objects("location") {
            guard locations.count <= Limits.fixesPerMessage else { return [.unusable(.unexpectedShape)] }
            return locations.map { $0.map(decoded) ?? .unusable(.unexpectedShape) }
        }
        do throws(QuarantineReason) {
            return [try fields.object("location").map(decoded) ?? .nothing]
        } catch {
            return [.unusable(error)]
        }
    }

    private func decoded(_ location: LooseFields) -> DecodedMessage {
        do throws(QuarantineReason) {
            guard let coords = try location.object("coords") else { return .nothing }
            let latitude = try coords.number("latitude")
            let longitude = try coords.number("longitude")
            guard let coordinate = try FixAcceptance.place(latitude: latitude, longitude: longitude) else {
                return .nothing
            }
            let level = try location.object("battery")?.number("level")
            let report = Report(
                at: try time(location),
                coordinate: coordinate,
                accuracyMetres: try FixAcceptance.accuracy(coords.number("accuracy")),
                altitudeMetres: try FixAcceptance.altitude(coords.number("altitude")),
                speedMetresPerSecond: try FixAcceptance.speed(coords.number("speed")),
                headingDegrees: try FixAcceptance.heading(coords.number("heading")),
                batteryPercent: try FixAcceptance.battery(percent: level.map { $0 * 100 })
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
