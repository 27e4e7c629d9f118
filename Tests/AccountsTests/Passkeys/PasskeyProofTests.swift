import Crypto
import CryptoExtras
import Kernel
import TestSupport
import Testing

@testable import Accounts

/// A change to a valid response, and the fault that it causes.
struct Broken: Sendable, CustomTestStringConvertible {
    let what: String
    let fault: PasskeyError
    let change: @Sendable (inout AuthenticatorResponseDraft) throws -> Void
    var testDescription: String { what }

    init(
        _ what: String, _ fault: PasskeyError,
        _ change: @escaping @Sendable (inout AuthenticatorResponseDraft) throws -> Void
    ) {
        self.what = what
        self.fault = fault
        self.change = change
    }
}

@Suite("Verification of authenticator responses")
struct PasskeyProofTests {
    private static let party = RelyingParty(siteURL: "https://home.example")
    private static let challenge = [UInt8](repeating: 42, count: 32)
    // Generating a key is slow.
    static let rsa = try? _RSA.Signing.PrivateKey(keySize: .bits2048)

    private static func authenticators() throws -> [SoftAuthenticator] {
        [SoftAuthenticator(), SoftAuthenticator(key: .rs256(try #require(rsa)))]
    }

    // MARK: Valid responses

    @Test("A passkey of either algorithm is registered and used")
    func good() throws {
        for var authenticator in try Self.authenticators() {
            let new = try authenticator.registration(Self.challenge).verified(for: Self.party)
            #expect(new.credentialID == authenticator.credentialID)
            #expect(new.signCount == 0)
            #expect(!new.isBackupEligible && !new.isBackedUp)
            let key = try PasskeyKey(new.key.algorithm, stored: try new.key.stored())
            #expect(key == new.key)
            authenticator.signCount = 7
            let proof = try authenticator.assertion(Self.challenge).verified(by: key, signCount: 6, for: Self.party)
            #expect(proof.signCount == 7)
        }
    }

    @Test("Extensions, backup flags, an unrequested statement and unknown members are accepted")
    func tolerated() throws {
        let authenticator = SoftAuthenticator()
        let new = try authenticator.registration(Self.challenge) { said in
            said.flags = 0xdd
            said.extensions = Written.map([(Written.text("credProtect"), Written.integer(2))])
            said.format = "packed"
            said.statement = Written.map([
                (Written.text("alg"), Written.integer(-7)), (Written.text("sig"), Written.bytes([1, 2, 3])),
                (Written.text("x5c"), Written.list([Written.bytes([4, 5])])),
            ])
            said.crossOrigin = false
            said.tokenBinding = "supported"
        }.verified(for: Self.party)
        #expect(new.isBackupEligible && new.isBackedUp)
        let proof = try authenticator.assertion(Self.challenge) { said in
            said.flags = 0x9d
            said.extensions = Written.map([(Written.text("hmac-secret"), [0xf5])])
        }.verified(by: new.key, signCount: 0, for: Self.party)
        #expect(proof.signCount == 0)
        #expect(proof.isBackedUp)
    }

    struct Count: Sendable {
        let before: UInt32
        let now: UInt32
        let isValid: Bool
    }

    @Test(
        "The counter increases or stays 0",
        arguments: [
            Count(before: 0, now: 0, isValid: true), Count(before: 0, now: 1, isValid: true),
            Count(before: 6, now: 7, isValid: true), Count(before: 6, now: .max, isValid: true),
            Count(before: 6, now: 6, isValid: false), Count(before: 6, now: 5, isValid: false),
            Count(before: 6, now: 0, isValid: false), Count(before: .max, now: 0, isValid: false),
            Count(before: .max, now: .max, isValid: false),
        ])
    func counts(count: Count) throws {
        var authenticator = SoftAuthenticator()
        let key = try authenticator.registration(Self.challenge).verified(for: Self.party).key
        authenticator.signCount = count.now
        let assertion = try authenticator.assertion(Self.challenge)
        if count.isValid {
            let proof = try assertion.verified(by: key, signCount: count.before, for: Self.party)
            #expect(proof.signCount == count.now)
        } else {
            #expect(throws: PasskeyError.signCount) {
                try assertion.verified(by: key, signCount: count.before, for: Self.party)
            }
        }
    }

    // MARK: Invalid responses

    /// Faults of registrations and assertions.
    static let both: [Broken] = [
        Broken("another origin", .origin) { $0.origin = "https://evil.example" },
        Broken("a subdomain", .origin) { $0.origin = "https://www.home.example" },
        Broken("another scheme", .origin) { $0.origin = "http://home.example" },
        Broken("another port", .origin) { $0.origin = "https://home.example:8443" },
        Broken("a slash behind the origin", .origin) { $0.origin = "https://home.example/" },
        Broken("inside another website's page", .crossOrigin) { $0.crossOrigin = true },
        Broken("under another website's page", .crossOrigin) { $0.topOrigin = "https://evil.example" },
        Broken("bound to a connection", .tokenBinding) { $0.tokenBinding = "present" },
        Broken("no type", .type) { $0.type = "" },
        Broken("a type beginning as it should", .type) { $0.type += "x" },
        Broken("another website's hash", .relyingParty) { $0.relyingParty = "evil.example" },
        Broken("a subdomain's hash", .relyingParty) { $0.relyingParty = "www.home.example" },
        Broken("no user presence", .userPresence) { $0.flags &= ~0x01 },
        Broken("no user verification", .userVerification) { $0.flags &= ~0x04 },
        Broken("backed up, but not to be", .backupState) { $0.flags |= 0x10 },
        Broken("something behind", .authenticatorData) { $0.excess = [0] },
        Broken("extensions that are not there", .authenticatorData) { $0.flags |= 0x80 },
        Broken("undeclared extensions", .authenticatorData) { $0.extensions = Written.map([]) },
        Broken("extensions that are no map", .authenticatorData) {
            $0.flags |= 0x80
            $0.extensions = Written.list([])
        },
        Broken("too few bytes", .authenticatorData) { $0.authenticatorData = [UInt8](repeating: 0, count: 36) },
        Broken("no JSON", .clientData) { $0.clientData = Array("{".utf8) },
        Broken("a list", .clientData) { $0.clientData = Array("[]".utf8) },
        Broken("no UTF-8", .clientData) { $0.clientData = [0xff] },
        Broken("a challenge that is no base64url", .clientData) {
            $0.clientData = Array(
                #"{"type":"\#($0.type)","challenge":"A+/=","origin":"https://home.example"}"#.utf8)
        },
        Broken("a very long story", .clientData) {
            let filling = String(repeating: " ", count: Limits.passkeyClientDataBytes)
            $0.clientData = $0.clientDataBytes() + Array(filling.utf8)
        },
    ]

    static let registrations: [Broken] = [
        Broken("a proof's words", .type) { $0.type = "webauthn.get" },
        Broken("no credential", .credential) {
            $0.flags &= ~0x40
            $0.credential = []
        },
        Broken("another id than its own", .credential) { $0.credentialID = [9, 9, 9] },
        Broken("an id without bytes", .authenticatorData) {
            $0.credential = SoftAuthenticator.credential(
                id: [], cose: SoftAuthenticator.cose(point: [UInt8](repeating: 1, count: 64)))
        },
        Broken("an id that is too long", .authenticatorData) {
            $0.credential = SoftAuthenticator.credential(
                id: [UInt8](repeating: 1, count: 1024), cose: try SoftAuthenticator().cose())
        },
        Broken("a credential cut short", .authenticatorData) { $0.credential.removeLast() },
        Broken("none, with a statement", .attestation) {
            $0.statement = Written.map([(Written.text("sig"), Written.bytes([1]))])
        },
        Broken("a statement that is no map", .attestation) { $0.statement = Written.text("") },
        Broken("another algorithm", .algorithm) { said in
            said.credential = SoftAuthenticator.credential(
                id: said.credentialID,
                cose: SoftAuthenticator.cose(point: [UInt8](repeating: 1, count: 64), algorithm: -8))
        },
        Broken("another curve", .key) { said in
            said.credential = SoftAuthenticator.credential(
                id: said.credentialID,
                cose: SoftAuthenticator.cose(
                    point: Array(P256.Signing.PrivateKey().publicKey.rawRepresentation), curve: 2))
        },
        Broken("a point off the curve", .key) { said in
            said.credential = SoftAuthenticator.credential(
                id: said.credentialID, cose: SoftAuthenticator.cose(point: [UInt8](repeating: 1, count: 64)))
        },
        Broken("coordinates of other lengths", .key) { said in
            var point = Array(P256.Signing.PrivateKey().publicKey.rawRepresentation)
            point.removeLast()
            said.credential = SoftAuthenticator.credential(
                id: said.credentialID, cose: SoftAuthenticator.cose(point: point))
        },
        Broken("an RSA key of 1024 bits", .key) { said in
            said.credential = SoftAuthenticator.credential(
                id: said.credentialID,
                cose: SoftAuthenticator.cose(
                    modulus: [UInt8](repeating: 0xff, count: 128), exponent: [1, 0, 1]))
        },
        Broken("a giant RSA key", .key) { said in
            said.credential = SoftAuthenticator.credential(
                id: said.credentialID,
                cose: SoftAuthenticator.cose(
                    modulus: [UInt8](repeating: 0xff, count: 2048), exponent: [1, 0, 1]))
        },
        Broken("more in the key than belongs there", .key) { said in
            var cose = try SoftAuthenticator().cose()
            cose[0] += 1
            cose += Written.integer(4) + Written.bytes([1])
            said.credential = SoftAuthenticator.credential(id: said.credentialID, cose: cose)
        },
    ]

    @Test("A registration with one fault is refused with that fault", arguments: both + registrations)
    func brokenRegistration(broken: Broken) throws {
        let registration = try SoftAuthenticator().registration(Self.challenge, change: broken.change)
        #expect(throws: broken.fault) { try registration.verified(for: Self.party) }
    }

    static let assertions: [Broken] = [
        Broken("a registration's words", .type) { $0.type = "webauthn.create" },
        Broken("a credential brought along", .authenticatorData) {
            $0.flags |= 0x40
            $0.credential = SoftAuthenticator.credential(id: [1], cose: try SoftAuthenticator().cose())
        },
        Broken("a spoilt signature", .signature) { $0.spoil = { Array($0.dropLast()) + [$0[$0.count - 1] ^ 1] } },
        Broken("half a signature", .signature) { $0.spoil = { Array($0.prefix($0.count / 2)) } },
        Broken("no signature", .signature) { $0.spoil = { _ in [] } },
        Broken("a giant signature", .signature) {
            $0.spoil = { $0 + [UInt8](repeating: 0, count: Limits.passkeySignatureBytes) }
        },
    ]

    @Test("An assertion with one fault is refused with that fault, for either algorithm", arguments: both + assertions)
    func brokenAssertion(broken: Broken) throws {
        for authenticator in try Self.authenticators() {
            let key = try authenticator.registration(Self.challenge).verified(for: Self.party).key
            let assertion = try authenticator.assertion(Self.challenge, change: broken.change)
            #expect(throws: broken.fault) { try assertion.verified(by: key, signCount: 0, for: Self.party) }
        }
    }

    @Test("An assertion by another key, or for other data than was signed, is refused")
    func otherKey() throws {
        for authenticator in try Self.authenticators() {
            let key = try authenticator.registration(Self.challenge).verified(for: Self.party).key
            for other in try Self.authenticators() + [SoftAuthenticator()] where other.key != authenticator.key {
                let assertion = try authenticator.assertion(Self.challenge, signedBy: other)
                #expect(throws: PasskeyError.signature) {
                    try assertion.verified(by: key, signCount: 0, for: Self.party)
                }
            }
            let first = try authenticator.assertion(Self.challenge)
            let second = try authenticator.assertion([UInt8](repeating: 43, count: 32))
            let mixed = PasskeyAssertion(
                credentialID: first.credentialID, clientData: second.clientData,
                authenticatorData: first.authenticatorData, signature: first.signature, userHandle: nil)
            #expect(throws: PasskeyError.signature) { try mixed.verified(by: key, signCount: 0, for: Self.party) }
        }
    }

    @Test("An attestation object with missing or additional members is refused")
    func attestationMembers() throws {
        let good = try SoftAuthenticator().registration(Self.challenge)
        let map = try #require(try CBORReader.value(of: good.attestation).map)
        let data = try #require(map[.text("authData")]?.bytes)
        let pairs = [
            (Written.text("fmt"), Written.text("none")), (Written.text("attStmt"), Written.map([])),
            (Written.text("authData"), Written.bytes(data)),
        ]
        var variants = pairs.indices.map { left in Written.map(pairs.indices.filter { $0 != left }.map { pairs[$0] }) }
        variants.append(Written.map(pairs + [(Written.text("more"), Written.integer(1))]))
        variants.append(good.attestation + [0])
        variants.append([0xbf] + Array(good.attestation.dropFirst()) + [0xff])
        variants.append([UInt8](repeating: 0x40, count: Limits.passkeyAttestationBytes + 1))
        for bytes in variants {
            let registration = PasskeyRegistration(
                clientData: good.clientData, attestation: bytes, credentialID: good.credentialID, transports: [])
            #expect(throws: PasskeyError.attestation) { try registration.verified(for: Self.party) }
        }
    }

    @Test("No random change gives a valid registration of another credential, and nothing crashes")
    func fuzz() throws {
        let random = SeededRandom(seed: 11)
        let authenticator = SoftAuthenticator()
        let good = try authenticator.registration(Self.challenge)
        let proof = try authenticator.assertion(Self.challenge)
        let key = try good.verified(for: Self.party).key
        for length in 0..<good.attestation.count {
            let cut = PasskeyRegistration(
                clientData: good.clientData, attestation: Array(good.attestation.prefix(length)),
                credentialID: good.credentialID, transports: [])
            #expect(throws: PasskeyError.self) { try cut.verified(for: Self.party) }
        }
        for _ in 0..<3_000 {
            var attestation = good.attestation
            attestation[Int(random.uint64() % UInt64(attestation.count))] ^= UInt8(random.uint64() % 255) + 1
            let changed = PasskeyRegistration(
                clientData: good.clientData, attestation: attestation, credentialID: good.credentialID, transports: [])
            let new = try? changed.verified(for: Self.party)
            #expect(new == nil || new?.credentialID == good.credentialID)
            var data = proof.authenticatorData
            data[Int(random.uint64() % UInt64(data.count))] ^= UInt8(random.uint64() % 255) + 1
            let altered = PasskeyAssertion(
                credentialID: proof.credentialID, clientData: proof.clientData, authenticatorData: data,
                signature: proof.signature, userHandle: nil)
            #expect(throws: PasskeyError.self) { try altered.verified(by: key, signCount: 0, for: Self.party) }
        }
    }

    struct Place: Sendable {
        let url: String
        let id: String
        let origin: String
    }

    @Test(
        "The origin and the RP ID are derived from the site's URL",
        arguments: [
            Place(url: "https://home.example", id: "home.example", origin: "https://home.example"),
            Place(url: "https://Home.Example:443", id: "home.example", origin: "https://home.example"),
            Place(url: "https://home.example:8443", id: "home.example", origin: "https://home.example:8443"),
            Place(url: "http://localhost:8080", id: "localhost", origin: "http://localhost:8080"),
            Place(url: "http://localhost:80", id: "localhost", origin: "http://localhost"),
        ])
    func places(place: Place) {
        let party = RelyingParty(siteURL: place.url)
        #expect(party.id == place.id)
        #expect(party.origin == place.origin)
    }
}

extension SoftAuthenticator.Key: Equatable {
    static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.es256(let left), .es256(let right)): left.rawRepresentation == right.rawRepresentation
        case (.rs256(let left), .rs256(let right)): left.derRepresentation == right.derRepresentation
        default: false
        }
    }
}
