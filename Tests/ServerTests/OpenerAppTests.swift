import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Server
import TestSupport
import Testing
import WebCore

/// Shared pages keep the appearance of the app that opened them, and link back to it.
@Suite("Settings and errors within an app")
struct OpenerAppTests {
    /// Requests a page as a browser with `app` in its cookie that followed a link on the page `referer`.
    private static func open(
        _ visitor: some Visitor, _ uri: String, app: String? = nil, referer: String? = nil, language: String = "en"
    ) async throws -> (text: String, app: String?) {
        var headers: HTTPFields = [.accept: "text/html,application/xhtml+xml", .acceptLanguage: language]
        let cookies = [visitor.cookie, app.map { "homeward-app=\($0)" }].compactMap(\.self)
        if !cookies.isEmpty { headers[.cookie] = cookies.joined(separator: "; ") }
        headers[.referer] = referer
        let response = try await visitor.server.client.executeRequest(
            uri: uri, method: .get, headers: headers, body: nil)
        let prefix = "homeward-app="
        let setting = response.headers[values: .setCookie].first { $0.hasPrefix(prefix) }
        let remembered = setting.map { String($0.dropFirst(prefix.count).prefix { $0 != ";" }) }
        return (String(buffer: response.body), remembered)
    }

    private static func address(_ visitor: some Visitor, _ path: String) -> String {
        visitor.server.services.settings.site.url + path
    }

    @Test("Settings opened from Carrepsa keep its appearance, and link back to its profile")
    func carrepsa() async throws {
        try await withCarrepsa { site in
            let ada = try await site.person("Ada")
            let profile = try await Self.open(ada, "/carrepsa/profile", app: "tracking")
            #expect(profile.app == "carrepsa")
            let shared = [
                "/account", "/account/edit", "/account/choices/theme", "/account/sessions", "/account/lock",
                "/account/notifications", "/notifications", "/pictures", "/tracking/alerts", "/tracking/settings",
                "/tracking/safe-places", "/tracking/safe-places/new",
            ]
            for path in shared {
                let page = try await Self.open(ada, path, app: "carrepsa")
                #expect(page.text.contains(" data-app=\"carrepsa\""), "\(path)")
                #expect(page.app == nil, "\(path)")
            }
            let settings = try await Self.open(ada, "/account", app: "carrepsa").text
            #expect(settings.contains("href=\"/carrepsa/profile\" data-back>"))
            #expect(settings.contains("class=\"tab\" href=\"/carrepsa/profile\" aria-current=\"page\">"))
            #expect(settings.contains("/manifest-carrepsa.en.webmanifest\""))
            #expect(try await Self.open(ada, "/notifications", app: "carrepsa").text.contains(">Search</span></a>"))
        }
    }

    @Test("The administration keeps the tabs and colours of the app that opened the settings")
    func administration() async throws {
        try await withCarrepsa { site in
            let olga = try await site.person("Olga", isOperator: true)
            #expect(try await Self.open(olga, "/account", app: "carrepsa").text.contains("href=\"/admin\""))
            for path in ["/admin", "/admin/checks"] {
                let page = try await Self.open(olga, path, app: "carrepsa")
                let tab = "class=\"tab\" href=\"/carrepsa/profile\" aria-current=\"page\">"
                #expect(page.text.contains(" data-app=\"carrepsa\"") && page.app == nil, "\(path)")
                #expect(page.text.contains(tab), "\(path)")
            }
            #expect(try await Self.open(olga, "/admin", app: "carrepsa").text.contains("Administration</h1>"))
            #expect(try await Self.open(olga, "/admin/checks").text.contains("No problems were found."))
        }
    }

    @Test("The referring page takes precedence over the cookie; other sites are ignored as referrers")
    func twoWindows() async throws {
        try await withCarrepsa { site in
            let ada = try await site.person("Ada")
            let link = Self.address(ada, "/carrepsa/profile?from=here")
            let opened = try await Self.open(ada, "/account", app: "tracking", referer: link)
            #expect(opened.text.contains(" data-app=\"carrepsa\"") && opened.app == "carrepsa")
            // Navigation within the settings doesn't change the app.
            for path in ["/account", "/tracking/alerts"] {
                let next = try await Self.open(
                    ada, "/account/sessions", app: "carrepsa", referer: Self.address(ada, path))
                #expect(next.text.contains(" data-app=\"carrepsa\"") && next.app == nil)
            }
            let home = try await Self.open(ada, "/", app: "carrepsa")
            #expect(home.text.contains(" data-app=\"home\"") && home.app == "home")
            let nowhere: [(app: String?, referer: String?)] = [
                ("home", nil), ("nonsense", nil), (nil, "https://elsewhere.example/carrepsa"),
            ]
            for (app, referer) in nowhere {
                let page = try await Self.open(ada, "/account", app: app, referer: referer)
                #expect(page.text.contains(" data-app=\"home\"") && !page.text.contains("data-back"))
            }
            let tracking = try await Self.open(ada, "/account", referer: Self.address(ada, "/tracking/items"))
            #expect(tracking.text.contains(" data-app=\"tracking\"") && !tracking.text.contains("data-back"))
            #expect(tracking.text.contains("class=\"tab\" href=\"/account\" aria-current=\"page\">"))
        }
    }

    @Test("Settings opened from Family link back to its account page; a child has no other app")
    func family() async throws {
        try await withFamilies { site in
            let ada = try await site.parent("Ada")
            #expect(try await Self.open(ada, "/family").app == "family")
            let settings = try await Self.open(ada, "/account", app: "family", language: "de").text
            #expect(settings.contains(" data-app=\"family\""))
            #expect(settings.contains("href=\"/family/account\" data-back>"))
            #expect(settings.contains("class=\"tab\" href=\"/family/account\" aria-current=\"page\">"))
            let mia = try await site.device(of: ada.child(), by: ada)
            for path in ["/notifications", "/tracking/items"] {
                let page = try await Self.open(mia, path, app: "carrepsa").text
                #expect(page.contains(" data-app=\"family\"") && !page.contains("/carrepsa"), "\(path)")
            }
        }
    }

    private static let unknownPerson = "01890000-0000-7000-8000-000000000000"

    @Test(
        "A missing page shows its message once, in the app's colours, and links back into the app",
        arguments: [
            ("/carrepsa/people/\(unknownPerson)", "carrepsa", "Carrepsa"),
            ("/carrepsa/nothing", "carrepsa", "Carrepsa"),
            ("/family/nothing", "family", "Family"), ("/tracking/nothing", "tracking", "Tracking"),
        ])
    func missing(path: String, app: String, name: String) async throws {
        try await withCarrepsa { site in
            let ada = try await site.person("Ada")
            let page = try await Self.open(ada, path)
            #expect(page.text.contains(" data-app=\"\(app)\""))
            #expect(page.text.contains("<h1 class=\"bar-title\" hx-disable>Nothing here</h1>"))
            #expect(page.text.contains("<p>It was deleted, or this address is wrong.</p>"))
            #expect(!page.text.contains("There is nothing here.") && !page.text.contains("empty-title\">Nothing"))
            #expect(page.text.contains("<a class=\"button button-primary\" href=\"/\(app)\">\(name)</a>"))
            #expect(page.app == nil)
            let german = try await Self.open(ada, path, language: "de").text
            #expect(german.contains("<p>Es wurde gelöscht, oder die Adresse stimmt nicht.</p>"))
        }
    }

    @Test("An error in the settings links back to the app that opened them, else to the start page")
    func settingsMissing() async throws {
        try await withCarrepsa { site in
            let ada = try await site.person("Ada")
            let carrepsa = try await Self.open(ada, "/account/choices/nothing", app: "carrepsa").text
            #expect(carrepsa.contains(" data-app=\"carrepsa\"") && carrepsa.contains("href=\"/carrepsa\">Carrepsa</a>"))
            let home = try await Self.open(ada, "/account/choices/nothing").text
            #expect(home.contains(" data-app=\"home\"") && home.contains("href=\"/\">Home</a>"))
        }
    }
}
