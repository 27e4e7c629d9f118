import Accounts
import Configuration
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Logging
import NIOCore
import Server
import TestSupport
import WebCore

/// The whole server on a temporary store, with requests that need no port.
struct ContractServer: Sendable {
    let server: Server
    let client: any TestClientProtocol
    let clock: TestClock
    /// Changes what people type, and notes the pages.
    var typing: RightToLeftTyping?

    /// Sends a request as a browser does: with a form, and the session of `cookie`.
    func browse(
        _ uri: String, _ method: HTTPRequest.Method = .get, form: String? = nil, cookie: String? = nil,
        isFragment: Bool = false
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.accept: "text/html"]
        if form != nil { headers[.contentType] = "application/x-www-form-urlencoded" }
        if let cookie { headers[.cookie] = cookie }
        if isFragment { headers[.hxRequest] = "true" }
        let form = form.map { typing?.changed($0) ?? $0 }
        let answer = try await client.executeRequest(
            uri: uri, method: method, headers: headers, body: form.map { ByteBuffer(string: $0) }
        )
        typing?.note(uri, String(buffer: answer.body))
        return answer
    }
}

/// Calls `body` with a server on an empty store.
func withContractServer(
    onRender: RenderObserver? = nil, typing: RightToLeftTyping? = nil,
    _ body: @escaping @Sendable (ContractServer) async throws -> Void
) async throws {
    let folder = try TemporaryFolder()
    var values: [AbsoluteConfigKey: ConfigValue] = [
        "homeward.data": .init(stringLiteral: folder.path), "homeward.listen": "127.0.0.1:0",
        "homeward.welcomeAmount": "100.00", "homeward.registrationsPerHour": "10000",
        "homeward.registration": "open",
    ]
    for (key, value) in SilentProvider.settings {
        values[AbsoluteConfigKey(ConfigKey(key))] = ConfigValue(.string(value), isSecret: false)
    }
    let provider = InMemoryProvider(values: values)
    let random = SeededRandom()
    let clock = TestClock()
    let services = try await Services.open(
        try ServerSettings(ConfigReader(provider: provider)), executable: folder.file("no-such-program"),
        clock: clock, random: random, logger: .silent, hasher: ScryptHasher(random: random, costExponent: 1),
        providerTransport: SilentProvider()
    )
    do {
        let server = try Server(services, onRender: onRender)
        try await server.application().test(.router) { client in
            try await body(ContractServer(server: server, client: client, clock: clock, typing: typing))
        }
    } catch {
        await services.close()
        throw error
    }
    await services.close()
}
