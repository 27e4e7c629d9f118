import Foundation
import Kernel

/// The JSON form of the server's responses.
enum DownlinkJSON {
    private struct Body: Encodable {
        var version: Int
        var counter: Int64
        var at: Instant
        var binding: TrackerBindingID?
        var settings: SettingsBody
        var commands: [CommandBody]

        enum CodingKeys: CodingKey { case version, counter, at, binding, settings, commands }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(version, forKey: .version)
            try container.encode(counter, forKey: .counter)
            try container.encode(at, forKey: .at)
            try container.encode(binding, forKey: .binding)
            try container.encode(settings, forKey: .settings)
            try container.encode(commands, forKey: .commands)
        }
    }

    private struct SettingsBody: Codable {
        var locateMinutes: Int
        var distance: Double?
        /// Omitted unless `true`.
        var lost: Bool?

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(locateMinutes, forKey: .locateMinutes)
            try container.encode(distance, forKey: .distance)
            try container.encodeIfPresent(lost, forKey: .lost)
        }
    }

    private struct CommandBody: Codable {
        var id: TrackerCommandID
        var kind: String
        var issuedAt: Instant
        var expiresAt: Instant?

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            try container.encode(kind, forKey: .kind)
            try container.encode(issuedAt, forKey: .issuedAt)
            try container.encode(expiresAt, forKey: .expiresAt)
        }
    }

    private struct RefusalBody: Encodable {
        var version: Int
        var counter: Int64
        var at: Instant
        var refused: String
        var lastCounter: Int64?
    }

    private struct Incoming: Decodable {
        var version: Int
        var counter: Int64
        var at: Instant
        var binding: TrackerBindingID?
        var settings: SettingsBody?
        var commands: [CommandBody]?
        var refused: String?
        var lastCounter: Int64?
    }

    private static let stale = "stale"
    private static let malformed = "malformed"

    static func encode(_ downlink: Downlink) -> [UInt8] {
        let settings = SettingsBody(
            locateMinutes: downlink.settings.locateMinutes, distance: downlink.settings.distanceMetres,
            lost: downlink.settings.isLost ? true : nil
        )
        let commands = downlink.commands.compactMap { command in
            command.kind.map { kind in
                CommandBody(
                    id: command.id, kind: kind.rawValue, issuedAt: command.issuedAt, expiresAt: command.expiresAt
                )
            }
        }
        return JSONText.encode(
            Body(
                version: UplinkJSON.version, counter: downlink.counter, at: downlink.at, binding: downlink.binding,
                settings: settings, commands: commands
            )
        )
    }

    static func encode(refusing refusal: UplinkRefusal, at: Instant) -> [UInt8]? {
        let version = UplinkJSON.version
        switch refusal {
        case .unauthenticated, .malformed(counter: nil):
            return nil
        case .malformed(.some(let counter)):
            return JSONText.encode(
                RefusalBody(version: version, counter: counter, at: at, refused: malformed, lastCounter: nil)
            )
        case .stale(let counter, let last):
            return JSONText.encode(
                RefusalBody(version: version, counter: counter, at: at, refused: stale, lastCounter: last)
            )
        }
    }

    static func decode(_ body: [UInt8], counter: Int64) throws(DownlinkFailure) -> DownlinkResponse {
        guard let incoming = JSONText.decode(Incoming.self, from: body), incoming.version == UplinkJSON.version
        else { throw .malformed }
        guard incoming.counter == counter else { throw .otherMessage }
        switch incoming.refused {
        case stale:
            // The tracker needs a higher counter to continue from.
            guard let last = incoming.lastCounter, (counter..<Int64.max).contains(last) else { throw .malformed }
            return .stale(last: last)
        case malformed:
            return .malformed
        case .some:
            throw .malformed
        case nil:
            return .accepted(try accepted(incoming))
        }
    }

    private static func accepted(_ incoming: Incoming) throws(DownlinkFailure) -> Downlink {
        let commands = incoming.commands ?? []
        guard let settings = incoming.settings, commands.count <= Limits.commandsPerMessage else { throw .malformed }
        return Downlink(
            counter: incoming.counter, at: incoming.at, binding: incoming.binding,
            settings: TrackerSettings(
                locateMinutes: settings.locateMinutes, distanceMetres: settings.distance, isLost: settings.lost ?? false
            ),
            commands: commands.map { body in
                TrackerCommand(
                    id: body.id, kind: TrackerCommandKind(rawValue: body.kind), issuedAt: body.issuedAt,
                    expiresAt: body.expiresAt
                )
            }
        )
    }
}
