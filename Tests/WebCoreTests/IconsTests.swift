import Testing

@testable import WebCore

@Suite("Icons")
struct IconsTests {
    private static let icons = Icons(
        sprite: Array(
            """
            <svg xmlns="http://www.w3.org/2000/svg">
            <symbol id="dot" viewBox="0 0 24 24" fill="none"><circle r="3"/></symbol>
            <symbol id="line" viewBox="0 0 12 12"><path d="M0 0h9"/></symbol>
            </svg>
            """.utf8))

    private static func icon(_ name: String, version: String = "1a2b") -> String {
        "<svg class=\"icon\"><use href=\"/static/\(version)/vendor/icons.svg#\(name)\"/></svg>"
    }

    @Test("Every occurrence of a name is replaced with its drawing")
    func drawn() {
        let page = "<p>\(Self.icon("dot"))ä</p>\(Self.icon("line"))\(Self.icon("dot", version: "c3"))"
        let dot = "<svg class=\"icon\"><svg viewBox=\"0 0 24 24\" data-icon=\"dot\"><circle r=\"3\"/></svg></svg>"
        let line = "<svg class=\"icon\"><svg viewBox=\"0 0 12 12\" data-icon=\"line\"><path d=\"M0 0h9\"/></svg></svg>"
        #expect(Self.icons.drawn(in: page) == "<p>\(dot)ä</p>\(line)\(dot)")
    }

    @Test(
        "Text that isn't one of our icons stays unchanged",
        arguments: [
            "", "<", "<use href=\"", "plain", icon("missing"), "<use href=\"#dot\"/>",
            "<use href=\"/other/icons.svg#dot\"/>", "&lt;use href=\"/vendor/icons.svg#dot\"/&gt;",
        ])
    func untouched(page: String) {
        #expect(Self.icons.drawn(in: page) == page)
        #expect(Icons(sprite: []).drawn(in: Self.icon("dot")) == Self.icon("dot"))
    }

    @Test("Each icon of the product's sprite is drawn")
    func product() throws {
        let sprite = try #require(EmbeddedFiles(Embedded.base64).contents(of: Icons.sprite))
        let names = String(decoding: sprite, as: UTF8.self).matches(of: /<symbol id="([^"]+)"/).map { String($0.1) }
        #expect(names.count > 100)
        let icons = Icons(sprite: sprite)
        #expect(names.allSatisfy { !icons.drawn(in: Self.icon($0)).contains("<use") })
    }
}
