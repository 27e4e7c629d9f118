import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Server
import Testing
import WebCore

@Suite("Query values of all routes")
struct QueryContract {
    private struct Refusal: Decodable {
        struct Content: Decodable {
            let code: String
            let fields: [String: String]
        }
        let error: Content
    }

    /// The query values that the server reads, by name, from openapi.yaml and the sources.
    private static func names() throws -> Set<String> {
        let document = try Documents.text("docs/api/openapi.yaml")
        let written = document.matches(of: #/name: (\w+), in: query/#).map { String($0.output.1) }
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
            .standardizedFileURL
        var read: [String] = []
        for file in FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.compactMap({ $0 as? URL }
        ) ?? []
        where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            read += text.matches(of: #/\bquery\("(\w+)"\)/#).map { String($0.output.1) }
        }
        return Set(written + read)
    }

    /// A route's path with values for its parameters.
    private func path(of route: RouteEntry) -> String {
        route.path.replacing(#/\{[^}]*\}/#) { _ in "01890000-0000-7000-8000-000000000000" }.replacing("**", with: "x")
    }

    @Test("U+0000 in a query value gets 422 with a message at its name, on every route")
    func nullIsRefused() async throws {
        let names = try Self.names()
        #expect(names.isSuperset(of: ["after", "from", "format", "limit", "to", "role", "return", "code", "e", "id"]))
        try await withContractServer { contract in
            let routes = contract.server.web.routes
            #expect(routes.count > 150)
            for route in routes {
                let query = names.sorted().map { "\($0)=%00x" }.joined(separator: "&")
                let answer = try await contract.client.executeRequest(
                    uri: "\(path(of: route))?\(query)", method: route.method, headers: [.accept: "application/json"],
                    body: nil)
                #expect(answer.status == .unprocessableContent, "\(route.method) \(route.path)")
                let refusal = try JSONDecoder().decode(Refusal.self, from: Data(answer.body.readableBytesView))
                #expect(refusal.error.code == "invalid")
                #expect(Set(refusal.error.fields.keys) == names)
            }
            for name in names {
                for value in ["%00", "%00x", "x%00", "a+b%00%20"] {
                    let answer = try await contract.client.executeRequest(
                        uri: "/carrepsa/packages?limit=5&\(name)=\(value)", method: .get,
                        headers: [.accept: "application/json"], body: nil)
                    let refusal = try JSONDecoder().decode(Refusal.self, from: Data(answer.body.readableBytesView))
                    #expect(refusal.error.fields.keys.sorted() == [name], "\(name)=\(value)")
                }
            }
        }
    }

    @Test("A page shows the same error, and too many query values are rejected, not truncated")
    func pages() async throws {
        try await withContractServer { contract in
            let page = try await contract.browse("/carrepsa/packages?from=%00Berlin")
            #expect(page.status == .unprocessableContent)
            #expect(String(buffer: page.body).contains("Remove the null character."))
            let many = String(repeating: "a&", count: 600) + "after=x"
            #expect(try await contract.browse("/carrepsa/packages?\(many)").status == .badRequest)
        }
    }
}
