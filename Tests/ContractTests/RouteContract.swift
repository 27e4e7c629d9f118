import Accounts
import Foundation
import HTTPTypes
import Server
import Storage
import Testing
import WebCore

@Suite("Routes, settings and migrations match the documents")
struct RouteContract {
    /// An operation of openapi.yaml.
    struct Operation {
        /// The scopes of which an access token needs one.
        var scopes: Set<String> = []
        /// Whether it exists for browsers alone.
        var isPage = false
    }

    /// The operations of openapi.yaml by their names, such as `GET /tracking/items/{id}`. The test relies on the file's
    /// layout: each path and each method is at the start of a line.
    static func written() throws -> [String: Operation] {
        var operations: [String: Operation] = [:]
        var name: String?
        var path: String?
        var isInPaths = false
        for line in try Documents.text("docs/api/openapi.yaml").components(separatedBy: "\n") {
            if let section = line.firstMatch(of: #/^(\w+):/#) { isInPaths = section.output.1 == "paths" }
            guard isInPaths else { continue }
            if let match = line.firstMatch(of: #/^  (\/[^:]*):/#) { path = String(match.output.1) }
            if let match = line.firstMatch(of: #/^    (get|post|put|patch|delete):/#), let path {
                let found = "\(match.output.1.uppercased()) \(path)"
                operations[found] = Operation()
                name = found
            }
            guard let name else { continue }
            for match in line.matches(of: #/accessToken: \["([a-z:]+)"\]/#) {
                operations[name]?.scopes.insert(String(match.output.1))
            }
            if line.contains("x-page: true") { operations[name]?.isPage = true }
        }
        return operations
    }

    /// Not part of the API: resources that the pages fetch.
    static let internalPaths = ["/static/{version}/**", "/favicon.ico", "/version"]

    @Test("openapi.yaml describes exactly the routes of the server")
    func openAPIDescribesTheRoutes() async throws {
        try await withContractServer { contract in
            let served = Set(
                contract.server.web.routes.filter { !Self.internalPaths.contains($0.path) }.map {
                    "\($0.method.rawValue) \($0.path)"
                })
            let written = Set(try Self.written().keys)
            #expect(served.subtracting(written).sorted() == [], "served, but not written down")
            #expect(written.subtracting(served).sorted() == [], "written down, but not served")
        }
    }

    @Test("openapi.yaml names the scopes of access tokens for each route")
    func openAPINamesTheScopes() async throws {
        try await withContractServer { contract in
            let written = try Self.written()
            #expect(written.values.filter(\.isPage).count > 50)
            for entry in contract.server.web.routes where !Self.internalPaths.contains(entry.path) {
                let name = "\(entry.method.rawValue) \(entry.path)"
                let scopes = Set(entry.tokenScopes.map(\.rawValue))
                #expect(written[name]?.scopes == scopes, "\(name) \(entry.tokenScopes.text)")
                if written[name]?.isPage == true { #expect(scopes.isEmpty, "\(name) is a page and serves tokens") }
            }
        }
    }

    @Test("Every setting is documented with its current description and default")
    func settingsAreDocumented() throws {
        var table = """
            # Settings

            Each setting is a flag of `homeward serve`, an environment variable, or a line of the file named by `--config`.
            Precedence: flag, environment, file.

            | variable | flag | default | description |
            | --- | --- | --- | --- |

            """
        for setting in Setting.all {
            let standard = setting.standard.isEmpty ? "" : "`\(setting.standard)`"
            table += "| `\(setting.name)` | `--\(setting.flag)` | \(standard) | \(setting.meaning) |\n"
        }
        if Documents.isWriting { try Documents.write(table, to: "docs/settings.md") }
        #expect(try Documents.text("docs/settings.md") == table)
    }

    @Test("A migration in the list of published ones is never changed")
    func migrationsAreFrozen() throws {
        let list = Services.migrations.map { "\($0.digest)  \($0.title)" }.joined(separator: "\n") + "\n"
        if Documents.isWriting { try Documents.write(list, to: "Tests/ContractTests/migrations.txt") }
        #expect(try Documents.text("Tests/ContractTests/migrations.txt") == list)
    }
}
