import Kernel

/// OwnTracks' JSON, plain or encrypted. Integers may come as floats; the app omits values that are zero or unknown.
enum OwnTracksJSON {
    /// - Parameter passphrase: The passphrase for encrypted messages.
    static func decoded(_ body: [UInt8], passphrase: String) -> DecodedMessage {
        guard !body.isEmpty else { return .nothing }
        let fields: LooseFields
        do {
            fields = try LooseFields.read(body)
        } catch .notJSON {
            return .malformed
        } catch {
            return .unusable(.unexpectedShape)
        }
        guard fields.string("_type") == "encrypted" else { return location(fields) }
        guard let data = fields.string("data"), let inner = SecretBoxMessage.open(base64: data, passphrase: passphrase),
            let opened = try? LooseFields.read(inner), opened.string("_type") != "encrypted"
        else { return .unusable(.undecryptable) }
        return location(opened)
    }

    private static func location(_ fields: LooseFields) -> DecodedMessage {
        guard fields.string("_type") == "location" else { return .nothing }
        do throws(QuarantineReason) {
            let latitude = try fields.number("lat")
            let longitude = try fields.number("lon")
            guard let coordinate = try FixAcceptance.place(latitude: latitude, longitude: longitude) else {
                return .nothing
            }
            let accuracy = try FixAcceptance.accuracy(fields.number("acc"))
            let report = Report(
                at: try time(fields),
                coordinate: coordinate,
                accuracyMetres: accuracy == 0 ? nil : accuracy,
                altitudeMetres: try FixAcceptance.altitude(fields.number("alt")),
                speedMetresPerSecond: try FixAcceptance.speed(fields.number("vel"), metresPerSecond: 1 / 3.6),
                headingDegrees: try FixAcceptance.heading(fields.number("cog")),
                batteryPercent: try FixAcceptance.battery(percent: fields.number("batt"))
            )
            return .report(report)
        } catch {
            return .unusable(error)
        }
    }

    private static func time(_ fields: LooseFields) throws(QuarantineReason) -> Instant {
        guard let seconds = try? fields.number("tst") else { throw .unreadableTime }
        guard let instant = FixAcceptance.instant(secondsSince1970: seconds) else { throw .timeOutOfRange }
        return instant
    }
}
