import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Testing

@testable import WebCore

@Suite("Manifests of the installable apps")
struct WebAppManifestTests {
    private static let apps = ["home": "/", "tracking": "/tracking", "family": "/family", "carrepsa": "/carrepsa"]

    private static func manifest(_ name: String) throws -> NSDictionary {
        let content = try #require(try WebAppManifest.files()[name])
        return try #require(try JSONSerialization.jsonObject(with: Data(content)) as? NSDictionary)
    }

    private static func shortcuts(_ manifest: NSDictionary) throws -> [NSDictionary] {
        try #require(manifest["shortcuts"] as? [NSDictionary])
    }

    @Test("Installed apps keep their identity: the id, the first page and the scope never change", arguments: apps)
    func identity(app: String, path: String) throws {
        let names = Language.allCases.map { WebAppManifest.fileName(app: app, language: $0) }
        for name in names + ["manifest-\(app).webmanifest"] {
            let manifest = try Self.manifest(name)
            #expect(manifest["id"] as? String == path)
            #expect(manifest["start_url"] as? String == path)
            #expect(manifest["scope"] as? String == "/")
            #expect(manifest["display"] as? String == "standalone")
        }
    }

    @Test("Each language has the same members and addresses, and texts of its own", arguments: apps.keys)
    func languages(app: String) throws {
        let english = try Self.manifest("manifest-\(app).en.webmanifest")
        for language in Language.allCases where language != .english {
            let manifest = try Self.manifest("manifest-\(app).\(language.rawValue).webmanifest")
            #expect(manifest["lang"] as? String == language.rawValue)
            #expect(manifest["description"] as? String != english["description"] as? String)
            let translated: Set = ["lang", "description", "shortcuts"]
            let keys = try #require(english.allKeys as? [String])
            #expect(Set(keys) == Set(try #require(manifest.allKeys as? [String])))
            for key in keys where !translated.contains(key) {
                #expect(manifest[key] as? NSObject == english[key] as? NSObject, "\(key)")
            }
            let pairs = zip(try Self.shortcuts(manifest), try Self.shortcuts(english))
            for (shortcut, original) in pairs {
                #expect(shortcut["url"] as? String == original["url"] as? String)
                #expect(shortcut["icons"] as? NSArray == original["icons"] as? NSArray)
            }
            #expect(try Self.shortcuts(manifest).count == Self.shortcuts(english).count)
            // The shortcuts of the start page are the names of the apps.
            if app != "home" {
                #expect(pairs.contains { $0["name"] as? String != $1["name"] as? String }, "\(language)")
            }
        }
    }

    @Test("Texts are plain: without soft hyphens, and with the terms of the pages")
    func texts() throws {
        let german = try Self.manifest("manifest-family.de.webmanifest")
        #expect(german["description"] as? String == "Aufgaben, Punkte und Belohnungen für Kinder.")
        let items = try Self.shortcuts(Self.manifest("manifest-tracking.de.webmanifest"))
        #expect(items.compactMap { $0["name"] as? String } == ["Dinge", "Ding hinzufügen"])
        let english = try Self.manifest("manifest-carrepsa.en.webmanifest")
        #expect(english["description"] as? String == "Packages carried by neighbours.")
        #expect(english["name"] as? String == "Carrepsa – Homeward")
    }

    @Test("The page links the manifest of its language, and pages of earlier versions get the English one")
    func links() async throws {
        try await withSite { site async throws in
            for language in Language.allCases {
                let name = "manifest-home.\(language.rawValue).webmanifest"
                let page = try await site.get("/offline", .browser.adding(.acceptLanguage, language.rawValue))
                #expect(page.text.contains("<link rel=\"manifest\" href=\"\(site.web.files.folder)/\(name)\">"))
                let manifest = try await site.get("\(site.web.files.folder)/\(name)")
                #expect(manifest.headers[.contentType] == "application/manifest+json")
                #expect(manifest.headers[.cacheControl] == "public, max-age=31536000, immutable")
                #expect(manifest.text.contains("\"lang\":\"\(language.rawValue)\""))
            }
            let old = try await site.get("/static/0123456789ab/manifest-home.webmanifest")
            #expect(old.headers[.cacheControl] == "no-cache")
            #expect(old.text.contains("\"lang\":\"en\""))
        }
    }
}
