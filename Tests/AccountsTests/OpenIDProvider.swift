import Accounts
import struct Crypto.SHA256
import CryptoExtras
import Foundation
import JWTKit
import Kernel
import Logging
import Storage
import Synchronization
import TestSupport
import Testing

/// The errors that a provider can make in a token.
enum TokenDefect: String, CaseIterable, CustomTestStringConvertible {
    case otherNonce, noNonce, otherAudience, twoAudiences, otherParty, otherIssuer, expired, madeInFuture, madeLongAgo
    case unsigned, sharedSecret, unknownKey, otherKey, changedAfterwards, notThreeParts, critical, noSubject
    case longSubject, publishedForEncryption

    var testDescription: String { rawValue }
}

/// A person at the provider.
struct ProviderPerson: Sendable {
    var subject = "subject-1"
    var email: String? = "nora@example.org"
    var isEmailVerified: Bool? = true
    var name: String? = "Nora Neu"
}

/// A provider inside the test process. It responds to a client's requests, and checks them as a provider must.
final class FakeProvider: ProviderTransport {
    struct Grant: Sendable {
        let person: ProviderPerson
        let nonce: String?
        let challenge: String?
        let redirect: String?
    }

    struct State: Sendable {
        var grants: [String: Grant] = [:]
        var fetches: [String: Int] = [:]
        var forms: [[String: String]] = []
        var metadata: [String: String] = [:]
        var rotation = 0
        var twist: TokenDefect?
        var usesCurve = false
        var isAway = false
        var userinfo: [String: String]?
        var publishesKeys = true
        /// The error of the token endpoint; `nil` for none.
        var tokenError: String?
        /// The token endpoint's error in the format of Facebook's Graph API; `nil` for none.
        var graphError: (message: String, code: Int)?
        /// Seconds since the person authenticated; `nil` for a token without `auth_time`.
        var signInAge: Double? = 0
        var saysSignInAsText = false
    }

    // Generating a key is slow.
    private static let rsaKeys = (0..<2).compactMap { _ in
        try? JWTKit.Insecure.RSA.PrivateKey(backing: _RSA.Signing.PrivateKey(keySize: .bits2048))
    }

    let issuer: String
    let clientID = "homeward-test"
    private let clock: TestClock
    private let curveKeys = [ES256PrivateKey(), ES256PrivateKey()]
    private let state = Mutex(State())

    init(issuer: String = "https://id.example", clock: TestClock) {
        self.issuer = issuer
        self.clock = clock
    }

    func change(_ body: @Sendable (inout State) -> Void) { state.withLock { body(&$0) } }
    var now: State { state.withLock { $0 } }
    func fetches(_ path: String) -> Int { now.fetches[path] ?? 0 }

    // MARK: The browser's side

    /// Returns the authorization response after the person has agreed.
    func agree(at url: String, _ person: ProviderPerson = ProviderPerson()) -> AuthorizationResponse {
        let query = Self.query(url)
        let code = "code-\(UInt64.random(in: .min ... .max))"
        let grant = Grant(
            person: person, nonce: query["nonce"], challenge: query["code_challenge"], redirect: query["redirect_uri"]
        )
        change { $0.grants[code] = grant }
        return AuthorizationResponse(state: query["state"], code: code)
    }

    func cancel(at url: String, error: String = "access_denied") -> AuthorizationResponse {
        AuthorizationResponse(state: Self.query(url)["state"], error: error)
    }

    static func query(_ url: String) -> [String: String] {
        let items = URLComponents(string: url)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    // MARK: The client's side

    func send(_ request: ProviderRequest) async throws(ProviderFailure) -> ProviderReply {
        let path = String(request.url.dropFirst(issuer.count))
        if now.isAway { throw .unreachable("away") }
        change { $0.fetches[path, default: 0] += 1 }
        switch path {
        case "/.well-known/openid-configuration": return reply(metadata())
        case "/keys": return reply(["keys": now.publishesKeys ? published() : []])
        case "/token":
            if let error = now.graphError {
                return reply(GraphError(error: .init(message: error.message, code: error.code)), status: 400)
            }
            if let error = now.tokenError { return reply(["error": error], status: 400) }
            do {
                return try await token(request)
            } catch {
                throw .unreachable("\(error)")
            }
        case "/userinfo":
            guard request.authorization == "Bearer access", let info = now.userinfo else {
                return ProviderReply(status: 401, body: [])
            }
            return reply(info)
        default: return ProviderReply(status: 404, body: [])
        }
    }

    private struct GraphError: Encodable {
        struct Details: Encodable {
            let message: String
            var type = "OAuthException"
            let code: Int
        }

        let error: Details
    }

    private func metadata() -> [String: String] {
        var metadata = [
            "issuer": issuer, "authorization_endpoint": "\(issuer)/authorize", "token_endpoint": "\(issuer)/token",
            "jwks_uri": "\(issuer)/keys",
        ]
        if now.userinfo != nil { metadata["userinfo_endpoint"] = "\(issuer)/userinfo" }
        metadata.merge(now.metadata) { _, new in new }
        return metadata
    }

    private func reply(_ value: some Encodable, status: Int = 200) -> ProviderReply {
        ProviderReply(status: status, body: (try? JSONEncoder().encode(value)).map { Array($0) } ?? [])
    }

    private var rsa: JWTKit.Insecure.RSA.PrivateKey { Self.rsaKeys[now.rotation % 2] }
    private var curve: ES256PrivateKey { curveKeys[now.rotation % 2] }
    private var keyID: String { "key-\(now.rotation)" }

    private func published() -> [[String: String]] {
        let use = now.twist == .publishedForEncryption ? "enc" : "sig"
        guard let parts = try? rsa.publicKey.getKeyPrimitives(), let point = curve.parameters else { return [] }
        return [
            ["kty": "oct", "kid": "useless", "k": "AAAA"],
            [
                "kty": "RSA", "kid": keyID, "use": use, "n": Self.url(parts.modulus.base64EncodedString()),
                "e": Self.url(parts.publicExponent.base64EncodedString()),
            ],
            [
                "kty": "EC", "kid": "curve-\(keyID)", "use": use, "crv": "P-256", "x": Self.url(point.x),
                "y": Self.url(point.y),
            ],
        ]
    }

    static func url(_ text: String) -> String {
        text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private func token(_ request: ProviderRequest) async throws -> ProviderReply {
        let form = Dictionary((request.form ?? []).map { ($0.name, $0.value) }) { first, _ in first }
        change { $0.forms.append(form) }
        let challenge = Self.url(
            Data(SHA256.hash(data: Data((form["code_verifier"] ?? "").utf8))).base64EncodedString())
        let grant = state.withLock { state in form["code"].flatMap { state.grants.removeValue(forKey: $0) } }
        guard let grant, grant.challenge == challenge, grant.redirect == form["redirect_uri"],
            form["client_id"] == clientID
        else { return reply(["error": "invalid_grant"], status: 400) }
        return reply(["id_token": try await idToken(grant), "access_token": "access", "token_type": "Bearer"])
    }

    // MARK: Tokens

    struct Claims: JWTPayload {
        var iss: String
        var sub: String
        var aud: [String]
        var azp: String?
        var iat: Double
        var exp: Double
        var nonce: String?
        var email: String?
        var email_verified: Bool?
        var name: String?
        var auth_time: SignInTime?

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    /// A number, or a string as some providers send it.
    enum SignInTime: Codable {
        case number(Double)
        case text(String)

        init(from decoder: any Decoder) throws {
            self = .number(try decoder.singleValueContainer().decode(Double.self))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            }
        }
    }

    private func claims(_ grant: Grant) -> Claims {
        let seconds = Double(clock.now.millisecondsSince1970 / 1_000)
        let person = grant.person
        var claims = Claims(
            iss: issuer, sub: person.subject, aud: [clientID], iat: seconds, exp: seconds + 300, nonce: grant.nonce,
            email: person.email, email_verified: person.isEmailVerified, name: person.name
        )
        if let age = now.signInAge {
            claims.auth_time =
                now.saysSignInAsText ? .text(String(Int64(seconds - age))) : .number(seconds - age)
        }
        switch now.twist {
        case .otherNonce: claims.nonce = "another"
        case .noNonce: claims.nonce = nil
        case .otherAudience: claims.aud = ["another-subject"]
        case .twoAudiences: claims.aud.append("another-subject")
        case .otherParty:
            claims.aud.append("another-subject")
            claims.azp = "another-subject"
        case .otherIssuer: claims.iss = "https://evil.example"
        case .expired: claims.exp = seconds - 121
        case .madeInFuture: claims.iat = seconds + 121
        case .madeLongAgo: claims.iat = seconds - 3_600
        case .noSubject: claims.sub = ""
        case .longSubject: claims.sub = String(repeating: "s", count: 256)
        default: break
        }
        return claims
    }

    private func idToken(_ grant: Grant) async throws -> String {
        let claims = claims(grant)
        switch now.twist {
        case .unsigned: return try Self.part(["alg": "none", "typ": "JWT"]) + "." + Self.part(claims) + "."
        case .sharedSecret:
            // An attacker who knows the public key could sign like this, if the algorithm in the token were trusted.
            let keys = await JWTKeyCollection().add(
                hmac: HMACKey(from: rsa.publicKey.pemRepresentation), digestAlgorithm: .sha256)
            return try await keys.sign(claims, kid: JWKIdentifier(string: keyID))
        case .notThreeParts: return "one.two"
        case .critical:
            let head = try Self.part(
                ["alg": AnyJSON.text("RS256"), "kid": .text(keyID), "crit": .list(["exp"])])
            let signed = try await sign(claims, kid: keyID).split(separator: ".")
            return "\(head).\(signed[1]).\(signed[2])"
        case .unknownKey: return try await sign(claims, kid: "unknown-key")
        case .otherKey:
            let stranger = try JWTKit.Insecure.RSA.PrivateKey(backing: _RSA.Signing.PrivateKey(keySize: .bits2048))
            let keys = await JWTKeyCollection().add(rsa: stranger, digestAlgorithm: .sha256)
            return try await keys.sign(claims, kid: JWKIdentifier(string: keyID))
        case .changedAfterwards:
            var changed = claims
            changed.sub = "another-subject"
            let parts = try await sign(claims, kid: keyID).split(separator: ".")
            return "\(parts[0]).\(try Self.part(changed)).\(parts[2])"
        default: return try await sign(claims, kid: keyID)
        }
    }

    private func sign(_ claims: Claims, kid: String) async throws -> String {
        let keys = JWTKeyCollection()
        if now.usesCurve {
            await keys.add(ecdsa: curve)
            return try await keys.sign(claims, kid: JWKIdentifier(string: "curve-\(kid)"))
        }
        await keys.add(rsa: rsa, digestAlgorithm: .sha256)
        return try await keys.sign(claims, kid: JWKIdentifier(string: kid))
    }

    private enum AnyJSON: Encodable {
        case text(String)
        case list([String])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .list(let list): try container.encode(list)
            }
        }
    }

    private static func part(_ value: some Encodable) throws -> String {
        url(try JSONEncoder().encode(value).base64EncodedString())
    }
}

/// A server with a provider.
struct ProviderFixture: Sendable {
    let fixture: AccountsFixture
    let provider: FakeProvider

    init(_ fixture: AccountsFixture, name: ProviderName = .oidc, issuer: String = "https://id.example") throws {
        provider = FakeProvider(issuer: issuer, clock: fixture.clock)
        let settings = try ProviderSettings(
            name, issuer: provider.issuer, clientID: provider.clientID, credential: .none)
        self.fixture = AccountsFixture(fixture, providers: [settings], transport: provider)
    }

    var providers: ProviderServices { fixture.service.providers }

    /// Runs a whole sign-in: to the provider, the person's agreement, and back.
    func comeIn(
        _ person: ProviderPerson = ProviderPerson(), at name: ProviderName = .oidc,
        for attempt: ProviderAttempt = .signIn(offer: nil), from device: DeviceInfo = .phone, user: String? = nil
    ) async throws -> ProviderOutcome {
        let departure = try await leave(name, attempt)
        let answer = provider.agree(at: departure.url, person)
        let told = AuthorizationResponse(state: answer.state, code: answer.code, user: user)
        return try await finish(told, departure, name, device)
    }

    func leave(
        _ name: ProviderName = .oidc, _ attempt: ProviderAttempt = .signIn(offer: nil), browser: String? = nil
    ) async throws -> ProviderRedirect {
        try await providers.attempts.begin(
            attempt, at: name, browser: browser, destination: "/family", clientAddress: "192.0.2.1"
        )
    }

    func finish(
        _ answer: AuthorizationResponse, _ departure: ProviderRedirect, _ name: ProviderName = .oidc,
        _ device: DeviceInfo = .phone
    ) async throws -> ProviderOutcome {
        try await providers.callbacks.finish(
            name, answer, browser: departure.browser, device: device, defaultName: "New here")
    }

    /// Returns the numbers of rows in the tables that a sign-in writes.
    func rows(_ tables: [StaticString] = ["account", "session", "identity", "provider_attempt", "identity_offer"])
        async throws -> [Int]
    {
        try await fixture.database.read { tx in
            try tables.map { table in
                try tx.row("SELECT COUNT(*) AS rows_there FROM \(raw: table)")?.get("rows_there") ?? -1
            }
        }
    }
}

extension ProviderOutcome {
    var signedIn: SignedIn? { if case .signedIn(let signedIn, _) = result { signedIn } else { nil } }
    var refusal: ProviderRejection? { if case .refused(let refusal) = result { refusal } else { nil } }
    var offer: String? { if case .offered(let code) = result { code } else { nil } }
    var isCancelled: Bool { if case .cancelled = result { true } else { false } }
    var isLinked: Bool { if case .linked = result { true } else { false } }
    var isConfirmed: Bool { if case .confirmed = result { true } else { false } }
}

func withProvider(
    _ engine: Engine, name: ProviderName = .oidc, _ body: (ProviderFixture) async throws -> Void
) async throws {
    try await withFixture(engine) { fixture in try await body(try ProviderFixture(fixture, name: name)) }
}
