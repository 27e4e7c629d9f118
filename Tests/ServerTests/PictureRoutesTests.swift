import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Objects
import Storage
import TestSupport
import Testing
import WebCore

@testable import Pictures
import Quotas

@Suite("The photo library over HTTP")
struct PictureRoutesTests {
    @Test("T-1-4-1: The library lists pictures, and rejects files that aren't pictures")
    func pictures() async throws {
        try await withAccountsSite { site in
            let token = try await site.join()
            let list = try await site.call(.get, "/pictures", token: token).object()
            #expect((list["items"] as? [Any])?.isEmpty == true)
            #expect(list["next"] is NSNull)
            var headers = HTTPFields.program(token)
            headers[.contentType] = "multipart/form-data; boundary=x"
            let file =
                "--x\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"a.jpg\"\r\n\r\nhello\r\n--x--\r\n"
            let refused = try await site.send(.post, "/pictures", headers, body: file)
            #expect(refused.status == .unprocessableContent)
            #expect(try refused.errorFields() == ["picture"])
            let drawing = file.replacing("hello", with: "<svg xmlns='http://www.w3.org/2000/svg'/>")
            #expect(try await site.send(.post, "/pictures", headers, body: drawing).status == .unprocessableContent)
            let stored = try await site.call(.get, "/pictures", token: token).object()
            #expect((stored["items"] as? [Any])?.isEmpty == true)
            let none = try await site.send(.post, "/pictures", headers, body: "--x--\r\n")
            #expect(none.status == .unprocessableContent)
            #expect(try none.errorFields() == ["picture"])
            let id = ID<AccountsTestServer>(at: site.clock.now, random: SeededRandom(seed: 4))
            #expect(try await site.call(.get, "/pictures/\(id)?size=small", token: token).status == .notFound)
            #expect(
                try await site.call(.get, "/pictures/\(id)?size=huge", token: token).status == .unprocessableContent)
            #expect(try await site.call(.delete, "/pictures/\(id)", token: token).status == .notFound)
            #expect(try await site.call(.get, "/pictures").status == .unauthorized)
        }
    }

    @Test("T-1-4-1: A file of more than 10 MiB is rejected at its field, and nothing is stored")
    func largeFile() async throws {
        try await withAccountsSite { site in
            let token = try await site.join()
            var headers = HTTPFields.program(token)
            headers[.contentType] = "multipart/form-data; boundary=x"
            let head = "--x\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"a.jpg\"\r\n\r\n"
            let file = head + String(repeating: "x", count: Limits.pictureBytes + 1) + "\r\n--x--\r\n"
            let refused = try await site.send(.post, "/pictures", headers, body: file)
            #expect(refused.status == .contentTooLarge)
            #expect(try refused.errorFields() == ["picture"])
            let list = try await site.call(.get, "/pictures", token: token).object()
            #expect((list["items"] as? [Any])?.isEmpty == true)
        }
    }

    @Test("A full library rejects a picture in the reader's language")
    func fullLibrary() async throws {
        try await withAccountsSite { site in
            let token = try await site.join()
            let owner = try #require(try await site.call(.get, "/account", token: token).object()["id"] as? String)
            let random = SeededRandom(seed: 6)
            try await site.database.write { tx in
                try QuotaStore.set(QuotaOverride(pictures: 2), of: try #require(PersonID(owner)), in: tx)
                for _ in 0..<2 {
                    let id = ID<Picture>(at: site.clock.now, random: random)
                    try tx.execute(
                        """
                        INSERT INTO picture (id, owner_id, width, height, media_type, digest, created_at)
                        VALUES (\(id), \(owner), 1, 1, 'image/jpeg', \([UInt8](repeating: 0, count: 32)), 0)
                        """
                    )
                }
            }
            var headers = HTTPFields.program(token)
            headers[.contentType] = "multipart/form-data; boundary=x"
            headers[.acceptLanguage] = "de"
            let file =
                "--x\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"a.jpg\"\r\n\r\nhello\r\n--x--\r\n"
            let refused = try await site.send(.post, "/pictures", headers, body: file)
            #expect(refused.status == .conflict)
            #expect(refused.html.contains("Deine Bibliothek ist voll."))
        }
    }

    @Test("Browsers cache a photo and revalidate it each time; a removed one isn't shown")
    func caching() async throws {
        try await withAccountsSite { site in
            let mia = try await site.join()
            let ben = try await site.join("ben@example.org")
            let owner = try #require(try await site.call(.get, "/account", token: mia).object()["id"] as? String)
            let id = ID<Picture>(at: site.clock.now, random: SeededRandom(seed: 5))
            try await site.database.write { tx in
                try tx.execute(
                    """
                    INSERT INTO picture (id, owner_id, width, height, media_type, digest, created_at)
                    VALUES (\(id), \(owner), 1, 1, 'image/jpeg', \([UInt8](repeating: 0, count: 32)), 0)
                    """
                )
            }
            try await site.objects.put(Array("small".utf8), at: PictureObjects.key(of: id, .small))
            let uri = "/pictures/\(id)?size=small"
            let first = try await site.call(.get, uri, token: mia)
            #expect(first.html == "small")
            #expect(first.headers[.cacheControl] == "private, no-cache")
            let tag = try #require(first.headers[.eTag])
            func again(_ token: String?, _ uri: String) async throws -> HTTPResponse.Status {
                var headers = HTTPFields.program(token)
                headers[.ifNoneMatch] = tag
                let answer = try await site.send(.get, uri, headers)
                #expect(answer.html.isEmpty == (answer.status == .notModified))
                return answer.status
            }
            #expect(try await again(mia, uri) == .notModified)
            #expect(try await again(mia, "/pictures/\(id)?size=large") == .notFound)
            #expect(try await again(ben, uri) == .notFound)
            #expect(try await again(nil, uri) == .unauthorized)
            _ = try await site.call(.delete, "/session", token: mia)
            #expect(try await again(mia, uri) == .unauthorized)
        }
    }
}
