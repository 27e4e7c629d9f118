import Crypto
import Foundation
import Kernel
import TestSupport
import Testing

@testable import Notifications

@Suite("Encryption and signatures of push messages")
struct EncryptionTests {
    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decoded(text)) }

    @Test("The output matches the example of RFC 8291, 5, and its browser can decrypt it")
    func exampleOfTheStandard() throws {
        let message = Array("When I grow up, I want to be a watermelon".utf8)
        let browserKey = try bytes(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
        let secret = try bytes("BTBZMqHH6r4Tts7J_aSIgg")
        let ownKey = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: try bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
        let sealed = try PushEncryption.seal(
            message, browserKey: browserKey, secret: secret, ownKey: ownKey, salt: try bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            Base64URL.encoded(sealed)
                == """
                DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A\
                _yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
                """)
        let browser = try TestBrowser(
            endpoint: "https://push.example.net/x", key: try bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"),
            secret: secret)
        #expect(browser.publicKey == browserKey)
        #expect(try browser.read(sealed) == message)
    }

    @Test("The signed text matches the example of RFC 8292, 2.4, and its signature is valid")
    func exampleOfTheSignature() throws {
        let token = """
            eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6\
            Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSS\
            HzvoD1oA
            """
        let key = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
        let parts = token.split(separator: ".").map(String.init)
        let signed = PushSignature.signedText(
            origin: "https://push.example.net", expiresAtSeconds: 1_453_523_768, contact: "mailto:push@example.com")
        #expect(signed == "\(parts[0]).\(parts[1])")
        let publicKey = try P256.Signing.PublicKey(x963Representation: try bytes(key))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: try bytes(parts[2]))
        #expect(publicKey.isValidSignature(signature, for: Array(signed.utf8)))
    }

    @Test("A signature is valid under the key in its header and expires after half a day")
    func ownSignature() throws {
        let key = try PushKey(seed: NotificationsFixture.seed)
        let now = TestClock().now
        let header = try PushSignature.header(
            origin: "https://fcm.googleapis.com", contact: "https://home.example", now: now, key: key)
        let match = try #require(header.wholeMatch(of: #/vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)/#))
        let publicKey = try P256.Signing.PublicKey(x963Representation: try bytes(String(match.output.4)))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: try bytes(String(match.output.3)))
        #expect(publicKey.isValidSignature(signature, for: Array("\(match.output.1).\(match.output.2)".utf8)))
        let claims = String(decoding: try bytes(String(match.output.2)), as: UTF8.self)
        let expiry = now.millisecondsSince1970 / 1_000 + 43_200
        #expect(
            claims == #"{"aud":"https://fcm.googleapis.com","exp":\#(expiry),"sub":"https://home.example"}"#)
        #expect(String(match.output.4) == key.publicText)
    }

    @Test("A site without https uses a mailto contact, because push services reject http")
    func contacts() {
        #expect(PushSignature.contact(site: "https://home.example") == "https://home.example")
        #expect(PushSignature.contact(site: "http://localhost:8080") == "mailto:operator@localhost")
    }

    @Test("A seed always gives the same key; one of another length is rejected")
    func seeds() throws {
        let seed = SeededRandom(seed: 1).bytes(32)
        #expect(try PushKey(seed: seed).publicText == PushKey(seed: seed).publicText)
        for count in [0, 31, 33] {
            #expect(throws: PushKey.Failure.wrongLength) { try PushKey(seed: [UInt8](repeating: 7, count: count)) }
        }
    }
}
