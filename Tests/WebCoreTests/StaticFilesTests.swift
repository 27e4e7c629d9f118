import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import WebCore

@Suite("Static files")
struct StaticFilesTests {
    private static let files = [
        "static/a.css": "body{}", "static/js/b.js": "b()", "vendor/v.js": "v()", "templates/x.mustache": "secret",
        // Named by the hash of vendor/v.js.
        "vendor/gzip/\(hash).gz": "compressed",
    ]
    // The first 16 digits of SHA-256 of "v()".
    private static let hash = "5c14971abd969005"

    @Test("The current version is cached indefinitely, any other is revalidated")
    func caching() async throws {
        try await withSite(files: Self.files) { site async throws in
            let now = try await site.get("\(site.web.files.folder)/a.css")
            #expect(now.text == "body{}")
            #expect(now.headers[.contentType] == "text/css; charset=utf-8")
            #expect(now.headers[.cacheControl] == "public, max-age=31536000, immutable")
            let old = try await site.get("/static/0123456789ab/js/b.js")
            #expect(old.headers[.contentType] == "text/javascript; charset=utf-8")
            #expect(old.headers[.cacheControl] == "no-cache")
            let tag = try #require(old.headers[.eTag])
            let again = try await site.get("/static/0123456789ab/js/b.js", [.ifNoneMatch: tag])
            #expect(again.status == .notModified)
            #expect(again.text.isEmpty)
        }
    }

    @Test("Sent compressed if the client accepts gzip and there is a compressed file")
    func compression() async throws {
        try await withSite(files: Self.files) { site async throws in
            let url = "\(site.web.files.folder)/vendor/v.js"
            let plain = try await site.get(url)
            #expect(plain.text == "v()")
            #expect(plain.headers[.vary] == "Accept-Encoding")
            let small = try await site.get(url, [.acceptEncoding: "br, gzip;q=0.5"])
            #expect(small.text == "compressed")
            #expect(small.headers[.contentEncoding] == "gzip")
            #expect(small.headers[.contentType] == "text/javascript; charset=utf-8")
            #expect(try await site.get(url, [.acceptEncoding: "gzip;q=0"]).text == "v()")
            #expect(try await site.get("\(site.web.files.folder)/a.css", [.acceptEncoding: "gzip"]).text == "body{}")
        }
    }

    @Test(
        "Only static files are served",
        arguments: [
            "x.mustache", "templates/x.mustache", "../templates/x.mustache", "%2e%2e/a.css", "vendor/gzip", "", "js",
        ])
    func others(_ name: String) async throws {
        try await withSite(files: Self.files) { site async throws in
            #expect(try await site.get("\(site.web.files.folder)/\(name)", .json).status == .notFound)
            #expect(try await site.get("\(site.web.files.folder)/vendor/gzip/\(Self.hash).gz").status == .notFound)
        }
    }

    @Test("The styles of a folder are one file, in the order of their names")
    func joined() async throws {
        let files = [
            "static/css/parts/b.css": "b{}\n", "static/css/parts/a.css": "a{}\n", "static/css/c.css": "c{}\n",
        ]
        try await withSite(files: files) { site async throws in
            #expect(try await site.get("\(site.web.files.folder)/css/parts.css").text == "a{}\nb{}\n")
            #expect(try await site.get("\(site.web.files.folder)/css/c.css").text == "c{}\n")
            #expect(try await site.get("\(site.web.files.folder)/css/parts/a.css").status == .notFound)
            #expect(!site.web.files.names.contains("css/components/cards.css"))
        }
    }

    @Test("the libraries of every page are one file")
    func libraries() async throws {
        let files = [
            "vendor/htmx.min.js": "var htmx={}", "vendor/morphdom.min.js": "var morphdom={}", "vendor/leaflet.js": "l",
        ]
        let served = StaticFiles([EmbeddedFiles(plain: files.mapValues { Array($0.utf8) })])
        #expect(served.names == ["js/libraries.js", "vendor/leaflet.js"])
        try await withSite { site async throws in
            let libraries = try await site.get("\(site.web.files.folder)/js/libraries.js").text
            #expect(libraries.contains("htmx") && libraries.contains("morphdom"))
        }
    }

    @Test("The version changes with the contents")
    func version() {
        func folder(_ files: [String: String]) -> String {
            StaticFiles([EmbeddedFiles(plain: files.mapValues { Array($0.utf8) })]).folder
        }
        #expect(folder(["static/a": "1"]) == folder(["static/a": "1"]))
        #expect(folder(["static/a": "1"]) != folder(["static/a": "2"]))
        #expect(folder(["static/a": "1"]) != folder(["static/b": "1"]))
        #expect(folder(["static/a": "1"]) == folder(["static/a": "1", "templates/t.mustache": "x"]))
    }

    @Test("All styles and scripts of the product exist")
    func product() async throws {
        try await withSite { site async throws in
            for name in [
                "css/all.css", "css/carrepsa.css", "js/app.js", "js/libraries.js", "vendor/leaflet.js",
                "vendor/icons.svg",
            ] {
                #expect(site.web.files.names.contains(name))
                #expect(try await site.send(.head, "\(site.web.files.folder)/\(name)").status == .ok)
            }
        }
    }
}
