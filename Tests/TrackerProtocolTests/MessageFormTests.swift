import Foundation
import Kernel
import Testing
import TrackerProtocol

@Suite struct MessageFormTests {
    let meeting: ChannelPairFixture

    init() throws { meeting = try ChannelPairFixture() }

    /// Seals any text with the tracker's key, as another implementation of the tracker would.
    private func receive(_ text: String) throws -> Uplink {
        let sealed = sign(Array(text.utf8))
        guard
            case .fresh(let uplink, _) = try meeting.server.receive(
                sealed.body, signature: sealed.signature, last: nil
            )
        else { throw MissingSample() }
        return uplink
    }

    private func sign(_ body: [UInt8]) -> SealedMessage {
        SealedMessage(body: body, signature: DocumentSigner.uplink(body, id: meeting.id, stored: meeting.keys.stored))
    }

    private static let head =
        #"{"version":1,"counter":3,"at":"2026-03-01T12:00:00Z","state":"active","mode":"cellular""#

    @Test("Key order, white space, unknown keys and omitted optional keys don't matter")
    func spellings() throws {
        let uplink = try receive(
            """
            { "mode" : "bluetooth", "colour": {"deep": [1, null]}, "state":"off", "counter": 3.0,
              "at":"2026-03-01T13:00:00+01:00", "battery": null, "version": 1 }
            """
        )
        #expect(uplink == Uplink(counter: 3, at: noon, phase: .off, mode: .bluetooth, batteryPercent: nil))
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        var counter: Int64? = 3
        var testDescription: String { name }
    }

    static let bad = [
        Bad(name: "empty", text: "", counter: nil),
        Bad(name: "no JSON", text: "{", counter: nil),
        Bad(name: "no object", text: "[1]", counter: nil),
        Bad(name: "no counter", text: #"{"version":1}"#, counter: nil),
        Bad(name: "counter zero", text: #"{"counter":0}"#, counter: nil),
        Bad(name: "counter too great", text: #"{"counter":9223372036854775808}"#, counter: nil),
        Bad(name: "counter as text", text: #"{"counter":"3"}"#, counter: nil),
        Bad(name: "other version", text: head.replacingOccurrences(of: #""version":1"#, with: #""version":2"#) + "}"),
        Bad(name: "unknown state", text: head.replacingOccurrences(of: "active", with: "asleep") + "}"),
        Bad(name: "unknown mode", text: head.replacingOccurrences(of: "cellular", with: "pigeon") + "}"),
        Bad(name: "battery 101", text: head + #","battery":101}"#),
        Bad(name: "dropped negative", text: head + #","dropped":-1}"#),
        Bad(name: "SIM card zero", text: head + #","hologramDevice":0}"#),
        Bad(name: "SIM card as text", text: head + #","hologramDevice":"5"}"#),
        Bad(name: "fixes no list", text: head + #","fixes":{}}"#),
        Bad(
            name: "201 fixes",
            text: head + #","fixes":["# + Array(repeating: "{}", count: 201).joined(separator: ",") + "]}"),
        Bad(
            name: "unknown result",
            text: head + #","acknowledgements":[{"id":"019c0000-0000-7000-8000-0000000000c1","result":"maybe"}]}"#),
        Bad(
            name: "reason with control character",
            text: head
                + #","acknowledgements":[{"id":"019c0000-0000-7000-8000-0000000000c1","result":"failed","reason":"a\nb"}]}"#
        ),
    ]

    @Test("An authentic message that can't be read is rejected as malformed", arguments: bad)
    func malformed(_ bad: Bad) {
        #expect(throws: UplinkRefusal.malformed(counter: bad.counter)) { try receive(bad.text) }
    }

    @Test("An invalid fix is reported with its reason; the others are accepted")
    func unusableFixes() throws {
        let entries: [(text: String, failure: TrackerFix.Failure?)] = [
            (#"{"at":"2026-03-01T12:00:00.999Z","latitude":90,"longitude":-180}"#, nil),
            (#"{"at":"2026-03-01T12:00:01Z","latitude":91,"longitude":0}"#, .latitude),
            (#"{"at":"2026-03-01T12:00:01Z","latitude":0,"longitude":180.1}"#, .longitude),
            (#"{"at":"2026-03-01T12:00:01Z","latitude":0}"#, .longitude),
            (#"{"latitude":0,"longitude":0}"#, .at),
            (#"{"at":"yesterday","latitude":0,"longitude":0}"#, .shape),
            (#"{"at":"2026-03-01T12:00:01Z","latitude":"1","longitude":0}"#, .shape),
            ("7", .shape),
            (#"{"at":"2026-03-01T12:00:01Z","latitude":0,"longitude":0,"accuracy":-1}"#, .accuracy),
            (#"{"at":"2026-03-01T12:00:01Z","latitude":0,"longitude":0,"altitude":1e9}"#, .altitude),
            (#"{"at":"2026-03-01T12:00:01Z","latitude":0,"longitude":0,"speed":1001}"#, .speed),
            (#"{"at":"2026-03-01T12:00:01Z","latitude":0,"longitude":0,"heading":361}"#, .heading),
            (#"{"at":"2026-03-01T12:00:01Z","latitude":0,"longitude":0,"battery":101}"#, .battery),
            (#"{"at":"2026-03-01T12:00:02Z","latitude":-0.00000001,"longitude":0,"heading":360}"#, nil),
        ]
        let text = Self.head + #","fixes":["# + entries.map(\.text).joined(separator: ",") + "]}"
        let uplink = try receive(text)
        let expected = entries.enumerated().compactMap { index, entry in
            entry.failure.map { UnusableFix(index: index, failure: $0) }
        }
        #expect(uplink.unusableFixes == expected)
        #expect(
            uplink.fixes == [
                try TrackerFix(at: noon, latitude: 90, longitude: -180),
                try TrackerFix(at: noon.adding(seconds: 2), latitude: 0, longitude: 0, headingDegrees: 0),
            ]
        )
    }

    @Test("The largest message stays below the limit of a body") func greatest() throws {
        let fixes = try (0..<Limits.fixesPerMessage).map { index in
            try TrackerFix(
                at: noon.adding(seconds: Int64(index)), latitude: -89.1234567, longitude: -179.1234567,
                accuracyMetres: 123_456.7, altitudeMetres: -1_234.5, speedMetresPerSecond: 123.45,
                headingDegrees: 359.9,
                batteryPercent: 100
            )
        }
        let reason = String(repeating: "\\", count: Limits.commandReasonCharacters)
        let acknowledgements = (0..<Limits.acknowledgementsPerMessage).map { index in
            Acknowledgement(
                id: TrackerCommandID(at: noon, series: Int64(index)), result: .superseded, reason: reason
            )
        }
        let uplink = Uplink(
            counter: .max, at: noon, phase: .registering, mode: .bluetooth, batteryPercent: 100, fixes: fixes,
            acknowledgements: acknowledgements, droppedFixes: .max
        )
        let sealed = meeting.tracker.seal(uplink)
        #expect(sealed.body.count <= Limits.ingestBytes)
        guard
            case .fresh(let read, _) = try meeting.server.receive(
                sealed.body, signature: sealed.signature, last: nil
            )
        else { throw MissingSample() }
        #expect(read == uplink)
    }

    @Test("The SIM card's id and the loss of an item are sent only when they apply")
    func optionalKeys() throws {
        #expect(try receive(Self.head + #","hologramDevice":1827718}"#).hologramDevice == 1_827_718)
        #expect(try receive(Self.head + #","hologramDevice":null}"#).hologramDevice == nil)
        let settings = [
            TrackerSettings(locateMinutes: 10, distanceMetres: 40, isLost: true),
            TrackerSettings(locateMinutes: 10, distanceMetres: 4, isLost: false),
        ]
        for settings in settings {
            let downlink = Downlink(counter: 7, at: noon, binding: nil, settings: settings)
            let sealed = meeting.server.seal(downlink)
            #expect(String(decoding: sealed.body, as: UTF8.self).contains("lost") == settings.isLost)
            let answer = try meeting.tracker.open(sealed.body, signature: sealed.signature, counter: 7)
            #expect(answer == .accepted(downlink))
        }
    }

    @Test("A command of an unknown kind reaches the tracker as unknown") func unknownKind() throws {
        let text = """
            {"version":1,"counter":7,"at":"2026-03-01T12:00:00Z","binding":null,
             "settings":{"locateMinutes":0,"distance":-1},
             "commands":[{"id":"019c0000-0000-7000-8000-0000000000c2","kind":"dance","issuedAt":"2026-03-01T12:00:00Z"}]}
            """
        let body = Array(text.utf8)
        let signature = DocumentSigner.downlink(body, id: meeting.id, stored: meeting.keys.stored)
        guard case .accepted(let downlink) = try meeting.tracker.open(body, signature: signature, counter: 7) else {
            throw MissingSample()
        }
        #expect(downlink.commands.map(\.kind) == [nil])
        #expect(downlink.commands.map(\.expiresAt) == [nil])
        #expect(downlink.settings == TrackerSettings(locateMinutes: 1, distanceMetres: nil))
        #expect(downlink.binding == nil)
    }

    @Test("First contacts read back; invalid ones are rejected with the field's name") func firstContact() throws {
        let contact = FirstContact(publicKey: Array(0..<32), codeHash: Array(32..<64))
        #expect(try FirstContact.read(contact.encoded()) == contact)
        let good = String(repeating: "0A", count: 32)
        let cases: [(text: String, failure: FirstContactFailure)] = [
            ("", .malformed), ("{", .malformed), ("[]", .invalid(field: "publicKey")),
            ("{}", .invalid(field: "publicKey")), (#"{"publicKey":7}"#, .invalid(field: "publicKey")),
            (#"{"publicKey":"\#(good)"}"#, .invalid(field: "codeHash")),
            (#"{"publicKey":"\#(good)","codeHash":"\#(good)0"}"#, .invalid(field: "codeHash")),
            (#"{"publicKey":"\#(good)x","codeHash":"\#(good)"}"#, .invalid(field: "publicKey")),
        ]
        for (text, failure) in cases {
            #expect(throws: failure) { try FirstContact.read(Array(text.utf8)) }
        }
        let answer = FirstContactResponse(id: meeting.id, publicKey: Array(0..<32))
        #expect(FirstContactResponse(answer.encoded()) == answer)
        #expect(FirstContactResponse(Array("{}".utf8)) == nil)
    }
}
