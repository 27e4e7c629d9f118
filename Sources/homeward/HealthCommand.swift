import ArgumentParser
import AsyncHTTPClient
import Kernel
import NIOCore
import NIOHTTP1
import NIOSSL
import Server

/// The health check of container engines and scripts. The image contains no other HTTP client.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Checks that the server on this computer is ready.",
        discussion: """
            Reads the settings as serve does, and requests /health/ready at the address of HOMEWARD_LISTEN. Ends with status \
            0 if the server is ready, and with status 1 otherwise.
            """
    )

    @OptionGroup var options: SettingOptions

    func run() async throws {
        let url = "\(try options.readSettings().localURL)/health/ready"
        let status: UInt
        do {
            status = try await HTTPClient.withHTTPClient(configuration: Self.client) { client in
                let timeout = TimeAmount.seconds(Limits.healthCheckSeconds)
                return try await client.execute(HTTPClientRequest(url: url), timeout: timeout).status.code
            }
        } catch {
            throw CommandError("No response from \(url): \(error)")
        }
        guard status == 200 else { throw CommandError("The server is not ready: \(url) responds with \(status).") }
        Output.line("The server is ready.")
    }

    // The certificate is that of the public address, which isn't the one that is requested here.
    private static var client: HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .none
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        // A stopped server is reported at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}
