import HTTPTypes
import Testing

@testable import WebCore

@Suite("Cookies of the site")
struct SiteCookieTests {
    private static let all: [SiteCookie] = [.session, .open, .fresh, .openerApp, .toast]

    @Test("On HTTPS, a cookie that grants or changes something is tied to this host", arguments: [true, false])
    func names(isSecure: Bool) {
        let site = Site(url: isSecure ? "https://home.example" : "http://localhost:8080")
        for cookie in Self.all {
            let isTied = cookie.name(on: site).hasPrefix("__Host-")
            #expect(isTied == (isSecure && cookie.name(on: site) != "homeward-app"))
            var headers = HTTPFields()
            headers.set(cookie, to: "abc", on: site)
            let attributes = Set(headers[values: .setCookie][0].split(separator: "; ").dropFirst().map(String.init))
            #expect(attributes.isSuperset(of: ["Path=/", "SameSite=Lax"]))
            #expect(attributes.contains("Secure") == isSecure)
            #expect(attributes.contains("HttpOnly") == !cookie.name(on: site).hasSuffix("-fresh"))
        }
    }

    @Test("A cookie is deleted with the attributes that it was set with")
    func clearing() {
        let site = Site(url: "https://home.example")
        var headers = HTTPFields()
        headers.clear(.session, on: site)
        let parts = headers[values: .setCookie][0].split(separator: "; ", omittingEmptySubsequences: false)
        #expect(parts.first == "__Host-homeward=")
        #expect(Set(parts.dropFirst()) == ["Max-Age=0", "Path=/", "HttpOnly", "SameSite=Lax", "Secure"])
    }

    @Test("The session lasts 400 days, and the mark of an open browser until it is closed")
    func lifetimes() {
        let site = Site(url: "https://home.example")
        var headers = HTTPFields()
        headers.set(.session, to: "abc", on: site)
        headers.set(.open, to: "1", on: site)
        #expect(headers[values: .setCookie][0].contains("; Max-Age=34560000"))
        #expect(!headers[values: .setCookie][1].contains("Max-Age"))
    }
}
