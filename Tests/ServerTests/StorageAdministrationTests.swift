import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import NIOCore
import Objects
import Quotas
import Server
import Storage
import TestSupport
import Testing

@testable import Pictures

/// An administrator, Mia, and another adult, Ben, with photos.
private struct StorageFixture {
    let administration: AdministrationFixture

    var harness: ServerHarness { administration.harness }
    var path: String { "/storage/\(administration.benID)" }

    init(_ harness: ServerHarness) async throws { administration = try await AdministrationFixture(harness) }

    /// - Parameter byteCount: of each photo; `nil` as an earlier version stored it.
    func addPhotos(_ count: Int, of account: String, byteCount: Int?) async throws {
        let owner = try #require(PersonID(account))
        let harness = harness
        try await harness.services.database.write { tx in
            for _ in 0..<count {
                let id = ID<Picture>(at: harness.clock.now, random: harness.services.random)
                let picture = Picture(id: id, owner: owner, width: 1, height: 1, createdAt: harness.clock.now)
                try PictureStore.insert(picture, digest: [UInt8](repeating: 0, count: 32), byteCount: 0, in: tx)
                try tx.execute("UPDATE picture SET byte_count = \(byteCount) WHERE id = \(id)")
            }
        }
    }

    func count() async throws { try await harness.services.storage.counter.run() }

    func list(_ query: String = "") async throws -> [String: Any] {
        try await administration.act(.get, "/storage\(query)", nil).object()
    }

    func rows(_ query: String = "") async throws -> [[String: Any]] {
        try #require(try await list(query)["items"] as? [[String: Any]])
    }

    func setLimits(_ body: String) async throws -> TestResponse {
        try await administration.act(.put, path, body)
    }
}

@Suite("Storage and quotas, for administrators, over HTTP")
struct StorageAdministrationTests {
    @Test("Accounts are listed by size, page by page, and counted together", arguments: Engine.allCases)
    func list(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            let fixture = try await StorageFixture(harness)
            #expect(try await fixture.list()["total"] is NSNull)
            let mia = try await harness.send(.get, "/account", token: fixture.administration.mia).object()
            try await fixture.addPhotos(2, of: try #require(mia["id"] as? String), byteCount: 500)
            try await fixture.addPhotos(1, of: fixture.administration.benID, byteCount: 7_000)
            #expect(try await fixture.rows().isEmpty)
            try await fixture.count()
            let rows = try await fixture.rows()
            #expect(rows.map { $0["pictureBytes"] as? Int } == [7_000, 1_000])
            #expect(rows.map { $0["pictures"] as? Int } == [1, 2])
            let total = try #require(try await fixture.list()["total"] as? [String: Any])
            #expect(total["pictures"] as? Int == 3)
            #expect(total["pictureBytes"] as? Int == 8_000)
            let first = try await fixture.list("?limit=1")
            let next = try #require(first["next"] as? String)
            let second = try await fixture.list("?limit=1&after=\(next)")
            #expect((second["items"] as? [[String: Any]])?.map { $0["pictures"] as? Int } == [2])
            #expect(second["next"] is NSNull)
            #expect(try await fixture.administration.act(.get, "/storage?after=x", nil).status == .unprocessableContent)
        }
    }

    @Test("H-17: An account's limits need a proof, are logged and take effect at once", arguments: Engine.allCases)
    func limits(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            let fixture = try await StorageFixture(harness)
            let unproven = try await fixture.setLimits(#"{"pictureLimit":10}"#)
            #expect(unproven.status == .unprocessableContent)
            #expect(unproven.html.contains(#""password""#))
            try await fixture.administration.prove()
            let changed = try await fixture.setLimits(#"{"pictureLimit":10,"fixLimit":null}"#).object()
            #expect(changed["pictureLimit"] as? Int == 10)
            #expect(changed["fixLimit"] is NSNull)
            #expect(changed["defaultFixLimit"] as? Int == Limits.fixesPerAccount)
            let ben = fixture.administration.ben
            let own = try await harness.send(.get, "/account/storage", token: ben).object()
            #expect(own["pictureLimit"] as? Int == 10)
            #expect(own["fixLimit"] as? Int == Limits.fixesPerAccount)
            #expect(try await fixture.administration.log().first == "change-quota")
            try await fixture.addPhotos(9, of: fixture.administration.benID, byteCount: 1)
            try await fixture.count()
            #expect(try await fixture.rows().map { $0["nearLimit"] as? Bool } == [true])
            // Without own limits, the defaults apply again.
            _ = try await fixture.setLimits("{}")
            #expect(try await fixture.rows().map { $0["nearLimit"] as? Bool } == [false])
        }
    }

    @Test("H-17: The form refuses what isn't a number, and a limit is shown to the person whom it stops")
    func form() async throws {
        try await withServer { harness async throws in
            let fixture = try await StorageFixture(harness)
            let (mia, ben) = (fixture.administration.mia, fixture.administration.ben)
            let path = "/admin\(fixture.path)"
            func page(_ uri: String, _ token: String, form: String? = nil) async throws -> TestResponse {
                var headers = HTTPFields.page
                headers[.authorization] = "Bearer \(token)"
                if form != nil { headers[.contentType] = "application/x-www-form-urlencoded" }
                return try await harness.client.executeRequest(
                    uri: uri, method: form == nil ? .get : .post, headers: headers,
                    body: form.map { ByteBuffer(string: $0) })
            }
            try await fixture.addPhotos(1, of: fixture.administration.benID, byteCount: 1)
            let person = try await page("/admin/people/\(fixture.administration.benID)", mia).html
            #expect(person.contains("href=\"\(path)\""))
            let unproven = try await page(path, mia).html
            #expect(unproven.contains(">1 of 2,000</dd>") && !unproven.contains("name=\"pictureLimit\""))
            try await fixture.administration.prove()
            let refused = try await page("\(path)?_method=put", mia, form: "pictureLimit=few&fixLimit=")
            #expect(refused.status == .unprocessableContent)
            #expect(refused.html.contains("id=\"picture-limit-error\">Enter a whole number.</p>"))
            #expect(refused.html.contains("name=\"pictureLimit\" value=\"few\""))
            #expect(Reply(refused).marked == ["pictureLimit"])
            let saved = try await page("\(path)?_method=put", mia, form: "pictureLimit=1&fixLimit=")
            #expect(saved.status == .seeOther)
            #expect(try Reply(saved).toast() == "Saved")
            #expect(try await page(path, mia).html.contains(">1 of 1</dd>"))
            var headers = HTTPFields.program(ben)
            headers[.contentType] = "multipart/form-data; boundary=x"
            let head = "--x\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"a.jpg\"\r\n\r\n"
            let full = try await harness.client.executeRequest(
                uri: "/pictures", method: .post, headers: headers,
                body: ByteBuffer(string: "\(head)hello\r\n--x--\r\n"))
            #expect(full.status == .conflict)
            #expect(try await page("/account", ben).html.contains("href=\"/account/storage\""))
            let own = try await page("/account/storage", ben).html
            #expect(own.contains("You’ve reached a limit or are close to one."))
        }
    }

    @Test("Limits beyond their range are refused at their fields and change nothing")
    func invalid() async throws {
        try await withServer { harness async throws in
            let fixture = try await StorageFixture(harness)
            try await fixture.administration.prove()
            for (body, field) in [
                (#"{"pictureLimit":-1}"#, "pictureLimit"),
                (#"{"pictureLimit":\#(Limits.pictureQuotaMaximum + 1)}"#, "pictureLimit"),
                (#"{"fixLimit":1.5}"#, "fixLimit"), (#"{"fixLimit":"many"}"#, "fixLimit"),
            ] {
                let refused = try await fixture.setLimits(body)
                #expect(refused.status == .unprocessableContent, "\(body)")
                #expect(refused.html.contains("\"\(field)\":"), "\(body)")
            }
            let shown = try await fixture.administration.act(.get, fixture.path, nil).object()
            #expect(shown["pictureLimit"] is NSNull)
            #expect(shown["fixLimit"] is NSNull)
            let stranger = PersonID(at: harness.clock.now, random: harness.services.random)
            #expect(try await fixture.administration.act(.put, "/storage/\(stranger)").status == .notFound)
        }
    }

    @Test("An account is near its limit from 90 %, and never while it stores nothing")
    func nearLimit() {
        func isNear(_ pictures: Int, of limit: Int) -> Bool {
            StorageUsage(pictures: pictures, pictureBytes: 0, fixes: 0)
                .isNearLimit(of: StorageQuota(pictures: limit, fixes: 0))
        }
        #expect(!isNear(0, of: 0))
        #expect(isNear(1, of: 0))
        #expect(!isNear(89, of: 100))
        #expect(isNear(90, of: 100))
    }

    @Test(
        "Photos of an earlier version are measured, and a deleted account leaves no figures", arguments: Engine.allCases
    )
    func measuringAndDeletion(engine: Engine) async throws {
        try await withServer(engine) { harness async throws in
            let fixture = try await StorageFixture(harness)
            let services = harness.services
            try await fixture.addPhotos(2, of: fixture.administration.benID, byteCount: nil)
            let pictures = try await services.database.read { tx in try PictureStore.withoutSize(limit: 9, in: tx) }
            for size in PictureSize.allCases {
                try await services.objects.put(
                    [UInt8](repeating: 1, count: 100), at: PictureObjects.key(of: try #require(pictures.first), size))
            }
            try await services.pictures.measure()
            try await fixture.count()
            #expect(try await fixture.rows().map { $0["pictureBytes"] as? Int } == [100 * PictureSize.allCases.count])
            try await fixture.administration.prove()
            _ = try await fixture.setLimits(#"{"pictureLimit":10}"#)
            let deleted = try await fixture.administration.act(.delete, "/people/\(fixture.administration.benID)")
            #expect(deleted.status == .noContent)
            let rows = try await services.database.read { tx in
                try tx.row(
                    "SELECT (SELECT COUNT(*) FROM storage_quota) + (SELECT COUNT(*) FROM storage_usage) AS n")?
                    .get("n", as: Int.self)
            }
            #expect(rows == 0)
            try await fixture.count()
            #expect(
                try await fixture.list()["total"] as? [String: Int] == ["pictures": 0, "pictureBytes": 0, "fixes": 0])
        }
    }
}
