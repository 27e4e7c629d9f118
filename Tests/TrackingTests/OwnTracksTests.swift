import CSodium
import Foundation
import Kernel
import Testing

@testable import Tracking

/// Messages of the OwnTracks app.
enum OwnTracksApp {
    static let location = """
        {"_type":"location","acc":15,"alt":440,"batt":46,"conn":"w","lat":46.0681247,"lon":11.1512805,"t":"u",\
        "tid":"5t","tst":1551874878,"vac":2,"vel":36,"cog":270}
        """

    static func location(_ latitude: Double, _ longitude: Double, at: Instant) -> [UInt8] {
        let seconds = at.millisecondsSince1970 / 1_000
        return Array(#"{"_type":"location","lat":\#(latitude),"lon":\#(longitude),"tst":\#(seconds),"batt":46}"#.utf8)
    }

    /// Encrypts with libsodium as the app does.
    static func encrypted(_ message: some Sequence<UInt8>, passphrase: String) -> [UInt8] {
        let message = Array(message)
        var key = Array(passphrase.utf8)
        key += [UInt8](repeating: 0, count: 32 - key.count)
        let nonce = [UInt8](0..<24)
        var box = [UInt8](repeating: 0, count: message.count + 16)
        #expect(crypto_secretbox_easy(&box, message, UInt64(message.count), nonce, key) == 0)
        let data = Data(nonce + box).base64EncodedString()
        return Array(#"{"_type":"encrypted","data":"\#(data)"}"#.utf8)
    }
}

@Suite("OwnTracks' format")
struct OwnTracksTests {
    private func decode(_ text: String) -> DecodedMessage {
        OwnTracksJSON.decoded(Array(text.utf8), passphrase: "s3cret")
    }

    @Test("The documented example is decoded completely")
    func example() throws {
        guard case .report(let report) = decode(OwnTracksApp.location) else {
            Issue.record("no report")
            return
        }
        #expect(report.at == Instant(millisecondsSince1970: 1_551_874_878_000))
        #expect(report.coordinate == Coordinate(latitude: 46.0681247, longitude: 11.1512805))
        #expect(report.accuracyMetres == 15)
        #expect(report.altitudeMetres == 440)
        #expect(report.batteryPercent == 46)
        #expect(report.speedMetresPerSecond == 10)
        #expect(report.headingDegrees == 270)
    }

    @Test("Floats are accepted for integers, and absent values are unknown")
    func loose() {
        guard
            case .report(let report) = decode(
                #"{"_type":"location","lat":1,"lon":2,"tst":1551874878.25,"acc":12.7,"batt":45.6,"alt":null}"#
            )
        else {
            Issue.record("no report")
            return
        }
        #expect(report.at == Instant(millisecondsSince1970: 1_551_874_878_250))
        #expect(report.accuracyMetres == 12.7)
        #expect(report.batteryPercent == 46)
        #expect(report.altitudeMetres == nil)
        #expect(report.speedMetresPerSecond == nil)
        guard
            case .report(let bare) = decode(#"{"_type":"location","lat":1,"lon":2,"tst":1551874878,"acc":0,"vel":-1}"#)
        else {
            Issue.record("no report")
            return
        }
        #expect(bare.accuracyMetres == nil)
        #expect(bare.speedMetresPerSecond == nil)
    }

    struct Case: Sendable {
        let body: String
        let expected: DecodedMessage
    }

    @Test(
        "Other messages are ignored, quarantined with a reason, or malformed",
        arguments: [
            Case(body: "", expected: .nothing),
            Case(
                body: #"{"_type":"transition","acc":1,"event":"enter","lat":1,"lon":2,"tst":1,"wtst":1}"#,
                expected: .nothing),
            Case(body: #"{"_type":"lwt","tst":1551874878}"#, expected: .nothing),
            Case(body: #"{"_type":"card"}"#, expected: .nothing),
            Case(body: #"{"_type":7}"#, expected: .nothing),
            Case(body: #"{"lat":1,"lon":2,"tst":1551874878}"#, expected: .nothing),
            Case(body: #"{"_type":"location","tst":1551874878}"#, expected: .nothing),
            Case(body: #"{"_type":"location","lat":1,"tst":1551874878}"#, expected: .unusable(.unreadableNumber)),
            Case(
                body: #"{"_type":"location","lat":"1","lon":2,"tst":1551874878}"#,
                expected: .unusable(.unreadableNumber)),
            Case(
                body: #"{"_type":"location","lat":1,"lon":2,"tst":1551874878,"acc":"x"}"#,
                expected: .unusable(.unreadableNumber)),
            Case(
                body: #"{"_type":"location","lat":91,"lon":2,"tst":1551874878}"#,
                expected: .unusable(.placeOutOfRange)),
            Case(
                body: #"{"_type":"location","lat":1e999,"lon":2,"tst":1551874878}"#,
                expected: .unusable(.unreadableNumber)),
            Case(body: #"{"_type":"location","lat":1,"lon":2}"#, expected: .unusable(.unreadableTime)),
            Case(body: #"{"_type":"location","lat":1,"lon":2,"tst":"now"}"#, expected: .unusable(.unreadableTime)),
            Case(body: #"{"_type":"location","lat":1,"lon":2,"tst":1e30}"#, expected: .unusable(.timeOutOfRange)),
            Case(body: "[]", expected: .unusable(.unexpectedShape)),
            Case(body: "3", expected: .unusable(.unexpectedShape)),
            Case(body: #"{"_type":"location","lat":NaN}"#, expected: .malformed),
            Case(body: "{", expected: .malformed),
            Case(body: "hello", expected: .malformed),
        ])
    func others(_ example: Case) {
        #expect(decode(example.body) == example.expected)
    }

    @Test("An encrypted location equals the plain one", arguments: ["s3cret", String(repeating: "k", count: 32), "ß"])
    func encrypted(_ passphrase: String) {
        let body = OwnTracksApp.encrypted(OwnTracksApp.location.utf8, passphrase: passphrase)
        #expect(OwnTracksJSON.decoded(body, passphrase: passphrase) == decode(OwnTracksApp.location))
    }

    @Test("An altered message or a wrong passphrase can't be decrypted")
    func tampered() throws {
        let body = OwnTracksApp.encrypted(OwnTracksApp.location.utf8, passphrase: "s3cret")
        #expect(OwnTracksJSON.decoded(body, passphrase: "other") == .unusable(.undecryptable))
        let text = String(decoding: body, as: UTF8.self)
        let start = try #require(text.range(of: "data\":\"")).upperBound
        for offset in [0, 31, 33, 60, 100] {
            var characters = Array(text)
            let index = text.distance(from: text.startIndex, to: start) + offset
            characters[index] = characters[index] == "A" ? "B" : "A"
            #expect(decode(String(characters)) == .unusable(.undecryptable), "at \(offset)")
        }
    }

    @Test(
        "An envelope without a message is quarantined",
        arguments: [
            #"{"_type":"encrypted"}"#,
            #"{"_type":"encrypted","data":7}"#,
            #"{"_type":"encrypted","data":""}"#,
            #"{"_type":"encrypted","data":"AAAA"}"#,
            #"{"_type":"encrypted","data":"***"}"#,
        ])
    func emptyEnvelope(_ body: String) {
        #expect(decode(body) == .unusable(.undecryptable))
    }

    @Test("A nested envelope and an envelope without JSON are quarantined")
    func nested() {
        let inner = OwnTracksApp.encrypted(OwnTracksApp.location.utf8, passphrase: "s3cret")
        for content in [inner, Array("hello".utf8), []] {
            let outer = OwnTracksApp.encrypted(content, passphrase: "s3cret")
            #expect(OwnTracksJSON.decoded(outer, passphrase: "s3cret") == .unusable(.undecryptable))
        }
    }

    @Test("An encrypted message of another kind is ignored like a plain one")
    func encryptedOther() {
        let outer = OwnTracksApp.encrypted(#"{"_type":"lwt","tst":1}"#.utf8, passphrase: "s3cret")
        #expect(OwnTracksJSON.decoded(outer, passphrase: "s3cret") == .nothing)
    }
}
