import Kernel

/// The JSON form of a tracker's message. All messages are written with sorted names and no white space, so that the
/// same content always gives the same bytes.
enum UplinkJSON {
    /// The version that this code reads and writes.
    static let version: Int64 = 1

    static func encode(_ uplink: Uplink) -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.name("acknowledgements")
            json.list { json in
                for acknowledgement in uplink.acknowledgements { write(acknowledgement, to: &json) }
            }
            json.member("at", uplink.at)
            if let percent = uplink.batteryPercent { json.member("battery", Int64(percent)) }
            json.member("counter", uplink.counter)
            json.member("dropped", uplink.droppedFixes)
            json.name("fixes")
            json.list { json in
                for fix in uplink.fixes { write(fix, to: &json) }
            }
            if let device = uplink.hologramDevice { json.member("hologramDevice", device) }
            json.member("mode", uplink.mode.rawValue)
            json.member("state", uplink.phase.rawValue)
            json.member("version", version)
        }
        return json.bytes
    }

    private static func write(_ fix: TrackerFix, to json: inout JSONText) {
        json.object { json in
            if let accuracy = fix.accuracyMetres { json.member("accuracy", accuracy) }
            if let altitude = fix.altitudeMetres { json.member("altitude", altitude) }
            json.member("at", fix.at)
            if let percent = fix.batteryPercent { json.member("battery", Int64(percent)) }
            if let heading = fix.headingDegrees { json.member("heading", heading) }
            json.member("latitude", fix.coordinate.latitude)
            json.member("longitude", fix.coordinate.longitude)
            if let speed = fix.speedMetresPerSecond { json.member("speed", speed) }
        }
    }

    private static func write(_ acknowledgement: Acknowledgement, to json: inout JSONText) {
        json.object { json in
            json.member("id", acknowledgement.id)
            if let reason = acknowledgement.reason { json.member("reason", reason) }
            json.member("result", acknowledgement.result.rawValue)
        }
    }

    static func decode(_ body: [UInt8]) throws(UplinkRefusal) -> Uplink {
        guard let json = JSONReader.value(of: body), let counter = json["counter"]?.whole, counter > 0 else {
            throw .malformed(counter: nil)
        }
        guard let uplink = try? uplink(json, counter: counter) else { throw .malformed(counter: counter) }
        return uplink
    }

    private static func uplink(_ json: JSONValue, counter: Int64) throws(JSONTypeMismatch) -> Uplink {
        let battery = try json.optional("battery", \.integer)
        let entries = try json.optional("fixes", \.list) ?? []
        let acknowledgements = try json.optional("acknowledgements", \.list) ?? []
        let dropped = try json.optional("dropped", \.whole) ?? 0
        let device = try json.optional("hologramDevice", \.whole)
        guard
            json["version"]?.whole == version, battery.map({ (0...100).contains($0) }) ?? true,
            entries.count <= Limits.fixesPerMessage, dropped >= 0, device ?? 1 >= 1,
            acknowledgements.count <= Limits.acknowledgementsPerMessage
        else { throw JSONTypeMismatch() }
        var fixes: [TrackerFix] = []
        var unusable: [UnusableFix] = []
        for (index, entry) in entries.enumerated() {
            do throws(TrackerFix.Failure) {
                fixes.append(try fix(entry))
            } catch {
                unusable.append(UnusableFix(index: index, failure: error))
            }
        }
        return Uplink(
            counter: counter, at: try json.required("at", \.instant),
            phase: try json.required("state") { $0.text.flatMap(TrackerPhase.init) },
            mode: try json.required("mode") { $0.text.flatMap(TrackerMode.init) },
            batteryPercent: battery, fixes: fixes, unusableFixes: unusable,
            acknowledgements: try acknowledgements.map(acknowledgement), droppedFixes: dropped, hologramDevice: device
        )
    }

    private static func fix(_ json: JSONValue) throws(TrackerFix.Failure) -> TrackerFix {
        let at: Instant?
        let percent: Int?
        var numbers: [MemberName: Double] = [:]
        do {
            guard json.object != nil else { throw JSONTypeMismatch() }
            at = try json.optional("at", \.instant)
            percent = try json.optional("battery", \.integer)
            for name in numberNames { numbers[name] = try json.optional(name, \.double) }
        } catch {
            throw .shape
        }
        guard let at else { throw .at }
        guard let latitude = numbers["latitude"] else { throw .latitude }
        guard let longitude = numbers["longitude"] else { throw .longitude }
        return try TrackerFix(
            at: at, latitude: latitude, longitude: longitude, accuracyMetres: numbers["accuracy"],
            altitudeMetres: numbers["altitude"], speedMetresPerSecond: numbers["speed"],
            headingDegrees: numbers["heading"], batteryPercent: percent
        )
    }

    private static let numberNames: [MemberName] = [
        "latitude", "longitude", "accuracy", "altitude", "speed", "heading",
    ]

    private static func acknowledgement(_ json: JSONValue) throws(JSONTypeMismatch) -> Acknowledgement {
        let reason = try json.optional("reason", \.text)
        let isShort = reason?.utf8.count ?? 0 <= Limits.commandReasonCharacters
        guard isShort, reason?.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) ?? true else { throw JSONTypeMismatch() }
        return Acknowledgement(
            id: try json.required("id") { $0.id() },
            result: try json.required("result") { $0.text.flatMap(TrackerCommandResult.init) }, reason: reason
        )
    }
}
