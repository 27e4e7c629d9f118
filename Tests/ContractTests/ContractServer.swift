import Configuration
import Foundation
import Kernel
import Logging
import Server
import TestSupport

/// Puts the whole server together on a temporary store, without listening.
func withContractServer(_ body: (Server) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let provider = InMemoryProvider(values: [
        "homeward.data": .init(stringLiteral: folder.path), "homeward.listen": "127.0.0.1:0",
    ])
    let settings = try ServerSettings(ConfigReader(provider: provider))
    let services = try await Services.open(
        settings, executable: "/nonexistent/homeward", logger: Logger(label: "contract") { _ in SwiftLogNoOpLogHandler() })
    do {
        try await body(try Server(services))
    } catch {
        await services.close()
        throw error
    }
    await services.close()
}
