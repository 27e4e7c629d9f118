import Foundation
import HTTPTypes
import Server
import Storage
import Testing
import WebCore

@Suite("The routes and what is written about them")
struct RouteContract {
    /// `GET /tracking/items/{id}` of each operation in openapi.yaml. The file keeps its paths and methods each at the start of a line,
    /// which is all that this reading asks of it.
    static func written() throws -> Set<String> {
        var operations: Set<String> = []
        var path: String?
        var isInPaths = false
        for line in try Documents.text("docs/api/openapi.yaml").components(separatedBy: "\n") {
            if let section = line.firstMatch(of: #/^(\w+):/#) { isInPaths = section.output.1 == "paths" }
            guard isInPaths else { continue }
            if let match = line.firstMatch(of: #/^  (\/[^:]*):/#) { path = String(match.output.1) }
            if let match = line.firstMatch(of: #/^    (get|post|put|patch|delete):/#), let path {
                operations.insert("\(match.output.1.uppercased()) \(path)")
            }
        }
        return operations
    }

    /// Not part of the interface: what the pages fetch for themselves.
    static let internalPaths = ["/static/{version}/**", "/favicon.ico", "/version"]

    @Test("openapi.yaml describes the server's routes, all of them and no others")
    func openAPIDescribesTheRoutes() async throws {
        try await withContractServer { contract in
            let served = Set(
                contract.server.web.routes.filter { !Self.internalPaths.contains($0.path) }.map {
                    "\($0.method.rawValue) \($0.path)"
                })
            let written = try Self.written()
            #expect(served.subtracting(written).sorted() == [], "served, but not written down")
            #expect(written.subtracting(served).sorted() == [], "written down, but not served")
        }
    }

    @Test("every setting is documented as it is")
    func settingsAreDocumented() throws {
        var table = """
            # Settings

            Each is a flag of `homeward serve`, an environment variable, or a line of the file named by `--config`. A flag wins over
            the environment, and that over the file.

            | variable | flag | when nothing is said | what it is for |
            | --- | --- | --- | --- |

            """
        for setting in Setting.all {
            let standard = setting.standard.isEmpty ? "" : "`\(setting.standard)`"
            table += "| `\(setting.name)` | `--\(setting.flag)` | \(standard) | \(setting.meaning) |\n"
        }
        if Documents.isWriting { try Documents.write(table, to: "docs/settings.md") }
        #expect(try Documents.text("docs/settings.md") == table)
    }

    @Test("a migration that was written down is frozen")
    func migrationsAreFrozen() throws {
        let list = Services.migrations.map { "\($0.digest)  \($0.title)" }.joined(separator: "\n") + "\n"
        if Documents.isWriting { try Documents.write(list, to: "Tests/ContractTests/migrations.txt") }
        #expect(try Documents.text("Tests/ContractTests/migrations.txt") == list)
    }
}
