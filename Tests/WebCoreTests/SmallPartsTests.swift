import HTTPTypes
import Kernel
import Testing

@testable import WebCore

@Suite("Small parts")
struct SmallPartsTests {
    @Test(
        "Only paths of this server are valid return paths",
        arguments: [
            ("/", true), ("/tracking/items?a=b", true), ("/%2F%2Fevil", true), ("", false), ("//evil.example", false),
            ("/\\evil.example", false), ("https://evil.example", false), ("/a b", false), ("/a\nb", false),
            ("javascript:alert(1)", false), ("/\t/evil", false),
            ("//\u{fe0f}evil.example", false), ("//\u{34f}evil.example", false), ("//\u{200d}evil.example", false),
            ("/tracking/äpfel", false),
        ])
    func localPaths(_ text: String, _ isFine: Bool) {
        #expect((LocalPath(text)?.text == text) == isFine)
    }

    @Test(
        "The response format is negotiated",
        arguments: [
            ("application/json", nil, .json), ("text/html,*/*;q=0.8", nil, .page), ("*/*", nil, .page),
            ("", nil, .page),
            ("text/html;q=0.5, application/json", nil, .json), ("application/json;q=0.1, text/html", nil, .page),
            ("application/json;q=0, */*", nil, .page), ("*/*", "Bearer x", .json), ("text/html", "Bearer x", .page),
        ] as [(String, String?, ResponseFormat)])
    func faces(_ accept: String, _ authorization: String?, _ face: ResponseFormat) {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "x", path: "/")
        head.headerFields[.accept] = accept
        head.headerFields[.authorization] = authorization
        #expect(ResponseFormat(of: head) == face)
    }

    @Test(
        "The best supported language is chosen",
        arguments: [
            (nil, .english), ("de", .german), ("de-DE,de;q=0.9,en;q=0.8", .german), ("en-GB,de;q=0.9", .english),
            ("it", .english), ("fr-CA, en;q=0.5", .french), ("es-419", .spanish), ("en;q=0.1, de;q=0.2", .german),
            ("de;q=0", .english), ("garbage;;;", .english),
        ] as [(String?, Language)])
    func languages(_ header: String?, _ language: Language) {
        #expect(Language.preferred(by: header) == language)
    }

    @Test("a QR code is an image of square modules with its quiet zone")
    func qrCode() throws {
        let svg = try QRCode.svg("https://home.example/<&>\"")
        #expect(svg.hasPrefix("<svg") && svg.hasSuffix("</svg>"))
        #expect(!svg.contains("home.example"))
        #expect(svg.contains("M4 4h7v1h-7z"))
        #expect(throws: AppError.self) { try QRCode.svg("") }
        #expect(throws: AppError.self) { try QRCode.svg(String(repeating: "x", count: 2_001)) }
        #expect(throws: Never.self) { try QRCode.svg(String(repeating: "x", count: 2_000)) }
    }

    @Test(
        "The tiles' origin in the policy follows from any tile URL",
        arguments: [
            ("https://tile.openstreetmap.org/{z}/{x}/{y}.png", "https://tile.openstreetmap.org"),
            ("https://{s}.tiles.example:8443/{z}/{x}/{y}.png", "https://*.tiles.example:8443"),
            ("/tiles/{z}/{x}/{y}.png", nil), ("https://a;script-src *;/{z}{x}{y}", nil),
        ] as [(String, String?)])
    func tiles(_ url: String, _ origin: String?) {
        #expect(MapTiles(url: url, attribution: "", attributionURL: nil).origin == origin)
    }

    @Test("A duplicate template fails when templates are read, and an invalid one when they are parsed")
    func templates() {
        let one = EmbeddedFiles(plain: ["templates/a.mustache": Array("a".utf8)])
        #expect(throws: Renderer.Failure.twice("a")) { try Renderer([one, one]) }
        let broken = EmbeddedFiles(plain: ["templates/a.mustache": Array("{{#a}}".utf8)])
        #expect(throws: Renderer.Failure.unreadable("a")) { try Renderer([broken]).prepare(.english) }
        #expect { try Renderer([one]).render([:] as [String: String], template: "b", in: .english) } throws: {
            $0 as? Renderer.Failure == .unknown("b")
        }
    }

    @Test("a toast's header is ASCII")
    func toastHeader() {
        #expect(ShellToast("Gelöscht – 👍").trigger.utf8.allSatisfy { (0x20...0x7e).contains($0) })
    }
}
