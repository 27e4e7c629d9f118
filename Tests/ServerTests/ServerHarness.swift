import Accounts
import Configuration
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Logging
import NIOCore
import Pictures
import Server
import Storage
import TestSupport
import WebCore

/// The whole server as it is shipped, on a separate store.
struct ServerHarness: Program {
    let server: Server
    let clock: TestClock
    let client: any TestClientProtocol

    var services: Services { server.services }

    func send(
        _ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil, token: String? = nil
    ) async throws -> TestResponse {
        try await call(method, uri, body, token: token)
    }

    func browse(_ uri: String, method: HTTPRequest.Method = .get) async throws -> TestResponse {
        try await client.executeRequest(uri: uri, method: method, headers: .page, body: nil)
    }
}

/// Calls `body` with a server that is assembled as `homeward serve` does it, with a clock that only the test changes.
/// - Parameters:
///   - setup: `.live` for a real connection, on which the live stream works.
///   - settings: in addition to those of a temporary folder.
func withServer(
    _ engine: Engine = .sqlite, _ setup: TestingSetup = .router, settings extra: [String: String] = [:],
    machineClock: any WallClock = SystemClock(), pictureSandbox: PictureSandbox = .complete, logger: Logger = .silent,
    _ body: @escaping @Sendable (ServerHarness) async throws -> Void
) async throws {
    try await withDatabaseURL(engine, migrations: Services.migrations) { url in
        let folder = try TemporaryFolder()
        let clock = TestClock()
        var values = [
            "HOMEWARD_DATA": folder.path, "HOMEWARD_LISTEN": "127.0.0.1:0",
            // Tests begin with a server that is set up.
            "HOMEWARD_REGISTRATION": "open",
            // All people of a test have one address.
            "HOMEWARD_REGISTRATIONS_PER_HOUR": "\(Limits.registrationsPerHourMaximum)",
        ]
        // A URL's description omits its secrets. A test's database has none, except the folder of its socket.
        if engine == .sqlite { values["HOMEWARD_DATABASE"] = url.description }
        values.merge(extra) { _, new in new }
        let provider = EnvironmentVariablesProvider(environmentVariables: values)
        var settings = try ServerSettings(ConfigReader(provider: provider))
        if engine == .postgres { settings = settings.with(database: url) }
        let random = SeededRandom()
        let services = try await Services.open(
            settings, executable: folder.file("no-such-program"), clock: clock, random: random, logger: logger,
            hasher: ScryptHasher(random: random, costExponent: 1), machineClock: machineClock,
            pictureSandbox: pictureSandbox
        )
        do {
            let server = try Server(services)
            let feed = Task { try await server.web.live.run() }
            defer { feed.cancel() }
            try await server.application().test(setup) { client in
                try await body(ServerHarness(server: server, clock: clock, client: client))
            }
        } catch {
            await services.close()
            throw error
        }
        await services.close()
    }
}
