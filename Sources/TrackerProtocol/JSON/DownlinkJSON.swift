import Kernel

/// The JSON form of the server's responses.
enum DownlinkJSON {
    private static let stale = "stale"
    private static let malformed = "malformed"

    static func encode(_ downlink: Downlink) -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.member("at", downlink.at)
            json.member("binding", downlink.binding)
            json.name("commands")
            json.list { json in
                for command in downlink.commands { write(command, to: &json) }
            }
            json.member("counter", downlink.counter)
            json.name("settings")
            json.object { json in
                json.member("distance", downlink.settings.distanceMetres)
                json.member("locateMinutes", Int64(downlink.settings.locateMinutes))
                if downlink.settings.isLost { json.member("lost", true) }
            }
            json.member("version", UplinkJSON.version)
        }
        return json.bytes
    }

    /// Omits a command of a kind that this code doesn't know.
    private static func write(_ command: TrackerCommand, to json: inout JSONText) {
        guard let kind = command.kind else { return }
        json.object { json in
            json.member("expiresAt", command.expiresAt)
            json.member("id", command.id)
            json.member("issuedAt", command.issuedAt)
            json.member("kind", kind.rawValue)
        }
    }

    static func encode(refusing refusal: UplinkRefusal, at: Instant) -> [UInt8]? {
        switch refusal {
        case .unauthenticated, .malformed(counter: nil): nil
        case .malformed(.some(let counter)): encode(malformed, counter: counter, last: nil, at: at)
        case .stale(let counter, let last): encode(stale, counter: counter, last: last, at: at)
        }
    }

    private static func encode(_ reason: String, counter: Int64, last: Int64?, at: Instant) -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.member("at", at)
            json.member("counter", counter)
            if let last { json.member("lastCounter", last) }
            json.member("refused", reason)
            json.member("version", UplinkJSON.version)
        }
        return json.bytes
    }

    static func decode(_ body: [UInt8], counter: Int64) throws(DownlinkFailure) -> DownlinkResponse {
        guard let json = JSONReader.value(of: body) else { throw .malformed }
        let accepted: Downlink?
        do { accepted = try downlink(json) } catch { throw .malformed }
        guard json["counter"]?.whole == counter else { throw .otherMessage }
        switch json["refused"]?.text {
        case stale:
            // The tracker needs a higher counter to continue from.
            guard let last = json["lastCounter"]?.whole, (counter..<Int64.max).contains(last) else { throw .malformed }
            return .stale(last: last)
        case malformed:
            return .malformed
        case .some:
            throw .malformed
        case nil:
            guard let accepted else { throw .malformed }
            return .accepted(accepted)
        }
    }

    /// Returns the message; `nil` if it has no settings, as a refusal, or too many commands.
    private static func downlink(_ json: JSONValue) throws(JSONTypeMismatch) -> Downlink? {
        guard json["version"]?.whole == UplinkJSON.version else { throw JSONTypeMismatch() }
        _ = try json.optional("refused", \.text)
        _ = try json.optional("lastCounter", \.whole)
        let commands = try (json.optional("commands", \.list) ?? []).map(command)
        let settings = try json.optional("settings", \.object)
        let counter = try json.required("counter", \.whole)
        let at = try json.required("at", \.instant)
        let binding: TrackerBindingID? = try json.optional("binding") { $0.id() }
        guard let settings = try settings.map(self.settings), commands.count <= Limits.commandsPerMessage else {
            return nil
        }
        return Downlink(counter: counter, at: at, binding: binding, settings: settings, commands: commands)
    }

    private static func settings(_ json: JSONValue) throws(JSONTypeMismatch) -> TrackerSettings {
        TrackerSettings(
            locateMinutes: try json.required("locateMinutes", \.integer),
            distanceMetres: try json.optional("distance", \.double),
            isLost: try json.optional("lost", \.boolean) ?? false
        )
    }

    private static func command(_ json: JSONValue) throws(JSONTypeMismatch) -> TrackerCommand {
        TrackerCommand(
            id: try json.required("id") { $0.id() },
            kind: TrackerCommandKind(rawValue: try json.required("kind", \.text)),
            issuedAt: try json.required("issuedAt", \.instant), expiresAt: try json.optional("expiresAt", \.instant)
        )
    }
}
