import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import AdminWeb
import NIOCore
import Server
import TestSupport
import Testing
import WebCore

@Suite("The tiles of the map file")
struct MapTilesRouteTests {
    private static func get(
        _ harness: ServerHarness, _ uri: String, _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await harness.client.executeRequest(uri: uri, method: .get, headers: headers, body: nil)
    }

    private static func withMap(
        _ bytes: [UInt8] = PMTilesFixture(tileIDs: [0, 1, 3]).bytes,
        _ body: @escaping @Sendable (ServerHarness, String) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("map.pmtiles")
        try Data(bytes).write(to: URL(filePath: path))
        try await withServer(settings: ["HOMEWARD_MAP_FILE": path]) { harness async throws in
            try await body(harness, path)
        }
    }

    @Test("A tile is public, and a browser keeps it for a year under the URL of this version of the file")
    func tile() async throws {
        try await Self.withMap { harness, _ async throws in
            let template = try #require(harness.services.settings.site.tiles.url)
            let uri = template.replacing("{z}", with: "1").replacing("{x}", with: "1").replacing("{y}", with: "1")
            let tile = try await Self.get(harness, uri)
            #expect(tile.status == .ok)
            #expect(Array(tile.body.readableBytesView) == PMTilesFixture.tile(3))
            #expect(tile.headers[.contentType] == "image/png")
            #expect(tile.headers[.cacheControl] == "public, max-age=31536000, immutable")
            #expect(tile.headers[.xContentTypeOptions] == "nosniff")
            let tag = try #require(tile.headers[.eTag])
            let again = try await Self.get(harness, uri, [.ifNoneMatch: tag])
            #expect(again.status == .notModified && again.body.readableBytes == 0)
            #expect(again.headers[.eTag] == tag)
            let other = try await Self.get(harness, "/map/tiles/1/1/1?v=000000000000")
            #expect(other.status == .ok && other.headers[.cacheControl] == "public, no-cache")
        }
    }

    @Test("A place without a tile is transparent, and one outside the map isn't found")
    func missing() async throws {
        try await Self.withMap { harness, _ async throws in
            let empty = try await Self.get(harness, "/map/tiles/2/0/0")
            #expect(empty.status == .ok && empty.headers[.contentType] == "image/png")
            #expect(empty.body.readableBytes < 100)
            for path in ["0/1/0", "27/0/0", "99999999999999999999/0/0", "-1/0/0", "1/a/0", "1/0/0.png", "+1/0/0"] {
                #expect(try await Self.get(harness, "/map/tiles/\(path)").status == .notFound, "\(path)")
            }
        }
    }

    @Test("With a map file, pages allow pictures of this server only, and the doctor names the file")
    func policy() async throws {
        try await Self.withMap { harness, _ async throws in
            let page = try await harness.browse("/sign-in")
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("img-src 'self' data: blob:;"))
            let finding = await ServerDoctor(harness.services).findings().first { $0.check == "map" }
            #expect(finding == .mapFromFile("map.pmtiles"))
        }
    }

    @Test("A file that becomes unreadable gives 503")
    func unreadable() async throws {
        try await Self.withMap { harness, path async throws in
            #expect(truncate(path, 140) == 0)
            #expect(try await Self.get(harness, "/map/tiles/1/1/1").status == .serviceUnavailable)
        }
    }

    @Test("Without a map file there are no tiles")
    func none() async throws {
        try await withServer(settings: ["HOMEWARD_TILES_URL": "none"]) { harness async throws in
            #expect(try await Self.get(harness, "/map/tiles/0/0/0").status == .notFound)
            let finding = await ServerDoctor(harness.services).findings().first { $0.check == "map" }
            #expect(finding == .mapMissing)
            let token = try await harness.join("mia@example.org")
            let page = try await harness.client.executeRequest(
                uri: "/tracking/map", method: .get,
                headers: [.authorization: "Bearer \(token)", .accept: "text/html"], body: nil)
            #expect(!String(buffer: page.body).contains("data-tiles"))
        }
    }

    @Test("T-6-6-7: Without a map, its pages show only administrators how to set one")
    func advice() async throws {
        try await withServer(settings: ["HOMEWARD_TILES_URL": "none"]) { server async throws in
            let site = FamilyTestServer(server: server)
            let ada = try await site.parent("Ada", app: "tracking")
            let ben = try await site.parent("Ben", app: "tracking")
            _ = try await server.services.accounts.administrators.setOperator(email: ada.id, true)
            let advice = "No map is set. Set HOMEWARD_MAP_FILE or HOMEWARD_TILES_URL on the server."
            #expect(try await ada.page("/tracking/map").text.contains(advice))
            let page = try await ben.page("/tracking/map")
            #expect(page.status == 200 && !page.text.contains(advice))
        }
    }

    @Test("A file that can't be used ends the start with the setting, the file and the reason")
    func wrongFiles() async throws {
        var vector = PMTilesFixture(tileIDs: [0])
        vector.tileType = 1
        let folder = try TemporaryFolder()
        let path = folder.file("map.pmtiles")
        try Data(vector.bytes).write(to: URL(filePath: path))
        for (values, reason) in [
            (["HOMEWARD_MAP_FILE": path], "HOMEWARD_MAP_FILE: \(path) contains vector tiles"),
            (["HOMEWARD_MAP_FILE": "/no/such"], "HOMEWARD_MAP_FILE: /no/such can't be read: No such file"),
            (["HOMEWARD_MAP_FILE": path, "HOMEWARD_TILES_URL": "/{z}/{x}/{y}"], "not both"),
        ] {
            let error = await #expect(throws: SettingError.self) { try await withServer(settings: values) { _ in } }
            #expect(error?.description.contains(reason) ?? false, "\(error?.description ?? "")")
        }
    }
}
