import Kernel
import Testing

@testable import WebCore

@Suite("Texts in templates")
struct TemplateTextsTests {
    private func translated(_ template: String) throws -> String? {
        let german = try POFile(
            #"""
            msgid "Carried by {name} & {other}"
            msgstr "{other} & {name} <tragen>"

            msgctxt "verb"
            msgid "Open"
            msgstr "Öffnen"
            """#)
        return TemplateTexts.translated(template, by: Translator(.german, TranslationCatalog(german)))
    }

    @Test("A text is translated, escaped for HTML, and its placeholders become tags")
    func placeholders() throws {
        let page = #"<p title="{{#t}}Carried by {name} & {other}{{/t}}">{{#t verb}}Open{{/t}} {{#t}}Open{{/t}}</p>"#
        #expect(try translated(page) == #"<p title="{{~other}} &amp; {{~name}} &lt;tragen&gt;">Öffnen Open</p>"#)
    }

    @Test(
        "A translation can't print a value without escaping it, and has no other tags",
        arguments: ["{{name}}", "{&name}", "{>part}", "{#name}", "{=| |=}", "{% PRAGMA}", "{", "}", "{name", "{a b}"])
    func hostileTranslation(text: String) throws {
        let german = try POFile("msgid \"Name\"\nmsgstr \"\(text)\"")
        let t = Translator(.german, TranslationCatalog(german))
        let translated = try #require(TemplateTexts.translated("{{#t}}Name{{/t}}{{title}}", by: t))
        let tags = translated.matches(of: /\{+[^{}]*\}+/).map { String($0.output) }
        #expect(tags == (text == "{{name}}" ? ["{{~name}}", "{{title}}"] : ["{{title}}"]))
    }

    @Test(
        "Other sections stay", arguments: ["{{#title}}{{title}}{{/title}}", "{{#terms.t}}x{{/terms.t}}", "{{title}}"])
    func sections(template: String) throws {
        #expect(try translated(template) == template)
    }

    @Test(
        "A text with a tag is refused when the template is read",
        arguments: [#"Save {{icon "check"}}"#, "{{icon name}}", "Hello {{name}}", "{{{name}}}", "{{>part}}"])
    func tag(text: String) {
        expectRefusal(of: "{{#t verb}}\(text){{/t}}")
    }

    @Test("Markup without its placeholder is refused when the template is read")
    func unusedMarkup() {
        expectRefusal(of: "{{#t}}Expires{{:time}}<time>{{age}}</time>{{/t}}")
        expectRefusal(of: "{{#t}}Expires {time}{{:times}}<time>{{age}}</time>{{/t}}")
        expectRefusal(of: #"{{#t}}{{icon "check"}} {time}{{:time}}<time>{{age}}</time>{{/t}}"#)
    }

    private func expectRefusal(of text: String) {
        let files = ["templates/page.mustache": Array("<p>{{#t}}Open{{/t}} \(text)".utf8)]
        #expect(throws: Renderer.Failure.malformedText(text, template: "page")) {
            try Renderer([EmbeddedFiles(plain: files)])
        }
    }

    @Test("Markup of a placeholder is where the language puts it, and the rest of the text is escaped")
    func markup() throws {
        let text = #"{{#t}}Carried by {name} & {other}{{:other}}<b class="x">{{value}}</b>{{/t}}."#
        #expect(try translated(text) == #"<b class="x">{{value}}</b> &amp; {{~name}} &lt;tragen&gt;."#)
        let both = "{{#t}}Carried by {name} & {other}{{:name}}<i>{{#a}}{{b}}{{/a}}</i>{{:other}}<b>{{value}}</b>{{/t}}"
        #expect(
            try translated(both) == "<b>{{value}}</b> &amp; <i>{{#a}}{{b}}{{/a}}</i> &lt;tragen&gt;")
    }

    @Test(
        "A text that isn't closed is refused",
        arguments: ["{{#t}}Open", "{{#t", "{{#t}}a{{/t}}{{#t}}b", "{{#t}}{a}{{:a{{/t}}"])
    func unclosed(template: String) throws {
        #expect(try translated(template) == nil)
    }
}
