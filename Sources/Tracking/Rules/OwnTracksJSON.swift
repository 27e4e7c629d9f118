import Kernel

/// OwnTracks' JSON, plain or encrypted. Integers may come as floats; what is zero or unknown is left out.
enum OwnTracksJSON {
    /// - Parameter passphrase: opens encrypted messages.
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
            let accuracy = FixAcceptance.notNegative(try fields.number("acc"))
            let kilometresPerHour = FixAcceptance.notNegative(try fields.number("vel"))
            let report = Report(
                at: try time(fields),
                coordinate: coordinate,
                accuracyMetres: accuracy == 0 ? nil : accuracy,
                altitudeMetres: FixAcceptance.finite(try fields.number("alt")),
                speedMetresPerSecond: kilometresPerHour.map { $0 / 3.6 },
                headingDegrees: FixAcceptance.heading(try fields.number("cog")),
                batteryPercent: FixAcceptance.battery(percent: try fields.number("batt"))
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
