import Kernel
import Testing

@testable import WebCore

@Suite("Icons")
struct IconsTests {
    private static let sprite = Array(
        """
        <svg xmlns="http://www.w3.org/2000/svg">
        <symbol id="dot" viewBox="0 0 24 24" fill="none"><circle r="3"/></symbol>
        <symbol id="line-2" viewBox="0 0 12 12"><path d="M0 0h9"/></symbol>
        </svg>
        """.utf8)
    private static let icons = Icons(sprite: sprite)
    private static let dot = #"<svg viewBox="0 0 24 24" data-icon="dot"><circle r="3"/></svg>"#
    private static let line = #"<svg viewBox="0 0 12 12" data-icon="line-2"><path d="M0 0h9"/></svg>"#

    private static func svg(_ content: String, style: String = "") -> String {
        "<svg class=\"icon\(style)\" aria-hidden=\"true\">\(content)</svg>"
    }

    private struct Page {
        struct Row { let rowIcon: String }

        var icon = ""
        var rows: [Row] = []
        var names: [String] = []
    }

    private func rendered(_ template: String, _ page: Page = Page()) throws -> String {
        let files = EmbeddedFiles(plain: [Icons.sprite: Self.sprite, "templates/page.mustache": Array(template.utf8)])
        return try Renderer([files]).render(page, template: "page", in: .english)
    }

    @Test("A fixed name is drawn when the template is read")
    func fixed() throws {
        let drawn = try Self.icons.expanded(in: #"ä{{icon "dot"}}<b>{{icon "line-2"}}{{icon "dot"}}"#, named: "page")
        #expect(drawn == "ä\(Self.svg(Self.dot))<b>\(Self.svg(Self.line))\(Self.svg(Self.dot))")
        #expect(try rendered(#"{{icon "dot"}}"#) == Self.svg(Self.dot))
    }

    @Test("A style becomes a class", arguments: ["small", "large", "turns"])
    func style(name: String) throws {
        let style = " icon-\(name)"
        #expect(try rendered("{{icon \"dot\" \(name)}}") == Self.svg(Self.dot, style: style))
        #expect(try rendered("{{icon icon \(name)}}", Page(icon: "dot")) == Self.svg(Self.dot, style: style))
    }

    @Test("The view model names an icon by a property or by the current value")
    func named() throws {
        let page = Page(icon: "dot", rows: [Page.Row(rowIcon: "line-2")], names: ["dot", "line-2"])
        #expect(
            try rendered("{{icon icon}}{{#rows}}<i>{{icon rowIcon}}{{/rows}}{{#names}}{{icon .}}{{/names}}", page)
                == "\(Self.svg(Self.dot))<i>\(Self.svg(Self.line))\(Self.svg(Self.dot))\(Self.svg(Self.line))")
    }

    @Test(
        "A name from the view model that the sprite doesn't have stays escaped text",
        arguments: ["missing", "", "\"/><b>", "dot\"/><script>", "\"\u{301} onload=x", "dot\" data-icon=\"dot"])
    func hostile(name: String) throws {
        let placeholder = "<svg data-icon=\"\(MarkupText.html(name))\"/>"
        #expect(try rendered("{{icon icon}}<p>", Page(icon: name)) == Self.svg(placeholder) + "<p>")
        let followed = try rendered("{{icon icon}}{{#names}}{{icon .}}{{/names}}", Page(icon: name, names: ["dot"]))
        #expect(followed == Self.svg(placeholder) + Self.svg(Self.dot))
    }

    @Test("A fixed name that the sprite doesn't have is rejected", arguments: ["dott", "", "Dot", "dot_"])
    func unknown(name: String) {
        #expect(throws: Renderer.Failure.unknownIcon(name, template: "page")) { try rendered("{{icon \"\(name)\"}}") }
    }

    @Test(
        "A malformed tag is rejected",
        arguments: [
            #"{{icon}}"#, #"{{icon }}"#, #"{{icon  "dot"}}"#, #"{{icon "dot" }}"#, #"{{icon "dot" huge}}"#,
            #"{{icon "dot" small large}}"#, #"{{icon"dot"}}"#, #"{{icon "dot}}"#, #"{{icon 'dot'}}"#, #"{{icon ../a}}"#,
            "{{icon a..b}}", "{{icon é}}",
            #"{{icon "dot }}"#, #"{{icon "}}"#,
            #"{{icon &name}}"#, #"{{icon {name}}}"#, #"{{icon "{{name}}"}}"#, #"{{icon "dot""#, "{{icon\nname}}",
            "{{icon",
        ])
    func malformed(tag: String) {
        #expect {
            try rendered("<p>\(tag)")
        } throws: { error in
            guard case .malformedIcon(let text, template: "page") = error as? Renderer.Failure else { return false }
            return tag.hasPrefix(text)
        }
    }

    @Test(
        "A tag with spaces or a sign before the word is rejected",
        arguments: [#"{{ icon "dot"}}"#, "{{&icon name}}", "{{{icon name}}}", "{{#icon name}}{{/icon}}"])
    func otherTags(tag: String) {
        #expect(throws: Renderer.Failure.self) { try rendered(tag) }
    }

    @Test("Tags whose names only begin with the word stay", arguments: ["{{iconName}}", "{{icon.name}}", "{{#icon}}"])
    func otherNames(tag: String) throws {
        #expect(try Self.icons.expanded(in: tag, named: "page") == tag)
    }

    @Test(
        "Text of a page that isn't a placeholder stays unchanged",
        arguments: [
            "", "<", "<svg data-icon=\"", "<svg data-icon=\"dot", "<svg data-icon=\"dot\">", dot, "plain",
            "&lt;svg data-icon=&quot;dot&quot;/&gt;", "<svg data-icon=\"missing\"/>",
        ])
    func untouched(page: String) {
        #expect(Self.icons.drawn(in: Array(page.utf8)) == page)
    }

    @Test("Each icon of the product's sprite is drawn")
    func product() throws {
        let sprite = try #require(EmbeddedFiles(Embedded.base64).contents(of: Icons.sprite))
        let names = String(decoding: sprite, as: UTF8.self).matches(of: /<symbol id="([^"]+)"/).map { String($0.1) }
        #expect(names.count > 100)
        let icons = Icons(sprite: sprite)
        for name in names {
            let drawing = try icons.expanded(in: "{{icon \"\(name)\"}}", named: "page")
            #expect(drawing.hasPrefix("<svg class=\"icon\" aria-hidden=\"true\"><svg viewBox="))
            #expect(!drawing.contains("{{"))
            #expect(Self.svg(icons.drawn(in: Array("<svg data-icon=\"\(name)\"/>".utf8))) == drawing)
        }
    }
}
