import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import NIOCore
import Server
import Storage
import TestSupport
import Testing

@testable import Accounts

@Suite("Import of an account over HTTP")
struct AccountImportRoutesTests {
    private static let item = "0190a1b2-c3d4-7000-8000-00000000000a"
    private static let history = "tracking/histories/\(item).gpx"

    /// Returns an export with one item, whose files aren't compressed.
    /// - Parameter changes: files that are added, or that replace others.
    private static func archive(_ changes: [String: String] = [:]) throws -> [UInt8] {
        let files = [
            "account.json": #"{"name":"Ada","role":"adult"}"#, "manifest.json": #"{"format":2}"#,
            "tracking/items.json": #"[{"id":"\#(item)","name":"Bag","lostMetres":7,"keepDays":null}]"#,
        ].merging(changes) { _, new in new }
        var zip = ZipWriter(at: Instant(millisecondsSince1970: 1_772_366_400_000))
        var bytes: [UInt8] = []
        for (path, text) in files { bytes += try zip.store(path, Array(text.utf8)) }
        return bytes + zip.finish()
    }

    private static func send(
        _ archive: [UInt8], _ harness: ServerHarness, _ token: String
    ) async throws -> TestResponse {
        var headers = HTTPFields.program(token)
        headers[.contentType] = "multipart/form-data; boundary=x"
        let head = "--x\r\nContent-Disposition: form-data; name=\"archive\"; filename=\"export.zip\"\r\n\r\n"
        return try await harness.client.executeRequest(
            uri: "/account/import", method: .post, headers: headers,
            body: ByteBuffer(bytes: Array(head.utf8) + archive + Array("\r\n--x--\r\n".utf8)))
    }

    @Test("H-22: A file that isn't a readable export is refused at its field with the reason, and changes nothing")
    func refused() async throws {
        try await withServer { harness async throws in
            let token = try await harness.join()
            func state() async throws -> String? {
                try await harness.send(.get, "/account/import", token: token).object()["state"] as? String
            }
            let whole = try Self.archive()
            var damaged = whole
            let name = try #require(whole.firstRange(of: Array("Bag".utf8)))
            damaged[name.lowerBound] ^= 0xff
            let nameless = #"[{"id":"\#(Self.item)","name":"","lostMetres":7,"keepDays":null}]"#
            let refusals: [(archive: [UInt8], reason: AccountMessage)] = [
                (Array("a text".utf8), .importForeign), ([], .importMissing),
                (Array(whole.dropLast(100)), .importForeign), (damaged, .importDamaged),
                (try Self.archive(["manifest.json": #"{"format":3}"#]), .importNewer),
                (try Self.archive(["tracking/items.json": nameless]), .importInvalid),
                (try Self.archive([Self.history: "<gpx></gpx>\n"]), .importInvalid),
            ]
            for (archive, reason) in refusals {
                let answer = try await Self.send(archive, harness, token)
                #expect(answer.status == .unprocessableContent, "\(reason)")
                let fields = try answer.error()["fields"] as? [String: String]
                #expect(fields == ["archive": reason.text], "\(reason)")
            }
            #expect(try await state() == "none")
            #expect(try await harness.send(.post, "/account/import/run", "{}", token: token).status == .notFound)
            #expect(try await harness.send(.delete, "/account/import", token: token).status == .notFound)
            let database = harness.services.database
            #expect(try await database.count("account_import") == 0)
            #expect(try await database.count("item") == 0)
            #expect(try await database.count("safe_place") == 0)
            #expect(try await database.count("picture") == 0)
            #expect(try await database.count("family_household") == 0)
            #expect(try await Self.send(whole, harness, token).status == .created)
            #expect(try await state() == "ready")
        }
    }

    @Test("H-22: The form for an export shows why a file is refused")
    func form() async throws {
        try await withServer { harness async throws in
            let ada = try await FamilyTestServer(server: harness).parent("Ada", app: "tracking")
            let page = try await ada.submit(
                "/account/import",
                multipart: "--x\r\nContent-Disposition: form-data; name=\"archive\"; filename=\"export.zip\"\r\n\r\n"
                    + "a text\r\n--x--\r\n")
            #expect(page.status == 422)
            #expect(page.text.contains("id=\"archive-error\">This isn’t a Homeward export."))
            #expect(page.marked == ["archive"])
        }
    }
}
