import Accounts
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import JWTKit
import Kernel
import Logging
import NIOCore
import Server
import ServiceLifecycle
import Synchronization

/// A small OpenID provider on this computer, for trying sign-in with other services without an account there. It
/// enforces the client's duties: the secret, PKCE (S256), single-use codes.
final class DemoProvider: Service {
    private static let lifetimeSeconds: Int64 = 10 * 60
    private static let bodyBytes = 16 * 1024

    /// A person's consent, until the client redeems its code.
    private struct Grant {
        let vendor: ProviderName
        let person: DemoProviderUser
        let redirect: String
        let challenge: String
        let nonce: String?
        let madeAt: Instant
    }

    private let port: Int
    private let keys: DemoProviderKeys
    private let appleKey = ES256PrivateKey()
    private let secret: String
    private let clock: any WallClock
    private let random: any RandomSource
    private let grants = Mutex<[String: Grant]>([:])

    init(clock: any WallClock, random: any RandomSource) throws {
        port = try ServerSettings.freePort("127.0.0.1")
        keys = try DemoProviderKeys()
        secret = PasswordGenerator.make(random: random, groups: 6)
        self.clock = clock
        self.random = random
    }

    /// Returns the settings that register the provider with the server, once for each vendor.
    /// - Parameter folder: the folder for Apple's key.
    func settings(folder: String) throws -> [Setting: String] {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
        )
        let file = "\(folder)/apple-key.p8"
        try Data(appleKey.pemRepresentation.utf8).write(to: URL(fileURLWithPath: file))
        var settings: [Setting: String] = [
            .appleTeamID: "DEMOTEAM01", .appleKeyID: "DEMOKEY001", .appleKeyFile: file, .googleClientSecret: secret,
            .facebookClientSecret: secret, .oidcClientSecret: secret, .oidcName: "Demo ID",
        ]
        let places: [ProviderName: (client: Setting, issuer: Setting)] = [
            .apple: (.appleClientID, .appleIssuer), .google: (.googleClientID, .googleIssuer),
            .facebook: (.facebookClientID, .facebookIssuer), .oidc: (.oidcClientID, .oidcIssuer),
        ]
        for vendor in DemoVendor.all {
            guard let place = places[vendor.name] else { continue }
            settings[place.client] = vendor.clientID
            settings[place.issuer] = issuer(vendor)
        }
        return settings
    }

    func run() async throws {
        let router = Router()
        for vendor in DemoVendor.all { addRoutes(of: vendor, to: router.group(RouterPath(vendor.name.rawValue))) }
        var logger = Logger(label: "homeward.demo-provider")
        logger.logLevel = .warning
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            logger: logger
        )
        try await application.run()
    }

    private func issuer(_ vendor: DemoVendor) -> String { "http://127.0.0.1:\(port)/\(vendor.name.rawValue)" }

    private func addRoutes(of vendor: DemoVendor, to group: RouterGroup<BasicRequestContext>) {
        group.get(".well-known/openid-configuration") { [self] _, _ in
            let issuer = issuer(vendor)
            return try json([
                "issuer": issuer, "authorization_endpoint": "\(issuer)/authorize",
                "token_endpoint": "\(issuer)/token", "jwks_uri": "\(issuer)/keys",
            ])
        }
        group.get("keys") { [self] _, _ in try json(try keys.published()) }
        group.get("authorize") { [self] request, _ in
            if let problem = problem(with: request, vendor) {
                return html(DemoProviderHTML.problem(vendor, problem), .badRequest)
            }
            return html(DemoProviderHTML.choice(vendor, query: request.uri.query ?? ""))
        }
        group.post("authorize") { [self] request, _ in try await authorize(request, vendor) }
        group.post("token") { [self] request, _ in try await token(request, vendor) }
    }

    // MARK: Authorization endpoint

    private func problem(with request: Request, _ vendor: DemoVendor) -> String? {
        let query = request.uri.queryParameters
        if query["client_id"].map(String.init) != vendor.clientID { return "This client is not known." }
        if query["response_type"] != "code" { return "Only codes are given." }
        if query["code_challenge_method"] != "S256" || query["code_challenge"] == nil { return "PKCE is missing." }
        if query["redirect_uri"] == nil || query["state"] == nil { return "The request is not complete." }
        if vendor.postsResponse != (query["response_mode"] == "form_post") {
            return "This response mode isn’t supported."
        }
        return nil
    }

    private func authorize(_ request: Request, _ vendor: DemoVendor) async throws -> Response {
        let query = request.uri.queryParameters
        guard problem(with: request, vendor) == nil, let redirect = query["redirect_uri"].map(String.init),
            let challenge = query["code_challenge"].map(String.init)
        else { return html(DemoProviderHTML.problem(vendor, "The request is not complete."), .badRequest) }
        let form = try await fields(of: request)
        var answer: [(name: String, value: String)] = [("state", query["state"].map(String.init) ?? "")]
        if let person = DemoProviderUser.all.first(where: { $0.subject == form["subject"] }) {
            let code = Base64URL.encoded(random.bytes(32))
            let grant = Grant(
                vendor: vendor.name, person: person, redirect: redirect, challenge: challenge,
                nonce: query["nonce"].map(String.init), madeAt: clock.now
            )
            grants.withLock { $0[code] = grant }
            answer.append(("code", code))
            if vendor.postsResponse { answer.append(("user", Self.user(person))) }
        } else {
            answer.append(("error", vendor.cancellation))
        }
        if vendor.postsResponse { return html(DemoProviderHTML.response(vendor, to: redirect, answer)) }
        var parts = URLComponents(string: redirect)
        parts?.queryItems = answer.map { URLQueryItem(name: $0.name, value: $0.value) }
        return Response(status: .seeOther, headers: [.location: parts?.string ?? redirect])
    }

    /// The `user` value that Apple posts with the code at the first sign-in.
    private static func user(_ person: DemoProviderUser) -> String {
        let names = person.name.split(separator: " ").map(String.init)
        let name = ["firstName": names.first ?? "", "lastName": names.dropFirst().joined(separator: " ")]
        let json = try? JSONEncoder().encode(["name": name])
        return json.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    // MARK: Token endpoint

    private struct IssuedTokens: Encodable {
        let access_token: String
        let token_type: String
        let expires_in: Int64
        let id_token: String
    }

    private func token(_ request: Request, _ vendor: DemoVendor) async throws -> Response {
        let authorization = request.headers[.authorization]
        let form = try await fields(of: request)
        guard await isClient(form, authorization, vendor) else {
            return try json(["error": "invalid_client"], .unauthorized)
        }
        let verifier = form["code_verifier"] ?? ""
        let challenge = Base64URL.encoded(SHA256.hash(data: Data(verifier.utf8)))
        // A code is valid once, whatever the result.
        let found = grants.withLock { grants in form["code"].flatMap { grants.removeValue(forKey: $0) } }
        guard let grant = found, grant.vendor == vendor.name, grant.challenge == challenge,
            grant.redirect == form["redirect_uri"],
            clock.now.seconds(since: grant.madeAt) < Double(Self.lifetimeSeconds)
        else { return try json(["error": "invalid_grant"], .badRequest) }
        let now = clock.now.millisecondsSince1970 / 1_000
        let claims = DemoClaims(
            iss: issuer(vendor), sub: "\(vendor.name.rawValue)-\(grant.person.subject)", aud: vendor.clientID, iat: now,
            exp: now + Self.lifetimeSeconds, nonce: grant.nonce, email: grant.person.email,
            emailVerified: grant.person.email.map { _ in true }, name: vendor.postsResponse ? nil : grant.person.name,
            authenticatedAt: grant.madeAt.millisecondsSince1970 / 1_000
        )
        return try json(
            IssuedTokens(
                access_token: Base64URL.encoded(random.bytes(32)), token_type: "Bearer",
                expires_in: Self.lifetimeSeconds, id_token: try await keys.token(claims, vendor.algorithm)
            )
        )
    }

    private struct Statement: JWTPayload {
        let iss: String
        let sub: String
        let aud: String

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private func isClient(_ form: [String: String], _ authorization: String?, _ vendor: DemoVendor) async -> Bool {
        guard form["client_id"] == vendor.clientID else { return false }
        guard vendor.name == .apple else {
            let basic = Data("\(vendor.clientID):\(secret)".utf8).base64EncodedString()
            return form["client_secret"] == secret || authorization == "Basic \(basic)"
        }
        let keys = await JWTKeyCollection().add(ecdsa: appleKey.publicKey)
        let statement = try? await keys.verify(form["client_secret"] ?? "", as: Statement.self)
        return statement?.sub == vendor.clientID && statement?.aud == issuer(vendor)
    }

    // MARK: Requests and responses

    private func fields(of request: Request) async throws -> [String: String] {
        let buffer = try await request.body.collect(upTo: Self.bodyBytes)
        var parts = URLComponents()
        parts.percentEncodedQuery = String(buffer: buffer).replacing("+", with: "%20")
        let pairs = (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        return Dictionary(pairs) { first, _ in first }
    }

    private func json(_ value: some Encodable, _ status: HTTPResponse.Status = .ok) throws -> Response {
        let data = try JSONEncoder().encode(value)
        return Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data))
        )
    }

    private func html(_ text: String, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
