import Foundation
import Kernel

/// The JSON form of a tracker's message.
enum UplinkJSON {
    /// The version that this code reads and writes.
    static let version = 1

    private struct Body: Codable {
        var version: Int
        var counter: Int64
        var at: Instant
        var state: String
        var mode: String
        var battery: Int?
        var fixes: [FixBody]
        var acknowledgements: [AcknowledgementBody]
        var dropped: Int64
        var hologramDevice: Int64?
    }

    private struct FixBody: Codable {
        var at: Instant?
        var latitude: Double?
        var longitude: Double?
        var accuracy: Double?
        var altitude: Double?
        var speed: Double?
        var heading: Double?
        var battery: Int?
    }

    private struct AcknowledgementBody: Codable {
        var id: TrackerCommandID
        var result: String
        var reason: String?
    }

    private struct Incoming: Decodable {
        var version: Int
        var counter: Int64
        var at: Instant
        var state: String
        var mode: String
        var battery: Int?
        var fixes: [Lossy<FixBody>]?
        var acknowledgements: [AcknowledgementBody]?
        var dropped: Int64?
        var hologramDevice: Int64?
    }

    private struct CounterOnly: Decodable {
        var counter: Int64
    }

    static func encode(_ uplink: Uplink) -> [UInt8] {
        let fixes = uplink.fixes.map { fix in
            FixBody(
                at: fix.at, latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude,
                accuracy: fix.accuracyMetres, altitude: fix.altitudeMetres, speed: fix.speedMetresPerSecond,
                heading: fix.headingDegrees, battery: fix.batteryPercent
            )
        }
        let acknowledgements = uplink.acknowledgements.map { acknowledgement in
            AcknowledgementBody(
                id: acknowledgement.id, result: acknowledgement.result.rawValue, reason: acknowledgement.reason
            )
        }
        return JSONText.encode(
            Body(
                version: version, counter: uplink.counter, at: uplink.at, state: uplink.phase.rawValue,
                mode: uplink.mode.rawValue, battery: uplink.batteryPercent, fixes: fixes,
                acknowledgements: acknowledgements, dropped: uplink.droppedFixes,
                hologramDevice: uplink.hologramDevice
            )
        )
    }

    static func decode(_ body: [UInt8]) throws(UplinkRefusal) -> Uplink {
        guard let counter = JSONText.decode(CounterOnly.self, from: body)?.counter, counter > 0 else {
            throw .malformed(counter: nil)
        }
        let incoming = JSONText.decode(Incoming.self, from: body)
        guard let incoming, let uplink = check(incoming) else { throw .malformed(counter: counter) }
        return uplink
    }

    private static func check(_ incoming: Incoming) -> Uplink? {
        let entries = incoming.fixes ?? []
        let acknowledgementBodies = incoming.acknowledgements ?? []
        guard
            incoming.version == version, incoming.battery.map({ (0...100).contains($0) }) ?? true,
            let phase = TrackerPhase(rawValue: incoming.state), let mode = TrackerMode(rawValue: incoming.mode),
            entries.count <= Limits.fixesPerMessage, incoming.dropped ?? 0 >= 0, incoming.hologramDevice ?? 1 >= 1,
            acknowledgementBodies.count <= Limits.acknowledgementsPerMessage
        else { return nil }
        let acknowledgements = acknowledgementBodies.compactMap(acknowledgement)
        guard acknowledgements.count == acknowledgementBodies.count else { return nil }
        var fixes: [TrackerFix] = []
        var unusable: [UnusableFix] = []
        for (index, entry) in entries.enumerated() {
            do throws(TrackerFix.Failure) {
                fixes.append(try fix(entry.value))
            } catch {
                unusable.append(UnusableFix(index: index, failure: error))
            }
        }
        return Uplink(
            counter: incoming.counter, at: incoming.at, phase: phase, mode: mode, batteryPercent: incoming.battery,
            fixes: fixes, unusableFixes: unusable, acknowledgements: acknowledgements,
            droppedFixes: incoming.dropped ?? 0, hologramDevice: incoming.hologramDevice
        )
    }

    private static func fix(_ body: FixBody?) throws(TrackerFix.Failure) -> TrackerFix {
        guard let body else { throw .shape }
        guard let at = body.at else { throw .at }
        guard let latitude = body.latitude else { throw .latitude }
        guard let longitude = body.longitude else { throw .longitude }
        return try TrackerFix(
            at: at, latitude: latitude, longitude: longitude, accuracyMetres: body.accuracy,
            altitudeMetres: body.altitude, speedMetresPerSecond: body.speed, headingDegrees: body.heading,
            batteryPercent: body.battery
        )
    }

    private static func acknowledgement(_ body: AcknowledgementBody) -> Acknowledgement? {
        guard let result = TrackerCommandResult(rawValue: body.result) else { return nil }
        let reason = body.reason ?? ""
        let isShort = reason.utf8.count <= Limits.commandReasonCharacters
        guard isShort, reason.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else { return nil }
        return Acknowledgement(id: body.id, result: result, reason: body.reason)
    }
}
